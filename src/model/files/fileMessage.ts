import type * as z from 'zod';
import { didYouMean } from './didYouMean.ts';

const expected: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
};
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

const countOf = (count: number | bigint, origin: string): string =>
  `${String(count)}${units[origin]?.[count === 1 ? 0 : 1] ?? ''}`;
const isNumber = (origin: string): boolean => !(origin in units);
const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** Returns what is wrong with a value of a file, for its author. Schemas with their own message keep it. */
export function fileMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `"${String(issue.path?.at(-1) ?? '')}" is missing.`;
      return `This is ${kindOf(issue.input)}, but must be ${expected[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.minimum === 1 && !isNumber(issue.origin)
        ? 'This is empty. Fill it in.'
        : `This is too ${isNumber(issue.origin) ? 'small' : 'short'}. The minimum is ${countOf(issue.minimum, issue.origin)}.`;
    case 'too_big':
      return `This is too ${isNumber(issue.origin) ? 'large' : 'long'}. The maximum is ${countOf(issue.maximum, issue.origin)}.`;
    case 'invalid_format':
      if (issue.format === 'uuid') return "This isn't a UUID, such as 7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c.";
      return issue.pattern === undefined ? undefined : `This doesn't match ${issue.pattern}.`;
    case 'invalid_value':
      return `This must be one of ${quoted(issue.values)}.${suggestion(issue.input, issue.values)}`;
    case 'invalid_key':
      return `"${String(issue.path?.at(-1) ?? '')}" can't be a name here. Use 1 to 40 letters, digits and underscores.`;
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return undefined;
  }
}

function unionMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { discriminator, options, input } = issue as { discriminator?: string; options?: unknown; input?: unknown };
  if (discriminator === undefined || !Array.isArray(options)) return undefined;
  const actualValue: unknown =
    typeof input === 'object' && input !== null
      ? (input as Readonly<Record<string, unknown>>)[discriminator]
      : undefined;
  return actualValue === undefined
    ? `"${discriminator}" is missing. Give one of ${quoted(options)}.`
    : `This must be one of ${quoted(options)}.${suggestion(actualValue, options)}`;
}

function suggestion(given: unknown, known: readonly unknown[]): string {
  const near =
    typeof given === 'string'
      ? didYouMean(
          given,
          known.filter((name) => typeof name === 'string'),
        )
      : undefined;
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}
