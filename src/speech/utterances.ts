import type { Utterance } from './ear.ts';

/** Puts a corrected utterance in its place. Does nothing if it isn't among these. */
export function replaceUtterance(utterances: Utterance[], corrected: Utterance): void {
  const at = utterances.findIndex(({ startMs }) => startMs === corrected.startMs);
  if (at >= 0) utterances[at] = corrected;
}
