import type { SaidWords } from './slots.ts';

/** A key that may have been said, or the verb before one, and who says so. */
export interface Candidate {
  /** The first word that it replaces, and how many. */
  readonly atWord: number;
  readonly width: number;
  /** The words instead: a key, with its verb if that wasn't recognised either. */
  readonly said: SaidWords;
  readonly by: 'table' | 'sound' | 'grammar' | 'count' | 'template';
  /** Natural log: how much likelier it is than the words that were heard, before both are compared by ear. */
  readonly logOdds: number;
}
