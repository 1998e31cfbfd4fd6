/** What is needed of the log. Transcripts and digits never go into it; numbers and keys are masked on the way. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** An error with all its causes, for the log. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\nCaused by: ${describeCause(error.cause)}`;
}
