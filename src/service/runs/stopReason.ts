import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';

/**
 * Why a test run or load test was ended from outside; the abort reason of its signal. As text it is a sentence for
 * people.
 */
export class StopReason {
  readonly endedBy: EndedBy;
  readonly #sentence: string;

  constructor(endedBy: EndedBy, sentence: string) {
    this.endedBy = endedBy;
    this.#sentence = sentence;
  }

  toString(): string {
    return this.#sentence;
  }
}

/** Returns why a run failed by itself, for people. */
export const failureReason = (error: unknown): string =>
  error instanceof HumanError || (error instanceof Error && error.name === 'SpeechError')
    ? error.message
    : 'Internal error. See the log of the service.';
