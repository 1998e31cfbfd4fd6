import { sentence, Sentences, sentencesOf } from '../../base/sentences.ts';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';

/** Why a run was ended from outside; the abort reason of its signal. */
export class StopReason extends Sentences {
  readonly endedBy: EndedBy;

  constructor(endedBy: EndedBy, why: Sentences) {
    super(why.parts);
    this.endedBy = endedBy;
  }
}

/** Ends a run whose practice IVR on this machine has ended. */
export const practiceEnded = new StopReason(
  'stop',
  sentence`The practice IVR ended during this run. What was found is kept. Run this again.`,
);

/** Returns why a run failed by itself, for people. */
export const failureReason = (error: unknown): Sentences =>
  error instanceof HumanError || (error instanceof Error && error.name === 'SpeechError')
    ? sentencesOf(error)
    : sentence`Internal error. See the log of the service.`;

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
