import * as z from 'zod';

/** A JSON Schema that strict endpoints accept. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** Strict endpoints refuse a schema with these; zod checks them when the answer arrives. */
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

/** Returns the schema for an endpoint. Limits that it omits are in the schema that the question shows. */
export const wireSchema = (schema: z.ZodType): AnswerSchema => strip(z.toJSONSchema(schema)) as AnswerSchema;

export const questionSchema = (schema: z.ZodType): string => {
  const { $schema: _, ...shown } = z.toJSONSchema(schema);
  return JSON.stringify(shown);
};

function strip(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item));
  if (typeof value !== 'object' || value === null) return value;
  // Below `properties`, the keys are property names, not keywords of JSON Schema.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !unsupported.has(key))
      .map(([key, inner]) => [
        key,
        key === 'const' || key === 'enum' ? inner : strip(inner, !named && key === 'properties'),
      ]),
  );
}
