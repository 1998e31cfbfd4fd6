import type { Sentences } from '../../base/sentences.ts';
import type { Turn } from '../../contract/testRuns.ts';
import type { SaidSentence } from '../heard/callEnds.ts';
import { evidenceAt, type Evidence } from '../heard/quotes.ts';

export interface Seen {
  /** The index of the turn, and of the character in it. */
  readonly turn: number;
  readonly from: number;
  readonly evidence: Evidence;
}

/** The place of a finding without words. */
export const somewhere: Seen = { turn: 0, from: 0, evidence: { quote: '' } };

/** What a row finds in a call. */
export interface Sightings {
  readonly sure: readonly Seen[];
  /** Possible matches, or mishearings of one. */
  readonly maybe?: readonly Seen[];
  /** The words that say the opposite. */
  readonly denied?: readonly Seen[];
  /** What to show if nothing was seen and the verdict is open. */
  readonly context?: readonly Seen[];
  /** If nothing was seen in a part that was heard whole, it didn't happen. Otherwise, other words may have said it. */
  readonly complete: boolean;
  /** The row looked only at the part, or its finding has no place. Otherwise, what was seen elsewhere is left out. */
  readonly placed?: true;
  /** The check is met by absence. */
  readonly absent?: true;
  /** The finding if something was seen, and if not. */
  readonly shown: Sentences;
  readonly missing: Sentences;
}

/** Returns a sentence as a match. `offset`: where the relevant words begin. */
export const seenInSentence = (said: SaidSentence, offset = 0): Seen => ({
  turn: said.index,
  from: said.from + offset,
  evidence: evidenceAt(said.turn, said.from, said.from + said.text.length),
});

export const seenInTurn = (
  { turn, index }: { readonly turn: Turn; readonly index: number },
  from = 0,
  to = turn.text.length,
): Seen => ({ turn: index, from, evidence: evidenceAt(turn, from, to) });

export const isBefore = (a: Pick<Seen, 'turn' | 'from'>, b: Pick<Seen, 'turn' | 'from'>): boolean =>
  a.turn < b.turn || (a.turn === b.turn && a.from < b.from);
export const byPlace = (a: Seen, b: Seen): number => a.turn - b.turn || a.from - b.from;
