import { inspect } from 'node:util';

const look = { depth: 2, breakLength: Infinity, maxStringLength: 120, maxArrayLength: 10 };

/** Returns a failure in one line: the first line of the error, and the compared values. */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, look);
  const [said = ''] = error.message.split('\n', 1);
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  // A message written for one assertion is one line, and says it better.
  return actual === undefined || !error.message.includes('\n')
    ? said
    : `${said} ${valueOf(actual)} instead of ${valueOf(expected)}`;
}

/** Mocha's reporters replace values by texts before they report them. */
const valueOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').slice(0, 120) : inspect(value, look);
