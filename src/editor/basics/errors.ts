import { ConnectionError, ServiceError, TimeoutError } from '../../client/errors.ts';
import { HumanError } from '../../contract/errors.ts';
import type { L10n } from './localise.ts';

/** An error whose message is fit for a user; of everything else only the log tells. */
export const isTypedError = (error: unknown): error is HumanError | ServiceError =>
  error instanceof HumanError || error instanceof ServiceError;

/** The service gave no answer: nothing listens, the line broke, or time ran out. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError;

/** The request has not reached the service, so that repeating it does nothing twice. */
export const wasNeverSent = (error: unknown): boolean => error instanceof ConnectionError && error.preFlight;

export const isCode = (error: unknown, code: string): boolean => isTypedError(error) && error.code === code;
export const isStatus = (error: unknown, status: number): boolean => isTypedError(error) && error.status === status;
/** An answer without a body, as the limits of requests give them: only its status tells. */
export const isBare = (error: unknown, status: number): boolean =>
  error instanceof ServiceError && error.bare && error.status === status;
/** The service is away, or too busy for now: the same may be asked for again. */
export const mayPass = (error: unknown): boolean => isUnreachable(error) || isBare(error, 403) || isBare(error, 429);
/** What is read, or undefined where the service says that there is no such thing. */
export async function unlessGone<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** The message that a person sees, undefined where there is none fit for one. */
export const messageOf = (error: unknown): string | undefined => (isTypedError(error) ? error.message : undefined);
/** The same; where there is none, a person reads that the log tells more. */
export const shownMessage = (error: unknown, l10n: L10n): string =>
  messageOf(error) ?? l10n.t('Internal error. See the log for details.');
