import type * as z from 'zod';
import type { evidenceSchema, Turn } from '../../contract/testRuns.ts';
import { plainWords } from '../../model/heard/heardWords.ts';
import { isContent } from './words.ts';

export type Evidence = z.output<typeof evidenceSchema>;

interface FoundQuote {
  readonly evidence: Evidence;
  /** Index in the transcript. */
  readonly turn: number;
  readonly from: number;
  readonly to: number;
}

/** Returns a part of a turn as evidence: the turn's exact characters, with times interpolated within the turn. */
export function evidenceAt({ text, startMs, endMs }: Turn, from: number, to: number): Evidence {
  const quote = text.slice(from, to).trim();
  if (startMs === undefined || endMs === undefined || text.length === 0) return { quote, startMs, endMs };
  const at = (index: number): number => Math.round(startMs + (endMs - startMs) * (index / text.length));
  return { quote, startMs: at(from), endMs: at(to) };
}

/**
 * Finds where the words of a quote are in a turn of a speaker, word by word, ignoring case and punctuation. Tries the
 * named turn first. Returns undefined for a quote without content words ("the", "to you"), unless it is a whole turn.
 */
export function findQuote(
  quote: string,
  transcript: readonly Turn[],
  speaker: Turn['speaker'],
  named?: number,
): FoundQuote | undefined {
  const wanted = plainWords(quote).map(({ text }) => text);
  if (wanted.length === 0) return undefined;
  const order = [...transcript.keys()].sort((a, b) => Number(b === named) - Number(a === named));
  for (const index of order) {
    const turn = transcript[index];
    if (turn?.speaker !== speaker) continue;
    const words = plainWords(turn.text);
    if (!wanted.some(isContent) && words.length !== wanted.length) continue;
    for (let start = 0; start + wanted.length <= words.length; start += 1) {
      const first = words[start],
        last = words[start + wanted.length - 1];
      if (!first || !last || !wanted.every((word, offset) => words[start + offset]?.text === word)) continue;
      return { evidence: evidenceAt(turn, first.from, last.to), turn: index, from: first.from, to: last.to };
    }
  }
  return undefined;
}

export const distinct = (evidence: readonly Evidence[]): Evidence[] => [
  ...new Map(evidence.map((one) => [`${one.quote.toLowerCase()}@${one.startMs ?? ''}`, one])).values(),
];
