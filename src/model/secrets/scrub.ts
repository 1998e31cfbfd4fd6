/** Where a word begins in a line of JSON: also after a line break, which is written as a letter there. */
const start = String.raw`(?<=^|[^\w.-]|\\[bfnrt])`;

/**
 * What is known by its form, for the words of errors that others made: they repeat what they were given. A key's public
 * id stays, so that it can be told which key it was. A long number stays where it is all of a member's value, such as
 * the time. No form looks back or ahead without bound: whoever makes an error long must not make the log slow.
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
  [new RegExp(`(?<!"\\w{1,40}":)${start}\\d(?:[ -]?\\d){5,18}(?![\\w-]|\\.\\d)`, 'g'), '[redacted]'],
];

/** A line of a log without what has the form of a secret: keys, numbers, addresses of people. JSON stays JSON. */
export const scrub = (line: string): string =>
  secretForms.reduce((text, [form, instead]) => text.replace(form, instead), line);
