import { patternWith } from '../../base/rows.ts';

export interface Token {
  /** As written, in lower case. */
  readonly text: string;
  readonly kind: 'word' | 'strong' | 'weak';
}

/** Replaces words that separate labels. */
export const sentenceEnd: Token = { text: '.', kind: 'strong' };

const pattern = patternWith('gu')`
  (?:\p{L}\.){2,}|[$£€]?\d+(?:[.:,]\d+)+
  |[\p{L}\p{N}$£€][\p{L}\p{N}$£€'’\-–]*(?:&[\p{L}]+)?|[*#]|\.{2,}|…|[.;?!]|[,:—–-]|["“”]
`;
/** "1-800", "4-digit" and "re-enter" stay one word. "1-" at the end of a chunk loses its hyphen. */
const clean = (text: string): string => text.replace(/[’]/g, "'").replace(/['\-–]+$/, '');

/** Splits text, in linear time, into words and punctuation between clauses (`weak`) and sentences (`strong`). */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [raw] of text.toLowerCase().matchAll(pattern)) {
    if (/^[.;?!]$/.test(raw)) tokens.push({ text: raw, kind: 'strong' });
    else if (/^(?:\.{2,}|…|[,:—–-]|["“”])$/.test(raw)) {
      if (!/["“”]/.test(raw)) tokens.push({ text: raw, kind: 'weak' });
    } else tokens.push({ text: clean(raw), kind: 'word' });
  }
  return tokens;
}

/** Returns the first token of the sentence at an index, up to `reach` tokens before the index. */
export function sentenceStart(tokens: readonly Token[], index: number, reach: number): number {
  const first = Math.max(0, index - reach);
  let start = index;
  while (start > first && tokens[start - 1]?.kind !== 'strong') start -= 1;
  return start;
}

/** Returns the end (exclusive) of the sentence at an index, up to `reach` tokens after the index. */
export function sentenceStop(tokens: readonly Token[], index: number, reach: number): number {
  const last = Math.min(tokens.length, index + reach);
  let stop = index;
  while (stop < last && tokens[stop]?.kind !== 'strong') stop += 1;
  return stop;
}

export const tokenWordsOf = (tokens: readonly Token[]): string =>
  tokens
    .filter((token) => token.kind === 'word')
    .map((token) => token.text)
    .join(' ');
