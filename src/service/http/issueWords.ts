import * as z from 'zod';
import { limits } from '../../contract/limits.ts';
import { withoutMarks } from '../../model/dataMark.ts';
import { parseJson } from './body.ts';

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

const quoted = (name: string): string => `“${name}”`;
/** A name that isn't in the contract can be anything, of any length. */
const shownNames = (names: readonly string[]): string[] => names.slice(0, 5).map((name) => name.slice(0, 60));

/** Returns where and what an issue is, and the names that the sender chose, which are data to the reader. */
export function issueInWords(issue: z.core.$ZodIssue): {
  readonly path: string;
  readonly message: string;
  readonly quotes: readonly string[];
} {
  const path = issue.path.map(String).join('.');
  const names = issue.code === 'unrecognized_keys' ? shownNames(issue.keys) : [];
  if (/^[a-z\d.]*$/i.test(path)) return { path, message: issue.message, quotes: names };
  const [shownPath = ''] = shownNames([path]);
  return { path: shownPath, message: issue.message, quotes: [shownPath, ...names] };
}

/**
 * Parses the arguments of an operation. Programs fill unset properties with null, because the strict mode of some models
 * demands every property, so null leaves out an optional argument unless its schema accepts null. Programs also send
 * objects, lists, numbers and truth values as text; these are read.
 * @throws ZodError in sentences for people; HumanError if text is JSON that is nested too deeply
 */
export function parseArguments(input: z.ZodType, given: unknown): unknown {
  let parsed = input.safeParse(given, { error: issueWords });
  if (parsed.success) return parsed.data;
  const repaired = structuredClone({ given });
  while (!parsed.success && parsed.error.issues.filter((issue) => repair(input, repaired, issue)).length > 0)
    parsed = input.safeParse(repaired.given, { error: issueWords });
  if (parsed.success) return parsed.data;
  throw new z.ZodRealError(
    parsed.error.issues.map((issue, index) => {
      if (index >= limits.problems.details) return issue;
      const value = valueAt(repaired.given, issue.path);
      if (typeof value === 'string' && isStructure(issue))
        return { ...issue, message: `${issue.message} A string was sent that isn't the JSON of one.` };
      return value === '' && isOptionalAt(input, issue.path)
        ? { ...issue, message: `${issue.message} If you have no value for it, leave it out.` }
        : issue;
    }),
  );
}

const structures: readonly string[] = ['object', 'record', 'array'];
const isStructure = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && structures.includes(issue.expected);

/** Changes the value that an issue is about, if it says what it means. Returns true if it did. */
function repair(input: z.ZodType, arguments_: { given: unknown }, issue: z.core.$ZodIssue): boolean {
  if (!['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) return false;
  const parent = valueAt(arguments_, ['given', ...issue.path].slice(0, -1));
  const name = issue.path.at(-1) ?? 'given';
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return false;
  const value: unknown = Reflect.get(parent, name);
  if (value === null && name !== 'given' && isOptionalAt(input, issue.path))
    return Reflect.deleteProperty(parent, name);
  const read = typeof value === 'string' && issue.code === 'invalid_type' ? readAs(issue.expected, value) : undefined;
  // Not an assignment, because a member can be called __proto__.
  return (
    read !== undefined &&
    Reflect.defineProperty(parent, name, { value: read, enumerable: true, writable: true, configurable: true })
  );
}

/** Returns what text says as a value of another type, or undefined if it doesn't say one. */
function readAs(expected: string, text: string): unknown {
  switch (expected) {
    case 'number':
    case 'int':
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'object':
    case 'record':
    case 'array': {
      const value = readStructure(text);
      return (expected === 'array') === Array.isArray(value) ? value : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the object or list that a text is the JSON of, without marks of an earlier answer; undefined if it's none.
 * @throws HumanError if it is nested too deeply
 */
export function readStructure(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return withoutMarks(parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
      return issue.input === undefined
        ? `This is missing. Give ${kindOf(issue)}.`
        : `Give ${kindOf(issue)} here${structures.includes(issue.expected) ? ', or its JSON as text' : ''}.`;
    case 'too_small':
    case 'too_big':
      return sizeWords(issue);
    case 'invalid_format':
      return forms[issue.format] ?? 'This value has the wrong format. GET /v1/openapi.json shows the right one.';
    case 'invalid_value':
      return `${issue.input === undefined ? 'This is missing. ' : ''}Give ${listed(issue.values)}.`;
    case 'unrecognized_keys':
      return `Unknown member: ${shownNames(issue.keys).map(quoted).join(', ')}. Leave it out, or correct its name.`;
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
