import { isTypedError } from '../errors.ts';

/** What is needed of the log. Transcripts and digits never go into it; numbers and keys are masked on the way. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export type LogLevel = keyof Logger;

/**
 * An error with all its causes, for the log. Of one whose message says it all, where it was thrown says nothing more.
 */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = isTypedError(error)
    ? [error.message, detailsOf(error)].filter((part) => part !== '').join(' ')
    : (error.stack ?? `${error.name}: ${error.message}`);
  return error.cause === undefined ? own : `${own}\nCaused by: ${describeCause(error.cause)}`;
}

/** How the service names it, by which its own log can be searched. */
function detailsOf(error: {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
}): string {
  const details = [error.status, error.code, error.requestId].filter((part) => part !== undefined);
  return details.length === 0 ? '' : `(${details.join(', ')})`;
}
