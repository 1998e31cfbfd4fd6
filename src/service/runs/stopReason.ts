import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';

/** Why a run was ended from outside; the abort reason of its signal. As text it is a sentence for people. */
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

interface FailedRun {
  readonly runId: string;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Logs that something of a run failed. After the run was ended from outside, that is expected. A refusal is in the
 * reason of the run. Only what is left is a fault of the service.
 */
export function logFailure({ runId, log, signal }: FailedRun, error: unknown, message: string): void {
  if (signal?.aborted === true) log.info({ runId }, message);
  else if (error instanceof HumanError) log.warn({ runId, code: error.code }, message);
  else log.error({ runId, err: error }, message);
}
