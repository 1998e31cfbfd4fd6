import { isRecord } from '../../base/isRecord.ts';
import * as z from 'zod';
import { errorBodySchema, type ErrorBody } from '../../contract/errors.ts';
import { untrustedKeyword } from '../../contract/untrusted.ts';
import { dataMark, mapTexts, markNotice, markQuotes, type DataMark } from '../../model/dataMark.ts';

export type Json = Readonly<Record<string, unknown>>;
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]).filter(isRecord);

/** Changes the texts of a value that its schema marks as untrusted. */
function mapUntrusted(schema: Json, value: unknown, change: (text: string) => string): unknown {
  const definitions = isRecord(schema['$defs']) ? schema['$defs'] : {};
  /** Returns a schema with all that it refers to and chooses between. A text that one of them marks is marked. */
  const withChoices = (one: Json): Json[] => [
    one,
    ...[
      ...(typeof one['$ref'] === 'string' ? objectsIn(definitions[one['$ref'].replace('#/$defs/', '')]) : []),
      ...objectsIn(one['anyOf']),
      ...objectsIn(one['oneOf']),
      ...objectsIn(one['allOf']),
    ].flatMap(withChoices),
  ];
  const memberSchemas = (schemas: readonly Json[], name: string): Json[] =>
    schemas.flatMap(({ properties, additionalProperties }) => {
      const known = isRecord(properties) ? properties[name] : undefined;
      return objectsIn(known ?? additionalProperties);
    });
  const read = (part: unknown, from: readonly Json[]): unknown => {
    const schemas = from.flatMap(withChoices);
    if (schemas.some((one) => one[untrustedKeyword] === true)) return mapTexts(part, change);
    if (Array.isArray(part))
      return part.map((item) =>
        read(
          item,
          schemas.flatMap(({ items }) => objectsIn(items)),
        ),
      );
    return isRecord(part)
      ? Object.fromEntries(
          Object.entries(part).map(([name, member]) => [name, read(member, memberSchemas(schemas, name))]),
        )
      : part;
  };
  return read(value, [schema]);
}

/** Returns the JSON of a result for a model: between marks, with a notice before it, if it has text from others. */
export function markedResult(schema: Json, value: unknown, nonce: string): string {
  const mark = dataMark(nonce);
  const text = JSON.stringify(value);
  const marked = JSON.stringify(mapUntrusted(schema, value, (part) => (part === '' ? part : mark.around(part))));
  return marked.includes(mark.opens) ? `${markNotice(mark)}\n${mark.around(text)}` : text;
}

/** Text of Dialtree, then text from others. */
export type Shown = readonly [ours: string, quoted?: string];

/** Returns both as one text, with marks around the text from others. Blank lines let Markdown in it begin. */
export function enclosedText([ours, quoted = '']: Shown, nonce: string): string {
  const mark = dataMark(nonce);
  return quoted === '' ? ours : `${ours}\n\n${markNotice(mark)}\n${mark.around(`\n\n${quoted}\n\n`)}`;
}

const errorSchema = z.toJSONSchema(errorBodySchema, { io: 'output' });

/** The same for an error, whose quotations are text from others. */
export function markedError(error: ErrorBody & { readonly status: number }, nonce: string): string {
  const mark = dataMark(nonce);
  const { message, details } = error;
  const quotes = new Set(error.quotes);
  const marked = mapTexts(details, (text) => (quotes.has(text) ? mark.around(text) : markQuotes(text, quotes, mark)));
  const value = {
    ...(mapUntrusted(errorSchema, error, mark.around) as Json),
    message: markQuotes(message, quotes, mark),
    ...(details !== undefined && { details: marked }),
  };
  return noticed(value, mark);
}

/** Returns a value as valid JSON, with marks around each text from others. */
export const markedJson = (schema: Json, value: unknown, nonce: string): string =>
  noticed(
    mapUntrusted(schema, value, (part) => (part === '' ? part : dataMark(nonce).around(part))),
    dataMark(nonce),
  );

function noticed(value: unknown, mark: DataMark): string {
  const text = JSON.stringify(value);
  return text.includes(mark.opens) ? JSON.stringify({ untrusted: markNotice(mark), ...(value as Json) }) : text;
}
