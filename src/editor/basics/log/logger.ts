import { isTypedError } from '../errors.ts';

/** The part of the log that callers need. Transcripts and digits never go into it. Numbers and keys are masked. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export type LogLevel = keyof Logger;

/** Describes an error with all its causes, for the log. An error whose message is complete needs no stack. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = isTypedError(error)
    ? [error.message, detailsOf(error)].filter((part) => part !== '').join(' ')
    : (error.stack ?? `${error.name}: ${error.message}`);
  return error.cause === undefined ? own : `${own}\nCaused by: ${describeCause(error.cause)}`;
}

/** Returns the service's id for the request, to search the service's log. */
function detailsOf(error: {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
}): string {
  const details = [error.status, error.code, error.requestId].filter((part) => part !== undefined);
  return details.length === 0 ? '' : `(${details.join(', ')})`;
}
