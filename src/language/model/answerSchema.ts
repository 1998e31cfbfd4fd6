import * as z from 'zod';

/** A JSON Schema that strict endpoints take. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** Strict endpoints refuse a schema with these; zod checks them when the answer is here. */
const unsupported = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'default',
]);

/**
 * What an endpoint is given to shape the answer by. The bounds that it leaves out stand in the schema that the question
 * shows.
 */
export const wireSchema = (schema: z.ZodType): AnswerSchema => strip(z.toJSONSchema(schema)) as AnswerSchema;

/** The whole schema, as shown to the model in words. */
export const shownSchema = (schema: z.ZodType): string => {
  const { $schema: _, ...shown } = z.toJSONSchema(schema);
  return JSON.stringify(shown);
};

function strip(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item));
  if (typeof value !== 'object' || value === null) return value;
  // Below `properties` the keys are names of ours, not words of JSON Schema.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !unsupported.has(key))
      .map(([key, inner]) => [
        key,
        key === 'const' || key === 'enum' ? inner : strip(inner, !named && key === 'properties'),
      ]),
  );
}
