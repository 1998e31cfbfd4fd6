import { ConnectionError, ServiceError, TimeoutError } from '../../client/errors.ts';
import { HumanError } from '../../contract/errors.ts';
import type { L10n } from './localise.ts';

/**
 * Returns true if the error's message is fit for users. All other errors appear only in the log. Bundles that are loaded
 * on demand have their own copies of the classes, so the members decide.
 */
export const isTypedError = (error: unknown): error is HumanError | ServiceError =>
  error instanceof Error && 'quotes' in error && 'claim' in error;

/** The service didn't respond: nothing listens, the connection broke, or time ran out. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError;

/** The request didn't reach the service, so repeating it can't do anything twice. */
export const wasNeverSent = (error: unknown): boolean => error instanceof ConnectionError && error.preFlight;

export const isCode = (error: unknown, code: string): boolean => isTypedError(error) && error.code === code;
export const isStatus = (error: unknown, status: number): boolean => isTypedError(error) && error.status === status;
/** A response without a body, as rate limits send them. Only its status is known. */
export const isBare = (error: unknown, status: number): boolean =>
  error instanceof ServiceError && error.bare && error.status === status;
/** Returns the result, or undefined if the service says that the resource doesn't exist. */
export async function unlessGone<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Returns the message for the user, or undefined if it isn't fit for users. */
export const messageOf = (error: unknown): string | undefined => (isTypedError(error) ? error.message : undefined);
/** Returns the message for the user, or one that refers to the log. */
export const shownMessage = (error: unknown, l10n: L10n): string =>
  messageOf(error) ?? l10n.t('Internal error. See the log for details.');
