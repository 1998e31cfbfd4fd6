interface Given {
  readonly linePasswords?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string | undefined;
}

/** Returns the values of the environment and the options that must not appear in a log. */
export function secretValues(
  environment: Readonly<Record<string, string | undefined>>,
  { linePasswords = {}, databaseUrl }: Given = {},
): readonly string[] {
  const named = ['DIALTREE_MODEL_KEY', 'DIALTREE_API_KEY', 'DIALTREE_TWILIO_AUTH_TOKEN'].map(
    (name) => environment[name],
  );
  const inAddresses = [databaseUrl, environment['DIALTREE_SMTP_URL']]
    .map(passwordOf)
    .flatMap((password) => [password, decoded(password)]);
  return [...named, ...Object.values(linePasswords), ...inAddresses].filter(
    (value): value is string => value !== undefined && value !== '',
  );
}

const passwordOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).password : '';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
