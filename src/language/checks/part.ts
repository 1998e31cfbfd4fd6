import type { CheckOf, PlainCheck } from '../../contract/checks.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { isBefore, seenInSentence, type Seen, type Sightings } from './sightings.ts';

/** A reply that began this much before the caller's last word or key still counts. */
export const slackMs = 250;

/** The part of a call that a check is about, in milliseconds of its audio and in places of its transcript. */
export interface Part {
  readonly fromMs: number;
  readonly toMs: number;
  readonly after?: Seen | undefined;
  readonly until?: Seen | undefined;
}

/** Returns true if something was said or done in a part of the call. Without times, only places count. */
export function isInside(
  seen: Pick<Seen, 'turn' | 'from' | 'evidence'>,
  { fromMs, toMs, after, until }: Part,
): boolean {
  const { startMs } = seen.evidence;
  return (
    (after === undefined || isBefore(after, seen)) &&
    (until === undefined || isBefore(seen, until)) &&
    (startMs === undefined ||
      // What follows a moment in its place can begin in the same word.
      ((fromMs === 0 || after !== undefined || startMs >= fromMs - slackMs) && startMs < toMs))
  );
}

export const sentencesIn = (call: HeardCall, part: Part): Sentence[] =>
  call.sentences.filter((sentence) => isInside(seenInSentence(sentence), part));

/** Looks for what a check is about. */
export type Find<Kind extends PlainCheck['kind']> = (check: CheckOf<Kind>, call: HeardCall, part: Part) => Sightings;
