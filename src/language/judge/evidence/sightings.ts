import type { Turn } from '../../../contract/testRuns.ts';
import type { Evidence } from '../quotes.ts';
import { evidenceAt } from '../quotes.ts';
import type { Said } from '../callEnds.ts';

/** A place in a call where something was seen. */
export interface Seen {
  /** Index of the turn, and of the letter in it. */
  readonly turn: number;
  readonly from: number;
  readonly evidence: Evidence;
}

/** What was seen of an event. */
export interface Sightings {
  readonly sure: readonly Seen[];
  /** What may be it, or a mishearing of it. */
  readonly maybe: readonly Seen[];
  /** What says the contrary. */
  readonly denied: readonly Seen[];
  /**
   * Where nothing was seen it did not happen, once the call came to its end; otherwise other words may have told it.
   */
  readonly complete: boolean;
  /** As `complete`, at every end but one that broke off. */
  readonly anyEnd?: true;
  /** The place where it had to be seen is over, however the call ended. */
  readonly passed?: true;
  /** What was seen, in one sentence. */
  readonly told: string;
  readonly missing: string;
}

/** A sentence as a sighting; `offset`: where in it the words begin that matter for an order. */
export const seenAt = (said: Said, offset = 0): Seen => ({
  turn: said.index,
  from: said.from + offset,
  evidence: evidenceAt(said.turn, said.from, said.from + said.text.length),
});

/** A turn, or a stretch of its letters, as a sighting. */
export const seenIn = (
  { turn, index }: { readonly turn: Turn; readonly index: number },
  from = 0,
  to = turn.text.length,
): Seen => ({ turn: index, from, evidence: evidenceAt(turn, from, to) });

export const isBefore = (a: Pick<Seen, 'turn' | 'from'>, b: Pick<Seen, 'turn' | 'from'>): boolean =>
  a.turn < b.turn || (a.turn === b.turn && a.from < b.from);
export const byPlace = (a: Seen, b: Seen): number => a.turn - b.turn || a.from - b.from;

export const none = { sure: [], maybe: [], denied: [] } as const;
