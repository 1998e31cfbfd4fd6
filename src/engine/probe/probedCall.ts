import type { HangUp, Turn } from '../../contract/testRuns.ts';
import type { Evidence } from '../../language/judge/quotes.ts';
import type { LanguageStretch } from '../../speech/ear.ts';

/** A step that was done, in milliseconds of the call's audio. */
export interface DoneStep {
  readonly startMs: number;
  /** Where its last action began and ended; a step that only listens acts where it begins. */
  readonly actionMs: number;
  readonly actedMs: number;
  readonly reached: boolean;
  /** Why it was not reached. */
  readonly reason?: string;
  /** That it was not reached proves nothing: somebody was still waited for, or there was nothing to choose from. */
  readonly undecided?: boolean;
  /** Choices that were made on the way. */
  readonly choices?: number;
  /** What showed that it was reached. */
  readonly found?: Evidence;
}

/** What is known of a call when its assertions are looked at. Nothing in it is masked. */
export interface ProbedCall {
  readonly turns: readonly Turn[];
  readonly steps: ReadonlyMap<string, DoneStep>;
  readonly end: HangUp | undefined;
  /** Where the audio ends. */
  readonly lastedMs: number;
  readonly speaksAt: (atMs: number) => boolean;
  readonly onsetAfter: (fromMs: number) => number | undefined;
  /** In which language they spoke, where an assertion asks for it. */
  readonly languages: readonly LanguageStretch[];
  /** Digits that must not be repeated. */
  readonly secretDigits: readonly string[];
}
