import { inspect } from 'node:util';

const look = { depth: 2, breakLength: Infinity, maxStringLength: 120, maxArrayLength: 10 };

/** What failed, in one line: the first that the error says, and what was compared. */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, look);
  const [said = ''] = error.message.split('\n', 1);
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  // Messages that somebody wrote for one assertion are one line, and say it better.
  return actual === undefined || !error.message.includes('\n')
    ? said
    : `${said} ${valueOf(actual)} instead of ${valueOf(expected)}`;
}

/** Mocha's reporters make texts of values before they tell of them. */
const valueOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').slice(0, 120) : inspect(value, look);
