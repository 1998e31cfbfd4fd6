/** Returns the forms that a secret can have in a text. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

/**
 * Returns the secrets that a text contains. Digits count only as a whole number, grouped or not, because IDs contain
 * any digits.
 */
export function revealedSecrets(text: string, secrets: Iterable<string>): string[] {
  return [...new Set(secrets)].filter((secret) =>
    formsOf(secret).some((form) =>
      /^\d+$/.test(form)
        ? new RegExp(`(?<![\\w.-]|"\\w+":)${[...form].join('[ -]?')}(?![\\w-])`).test(text)
        : text.includes(form),
    ),
  );
}
