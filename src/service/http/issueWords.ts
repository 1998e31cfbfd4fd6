import type * as z from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a time',
  null: 'null',
};
const forms: Readonly<Record<string, string>> = {
  uuid: 'Give an id (a UUID), such as 3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90.',
  datetime: 'Give a time in ISO 8601 with its time zone, such as 2026-11-21T09:00:00Z.',
  date: 'Give a day in ISO 8601, such as 2026-11-21.',
  url: 'Give an address, such as https://example.com/.',
};
const listed = (values: readonly unknown[]): string =>
  values.length === 1 && typeof values[0] === 'string'
    ? `“${values[0]}”`
    : `${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
/** Zod says of both that a number is expected. */
const kindOf = ({ expected, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string =>
  kinds[
    expected === 'number' && (inst?._zod.def as { readonly format?: string } | undefined)?.format === 'safeint'
      ? 'int'
      : expected
  ] ?? 'a value of another type';
const counted = (count: number | bigint, one: string, many: string): string =>
  `${String(count)} ${count === 1 || count === 1n ? one : many}`;

type Size = z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>;

function sizeWords(issue: Size): string {
  const [bound, most] = issue.code === 'too_small' ? [issue.minimum, false] : [issue.maximum, true];
  const inclusive = issue.inclusive !== false;
  switch (issue.origin) {
    case 'string':
      return most
        ? `Give up to ${counted(bound, 'character', 'characters')}.`
        : bound === 1
          ? 'This is empty. Write something.'
          : `Give at least ${counted(bound, 'character', 'characters')}.`;
    case 'array':
    case 'set':
      return most
        ? `Give up to ${counted(bound, 'entry', 'entries')}.`
        : `Give at least ${counted(bound, 'entry', 'entries')}.`;
    default:
      return most
        ? `Give ${inclusive ? 'up to' : 'less than'} ${String(bound)}.`
        : `Give ${inclusive ? 'at least' : 'more than'} ${String(bound)}.`;
  }
}

/** Where one member says which form is meant, zod names the values that it may have. */
function unionWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { options } = issue as { readonly options?: unknown };
  return Array.isArray(options)
    ? `Give ${listed(options)}.`
    : "This value doesn't match any of the allowed forms. GET /v1/openapi.json shows them.";
}

/** What is wrong with an argument, as a sentence for people, where its schema has none of its own. */
export const issueWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `This is missing. Give ${kindOf(issue)}.` : `Give ${kindOf(issue)} here.`;
    case 'too_small':
    case 'too_big':
      return sizeWords(issue);
    case 'invalid_format':
      return forms[issue.format] ?? 'This value has the wrong format. GET /v1/openapi.json shows the right one.';
    case 'invalid_value':
      return `${issue.input === undefined ? 'This is missing. ' : ''}Give ${listed(issue.values)}.`;
    case 'unrecognized_keys':
      return `Unknown member: ${issue.keys.join(', ')}. Leave it out, or correct its name.`;
    case 'invalid_union':
      return unionWords(issue);
    case 'invalid_key':
      return 'A member name in this object has the wrong format. GET /v1/openapi.json shows the right one.';
    case 'not_multiple_of':
      return `Give a multiple of ${String(issue.divisor)}.`;
    default:
      return "This value isn't allowed here. GET /v1/openapi.json shows the allowed values.";
  }
};
