import { isRecord } from '../../src/base/isRecord.ts';

type Schema = Readonly<Record<string, unknown>>;
const schemasOf = (value: unknown): Schema[] => (Array.isArray(value) ? value : []).filter(isRecord);

/**
 * Returns a tool's schema as clients change it for OpenAI's strict mode, or undefined if it has members of any name,
 * which this mode doesn't have. As openai-agents does it: every member is required, and nullable if it was optional.
 */
export function strictSchema(schema: Schema): Schema | undefined {
  const { default: _default, properties, required = [], items, anyOf, additionalProperties, ...rest } = schema;
  if (isRecord(additionalProperties) || (rest['type'] === 'object' && !isRecord(properties))) return undefined;
  const inner = isRecord(items) ? strictSchema(items) : undefined;
  const choices = schemasOf(anyOf).map(strictSchema);
  const members = Object.entries(isRecord(properties) ? properties : {}).map(([name, member]) => {
    const strict = isRecord(member) ? strictSchema(member) : undefined;
    const isRequired = (required as readonly string[]).includes(name);
    return [name, strict && !isRequired ? { anyOf: [strict, { type: 'null' }] } : strict] as const;
  });
  if ((isRecord(items) && !inner) || choices.includes(undefined) || members.some(([, member]) => !member))
    return undefined;
  return {
    ...rest,
    ...(inner && { items: inner }),
    ...(choices.length > 0 && { anyOf: choices }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(members),
      required: Object.keys(properties),
      additionalProperties: false,
    }),
  };
}

/** Returns arguments as a model in strict mode gives them: null for every member that isn't given. */
export function strictArguments(schema: Schema, given: unknown): unknown {
  const { properties, items } = schema;
  if (Array.isArray(given) && isRecord(items)) return given.map((entry) => strictArguments(items, entry));
  if (!isRecord(given) || !isRecord(properties)) return given;
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      isRecord(member) && name in given ? strictArguments(member, given[name]) : null,
    ]),
  );
}
