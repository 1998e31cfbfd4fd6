/** The beginning of a word in a line of JSON, also after a line break, which is written as a letter there. */
const start = String.raw`(?<=^|[^\w.-]|\\[bfnrt])`;

/**
 * The line or column of a stack frame, in a large bundle up to seven digits: `at main (…/cli.js:123456:29)`. The rest of
 * the frame must be there, so that a number after any other colon counts as a secret.
 */
const position = String.raw`(?<=\bat [^"\r\n]{1,400}[jt]s:(?:\d{1,7}:)?)\d{1,7}(?:(?<=:\d+:\d+)|:\d{1,7})(?=[)"]|\\n|$)`;

/**
 * Secrets that are recognised by their form, for error messages from other code, which repeat their input. A key's
 * public id stays, so that the key can be identified. A long number stays if it is the whole value of a property, such
 * as the time. No pattern looks back or ahead without a limit, because a long error message must not slow down the log.
 */
const secretForms: readonly (readonly [form: RegExp, instead: string])[] = [
  [/(dt_\w{8})_[\w~-]+/g, '$1_[redacted]'],
  [/(Bearer|Basic) +[^\s"\\]+/gi, '$1 [redacted]'],
  // Keys of language models.
  [/\b(sk-)[\w-]{8,}/g, '$1[redacted]'],
  [/(\$scrypt\$)[^\s"\\]+/g, '$1[redacted]'],
  [/(\/claim\/)[\w-]+/g, '$1[redacted]'],
  // Name and password before a host.
  [/((?:sips?|tel):|[a-z]{1,20}:\/\/)[^\s"\\@/<>]{1,400}@/gi, '$1[redacted]@'],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,63}/gi, '[redacted]'],
  // 32 random bytes in base64url: tokens of sessions, claims and forms, and signatures.
  [new RegExp(`${start}[\\w-]{43}(?![\\w-])`, 'g'), '[redacted]'],
  [/\+\d[\d ().-]{4,24}\d/g, '[redacted]'],
  [new RegExp(`(?!${position})(?<!"\\w{1,40}":)${start}\\d(?:[ -]?\\d){5,18}(?![\\w-]|\\.\\d)`, 'g'), '[redacted]'],
];

/** Removes everything that looks like a secret from a log line: keys, numbers, addresses of people. JSON stays JSON. */
export const scrub = (line: string): string =>
  secretForms.reduce((text, [form, instead]) => text.replace(form, instead), line);
