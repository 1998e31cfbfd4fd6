/** The part of JSON Schema (draft 2020-12) that zod writes for the contract. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly readOnly?: boolean;
  readonly description?: string;
  readonly default?: unknown;
}

/** Types with another name in TypeScript. */
const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns a schema as the text of a TypeScript type. `nameOf` returns the name of a referenced definition. */
export function typeText(schema: JsonSchema, nameOf: (definition: string) => string, indent = ''): string {
  const part = (one: JsonSchema): string => typeText(one, nameOf, indent);
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/$defs/', ''));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map(part).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${part(one)})`).join(' & ');
  if (schema.type === 'array')
    return `${schema.readOnly === true ? 'ReadonlyArray' : 'Array'}<${schema.items ? part(schema.items) : 'unknown'}>`;
  if (schema.type === 'object') return objectText(schema, nameOf, indent);
  if (schema.type !== undefined)
    return [schema.type]
      .flat()
      .map((type) => simple[type] ?? unreadable(schema))
      .join(' | ');
  // An empty schema allows everything. A schema with an unknown keyword would get a wrong type.
  return Object.keys(schema).every((key) => key === 'description' || key === 'default')
    ? 'unknown'
    : unreadable(schema);
}

function objectText(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  nameOf: (definition: string) => string,
  indent: string,
): string {
  const members = Object.entries(properties);
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeText(additionalProperties, nameOf, indent)}>`;
  if (members.length === 0) return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const text = typeText(member, nameOf, inner);
    // An optional property can also be undefined, whatever the reader's exactOptionalPropertyTypes.
    return `${docText(member, inner)}${inner}${name}${required.includes(name) ? `: ${text}` : `?: ${text} | undefined`};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Returns the comment above a property or type: its schema's description. */
export function docText({ description, default: byDefault }: JsonSchema, indent = ''): string {
  const words = [description, byDefault !== undefined && `Default: ${JSON.stringify(byDefault)}`].filter(
    (word) => typeof word === 'string',
  );
  return words.length === 0 ? '' : `${indent}/** ${words.join('. ').replaceAll('*/', '*\\/')} */\n`;
}

const unreadable = (schema: JsonSchema): never => {
  throw new Error(`Can't convert this JSON Schema to a TypeScript type: ${JSON.stringify(schema).slice(0, 300)}.`);
};
