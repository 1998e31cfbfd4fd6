import * as z from 'zod';

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
/** Zod reports "number" for both. */
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

/** If one property selects the form, zod lists its possible values. */
function unionWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { options } = issue as { readonly options?: unknown };
  return Array.isArray(options)
    ? `Give ${listed(options)}.`
    : "This value doesn't match any of the allowed forms. GET /v1/openapi.json shows them.";
}

/**
 * Parses the arguments of an operation. Programs often fill unset properties with null or empty text, so the error says
 * to leave out an optional one.
 * @throws ZodError in sentences for people
 */
export function parseArguments(input: z.ZodType, given: unknown): unknown {
  const parsed = input.safeParse(given, { error: issueWords });
  if (parsed.success) return parsed.data;
  throw new z.ZodRealError(
    parsed.error.issues.map((issue) => {
      const value = valueAt(given, issue.path);
      const empty = value === null || value === '';
      return empty && isOptionalAt(input, issue.path)
        ? { ...issue, message: `${issue.message} If you have no value for it, leave it out.` }
        : issue;
    }),
  );
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], given);

/** Returns true if the property at this path is optional, in objects and lists, whichever form an entry has. */
function isOptionalAt(schema: z.core.$ZodType, [key, ...rest]: readonly PropertyKey[]): boolean {
  if (key === undefined) return schema._zod.optin !== undefined;
  const inner = innerOf(schema);
  const members = [inner].flatMap((one) => (one instanceof z.ZodUnion ? one.options.map(innerOf) : [one]));
  return members.some((one) => {
    if (one instanceof z.ZodArray) return typeof key === 'number' && rest.length > 0 && isOptionalAt(one.element, rest);
    const member = one instanceof z.ZodObject ? (one.shape as z.core.$ZodShape)[String(key)] : undefined;
    return member !== undefined && isOptionalAt(member, rest);
  });
}

/** Returns the schema without its optional and default wrappers. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return innerOf(schema.def.innerType);
  return schema instanceof z.ZodPipe ? innerOf(schema.def.out) : schema;
}

/** Describes what is wrong with an argument, if its schema has no message. */
const issueWords: z.core.$ZodErrorMap = (issue) => {
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
