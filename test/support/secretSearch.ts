/** Ways in which a secret stands in a text. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

/**
 * Which of these secrets a text tells. Digits count only where they are a number of their own, in groups or not: ids
 * hold any.
 */
export function tellsOf(text: string, secrets: Iterable<string>): string[] {
  return [...new Set(secrets)].filter((secret) =>
    formsOf(secret).some((form) =>
      /^\d+$/.test(form)
        ? new RegExp(`(?<![\\w.-]|"\\w+":)${[...form].join('[ -]?')}(?![\\w-])`).test(text)
        : text.includes(form),
    ),
  );
}
