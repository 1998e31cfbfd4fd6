import pino from 'pino';
import type { Logger } from 'pino';
import { hideValues } from '../../model/secrets/hideValues.ts';
import { scrub } from '../../model/secrets/scrub.ts';

export type { Logger } from 'pino';

/**
 * Values that must never be readable in a log: numbers, digits, spoken words, keys. They go into fields with these
 * names, never into text.
 */
const secretFields = [
  'phoneNumber',
  'target',
  'digit',
  'digits',
  'transcript',
  'text',
  'phrase',
  'apiKey',
  'key',
  'authorization',
  'url',
  'routes',
  'email',
  'password',
  'passwords',
  'credentials',
  'lines',
  'user',
  'token',
  'cookie',
  'csrf',
];

/** Logs JSON lines to stderr or a file. `secrets`: known values, such as passwords of lines, to remove from each. */
export function createLog(file?: string, level: 'info' | 'error' = 'info', secrets: readonly string[] = []): Logger {
  const hide = hideValues(secrets);
  const destination = pino.destination(
    file === undefined ? { dest: 2, sync: true } : { dest: file, append: true, mkdir: true, sync: true },
  );
  // A log that can't be written, such as on a closed terminal, must not end calls.
  destination.on('error', () => undefined);
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => scrub(hide(line)) },
    },
    destination,
  );
}

export const silentLog: Logger = pino({ enabled: false });

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/** Maximum characters of a message, and of a stack. */
const longest = 8000;

/** Only these properties, because a database error contains its query and values: numbers, transcripts. */
function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, longest) };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.constructor.name,
    message: error.message.slice(0, longest),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack.slice(0, longest) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
