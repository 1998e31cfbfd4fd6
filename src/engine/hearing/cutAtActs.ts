import { groupBy } from '../../base/groupBy.ts';
import type { Utterance, Word } from '../../speech/ear.ts';
import type { AudioSpan } from '../call/callAudio.ts';

/** The silence after a tone. Its end is when the called side stops its prompt, and the next one can begin. */
const gapMs = 100;

/** A part of an utterance, and how many of the caller's acts came before it. */
export interface Piece extends Utterance {
  readonly acts: number;
}

/**
 * Cuts an utterance at the caller's acts, which are in order. A word belongs to the side on which most of it is. Speech
 * that began before an act is cut at the end of its last tone; speech that began during the act responds to it. Words
 * without times count as evenly spread. Each part keeps the punctuation of the text, by which menus are read.
 */
export function cutAtActs(utterance: Utterance, acts: readonly AudioSpan[]): Piece[] {
  const { text, startMs, endMs, words } = utterance;
  const cuts = acts.map((act) => (startMs < act.startMs ? Math.max(act.startMs, act.endMs - gapMs) : act.startMs));
  const texts = text.split(/\s+/);
  const timed = words.length > 0 ? words : spread(utterance);
  const pieces = groupBy([...timed.entries()], ([, word]) =>
    cuts.findLastIndex((atMs) => (word.startMs + word.endMs) / 2 >= atMs),
  );
  return [...pieces].map(([last, own], index): Piece => {
    const textAt = ([at, word]: (typeof own)[number]): string =>
      texts.length === timed.length ? (texts[at] ?? '') : word.text;
    const said = pieces.size === 1 ? text : own.map(textAt).join(' ');
    return {
      acts: last + 1,
      text: said,
      rawText: said,
      startMs: Math.max(startMs, cuts[last] ?? startMs),
      endMs: index < pieces.size - 1 ? (cuts[last + 1] ?? endMs) : endMs,
      words: words.length > 0 ? own.map(([, word]) => word) : [],
    };
  });
}

function spread({ text, startMs, endMs }: Pick<Utterance, 'text' | 'startMs' | 'endMs'>): Word[] {
  const texts = text.split(/\s+/);
  const eachMs = (endMs - startMs) / texts.length;
  return texts.map((word, index) => ({
    text: word,
    startMs: startMs + index * eachMs,
    endMs: startMs + (index + 1) * eachMs,
  }));
}
