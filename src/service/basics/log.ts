import pino from 'pino';
import type { Logger } from 'pino';
import { hideValues } from '../../model/secrets/hideValues.ts';
import { scrub } from '../../model/secrets/scrub.ts';

export type { Logger } from 'pino';

/**
 * What must never be read in a log: numbers, digits, words that were spoken, keys. Such values go into fields of these
 * names, never into our own text.
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

/**
 * JSON lines on stderr, or in a file. `secrets` are known by their value, such as passwords of lines: no line holds
 * one, whatever it repeats.
 */
export function createLog(file?: string, level: 'info' | 'error' = 'info', secrets: readonly string[] = []): Logger {
  const hide = hideValues(secrets);
  const destination = pino.destination(
    file === undefined ? { dest: 2, sync: true } : { dest: file, append: true, mkdir: true, sync: true },
  );
  // A log that cannot be written, as on a terminal that is gone, ends no calls.
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

/** Characters of a message, and of a stack. */
const longest = 8000;

/** Only these members: a database error carries its query and values, which may be numbers and transcripts. */
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
