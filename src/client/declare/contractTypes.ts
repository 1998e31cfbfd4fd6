import * as z from 'zod';
import { errorBodySchema } from '../../contract/errors.ts';
import { workspaceEventSchema } from '../../contract/events.ts';
import type { Operation } from '../../contract/operation.ts';
import { docText, typeText, type JsonSchema } from './typeText.ts';

type Direction = 'input' | 'output';
type Definitions = Map<string, JsonSchema>;

/** The contract's descriptions, and the names for types. */
class NamedSchemas extends z.core.$ZodRegistry<z.core.JSONSchemaMeta> {
  readonly #names: ReadonlyMap<unknown, string>;

  constructor(names: ReadonlyMap<unknown, string>) {
    super();
    this.#names = names;
  }

  override get<Schema extends z.core.$ZodType>(
    schema: Schema,
  ): z.core.$replace<z.core.JSONSchemaMeta, Schema> | undefined {
    const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
    const name = this.#names.get(schema);
    return { ...meta, ...(name !== undefined && { id: name }) };
  }
}

/**
 * Declares the types of every operation's input and output without zod, so that users of the client need no other
 * package: the contract's `mappingJobSchema` becomes `MappingJob`, and an input that differs from the output of the
 * same schema becomes `…Input`. Returns the text of a `.d.ts`.
 * @param modules the modules of the contract, whose exported names become the names of types
 */
export function contractTypes(
  modules: readonly Readonly<Record<string, unknown>>[],
  operations: Readonly<Record<string, Operation>>,
): string {
  const names = new Map(
    modules
      .flatMap((module) => Object.entries(module))
      .flatMap(([name, schema]): [unknown, string][] =>
        name.endsWith('Schema') && schema instanceof z.ZodType && isNameable(schema)
          ? [[schema, upperFirst(name.slice(0, -'Schema'.length))]]
          : [],
      ),
  );
  const metadata = new NamedSchemas(names);
  const definitions: Readonly<Record<Direction, Definitions>> = { input: new Map(), output: new Map() };

  /** Read inside a list, so that a schema with a name is referenced by that name. */
  const read = (schema: z.ZodType, io: Direction): JsonSchema => {
    const { $defs = {}, items } = z.toJSONSchema(z.array(schema), {
      io,
      metadata,
      unrepresentable: 'throw',
    }) as JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> };
    for (const [name, definition] of Object.entries($defs)) definitions[io].set(name, definition);
    return items ?? {};
  };
  const rows = Object.entries(operations).map(([name, { description, input, output }]) => ({
    name,
    description,
    input: read(input, 'input'),
    output: read(output, 'output'),
  }));
  read(workspaceEventSchema, 'output');
  read(errorBodySchema, 'output');

  const apart = namesApart(definitions);
  const asGiven = (name: string): string => (apart.has(name) ? `${name}Input` : name);
  const asAnswered = (name: string): string => name;
  const members = rows.map(
    ({ name, description, input, output }) =>
      `${docText({ description }, '  ')}  ${name}: { input: ${typeText(input, asGiven, '  ')}; output: ${typeText(output, asAnswered, '  ')} };\n`,
  );
  const declared = [
    ...[...definitions.output].map(([name, schema]) => declaration(name, schema, asAnswered)),
    ...[...definitions.input]
      .filter(([name]) => apart.has(name) || !definitions.output.has(name))
      .map(([name, schema]) => declaration(asGiven(name), schema, asGiven)),
  ];
  return [
    '// Generated from the contract by the build.\n',
    `/** The operations of the service, each with its input and its output. */\nexport interface Operations {\n${members.join('')}}`,
    'export type OperationName = keyof Operations;',
    "export type OperationInput<Name extends OperationName> = Operations[Name]['input'];",
    "export type OperationOutput<Name extends OperationName> = Operations[Name]['output'];\n",
    ...declared,
  ].join('\n');
}

const declaration = (name: string, schema: JsonSchema, nameOf: (definition: string) => string): string =>
  `${docText(schema)}export type ${name} = ${typeText(schema, nameOf)};\n`;

/** Strings and numbers are clearer as themselves. */
const isNameable = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodEnum || schema instanceof z.ZodUnion || schema instanceof z.ZodObject;

/**
 * Returns definitions that occur only in inputs, or differ from the output, such as those with defaults, and the
 * definitions that refer to them.
 */
function namesApart({ input, output }: Readonly<Record<Direction, Definitions>>): ReadonlySet<string> {
  const apart = new Set<string>();
  const inputNameOf = (name: string): string => (apart.has(name) ? `${name}Input` : name);
  for (let before = -1; before !== apart.size;) {
    before = apart.size;
    for (const [name, schema] of input) {
      const answered = output.get(name);
      const same = answered
        ? typeText(schema, inputNameOf) === typeText(answered, (other) => other)
        : schema.type !== 'object';
      if (!same) apart.add(name);
    }
  }
  return apart;
}

const upperFirst = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
