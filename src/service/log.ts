import pino from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

/** What must never be read in a log: numbers, digits, words that were spoken, keys. Such values go into fields of these names, never into our own text. */
const secretFields = ['phoneNumber', 'target', 'digit', 'digits', 'transcript', 'text', 'phrase', 'apiKey', 'key', 'authorization', 'url', 'routes', 'email', 'password', 'token', 'cookie', 'csrf'];

/** Where a word begins in a line of JSON: also after a line break, which is written as a letter there. */
const start = String.raw`(?<=^|[^\w.-]|\\[bfnrt])`;

/**
 * What is known by its form, for the words of errors that others made: they repeat what they were given. A key's public id stays, so that it can
 * be told which key it was. A long number stays where it is all of a member's value, such as the time. No form looks back or ahead without
 * bound: whoever makes an error long must not make the log slow.
 */
const secretForms: readonly (readonly [form: RegExp, instead: string])[] = [
  [/(dt_\w{8})_[\w~-]+/g, '$1_[redacted]'],
  [/(Bearer|Basic) +[^\s"\\]+/gi, '$1 [redacted]'],
  [/(\$scrypt\$)[^\s"\\]+/g, '$1[redacted]'],
  [/(\/claim\/)[\w-]+/g, '$1[redacted]'],
  // Name and password before a host.
  [/((?:sips?|tel):|[a-z]{1,20}:\/\/)[^\s"\\@/<>]{1,400}@/gi, '$1[redacted]@'],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,63}/gi, '[redacted]'],
  // 32 random bytes in base64url: tokens of sessions, claims and forms, and signatures.
  [new RegExp(`${start}[\\w-]{43}(?![\\w-])`, 'g'), '[redacted]'],
  [/\+\d[\d ().-]{4,24}\d/g, '[redacted]'],
  [new RegExp(`(?<!"\\w{1,40}":)${start}\\d(?:[ -]?\\d){5,18}(?![\\w-]|\\.\\d)`, 'g'), '[redacted]'],
];

/** A line without what has the form of a secret; JSON stays JSON. */
export const scrub = (line: string): string => secretForms.reduce((text, [form, instead]) => text.replace(form, instead), line);

/** JSON lines on stderr, or in a file. */
export function createLog(file?: string, level: 'info' | 'error' = 'info'): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { err: describeError },
    hooks: { streamWrite: scrub },
  }, pino.destination(file === undefined ? { dest: 2, sync: true } : { dest: file, append: true, mkdir: true, sync: true }));
}

export const silentLog: Logger = pino({ enabled: false });

interface DescribedError { readonly type: string; readonly message: string; readonly code?: string; readonly stack?: string; readonly cause?: DescribedError }

/** Characters of a message, and of a stack. */
const longest = 8000;

/** Only these members: a database error carries its query and values, which may be numbers and transcripts. */
function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, longest) };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.constructor.name, message: error.message.slice(0, longest),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack.slice(0, longest) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
