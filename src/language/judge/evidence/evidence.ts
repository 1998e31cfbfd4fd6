import type { Sentences } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { evidenceAt, type Evidence } from '../quotes.ts';
import type { Said } from '../callEnds.ts';

export interface Seen {
  /** The index of the turn, and of the character in it. */
  readonly turn: number;
  readonly from: number;
  readonly evidence: Evidence;
}

export interface MatchEvidence {
  readonly sure: readonly Seen[];
  /** Possible matches, or mishearings of one. */
  readonly maybe: readonly Seen[];
  /** The words that say the opposite. */
  readonly denied: readonly Seen[];
  /** If nothing was seen, it didn't happen, once the call came to its end. If false, other words may have said it. */
  readonly complete: boolean;
  /** Like `complete`, at every end except an interruption. */
  readonly anyEnd?: true;
  /** The part in which it had to happen is over, however the call ended. */
  readonly passed?: true;
  /** The finding. */
  readonly told: Sentences;
  readonly missing: Sentences;
}

/** Returns a sentence as a match. `offset`: where the relevant words begin. */
export const seenInSentence = (said: Said, offset = 0): Seen => ({
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

export const none = { sure: [], maybe: [], denied: [] } as const;
