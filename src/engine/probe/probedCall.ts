import type { Sentences } from '../../base/sentences.ts';
import type { HangUp, Turn } from '../../contract/testRuns.ts';
import type { Evidence } from '../../language/heard/quotes.ts';
import type { LanguageStretch } from '../../speech/ear.ts';

/** A step that was carried out, in milliseconds of the call's audio. */
export interface DoneStep {
  readonly startMs: number;
  /** Where its last action began and ended. For a step that only listens, this is its beginning. */
  readonly actionMs: number;
  readonly actedMs: number;
  readonly reached: boolean;
  /** Why it wasn't reached. */
  readonly reason?: Sentences | undefined;
  /** It proves nothing that it wasn't reached: the caller was still waiting, or there was nothing to choose from. */
  readonly undecided?: boolean;
  /** The number of choices so far. */
  readonly choices?: number;
  /** The words that showed it was reached. */
  readonly found?: Evidence;
}

/** What is known of a call when its assertions are judged. Nothing in it is masked. */
export interface ProbedCall {
  readonly turns: readonly Turn[];
  readonly steps: ReadonlyMap<string, DoneStep>;
  readonly end: HangUp | undefined;
  /** Where the audio ends. */
  readonly lastedMs: number;
  readonly speaksAt: (atMs: number) => boolean;
  readonly onsetAfter: (fromMs: number) => number | undefined;
  /** The spoken languages, if an assertion needs them. */
  readonly languages: readonly LanguageStretch[];
  /** Digits that must not be repeated. */
  readonly secretDigits: readonly string[];
}
