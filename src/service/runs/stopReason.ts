import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';

/**
 * Why a run of a test, or a load test, was ended from outside: what its signal is aborted with. As text it is the
 * sentence for a person.
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

/** Why a run failed by itself, for a person. */
export const failureReason = (error: unknown): string =>
  error instanceof HumanError || (error instanceof Error && error.name === 'SpeechError')
    ? error.message
    : 'Internal error. See the log of the service.';
