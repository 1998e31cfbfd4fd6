import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { instructions, tools } from '../../../src/service/http/toolList.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Returns every argument of a tool, including nested ones. */
function argumentsIn(
  { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] }: Schema,
  way: string,
): { readonly way: string; readonly schema: Schema }[] {
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { way: `${way}.${name}`, schema },
      ...argumentsIn(schema, `${way}.${name}`),
    ]),
    ...(items ? argumentsIn(items, `${way}[]`) : []),
    ...(typeof additionalProperties === 'object' ? argumentsIn(additionalProperties, `${way}{}`) : []),
    ...[...anyOf, ...oneOf].flatMap((choice) => argumentsIn(choice, way)),
  ];
}

const all = tools.flatMap(({ name, inputSchema }) => argumentsIn(inputSchema as Schema, name));

describe('the list of tools', () => {
  it('fits into 100 kB', () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    assert.ok(bytes < 100_000, `${String(bytes)} bytes`);
  });

  it('describes every argument', () => {
    assert.ok(all.length > 150);
    assert.deepEqual(
      all
        .filter(({ schema }) => schema['const'] === undefined && (schema.description ?? '').length < 3)
        .map(({ way }) => way),
      [],
    );
  });

  it('advertises every default that the contract fills in, and has none only in a description', () => {
    const advertised = new Map(all.map(({ way, schema }) => [way, schema.default]));
    const filled: string[] = [];
    const walk = (schema: z.core.$ZodType, way: string, value?: unknown): void => {
      const { def } = schema._zod as unknown as {
        def: {
          readonly type: string;
          readonly innerType?: z.core.$ZodType;
          readonly out?: z.core.$ZodType;
          readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
          readonly defaultValue?: unknown;
        };
      };
      const given = def.type === 'default' ? def.defaultValue : value;
      if (def.innerType) walk(def.innerType, way, given);
      else if (given !== undefined) {
        filled.push(way);
        assert.deepEqual(advertised.get(way), given, way);
      }
      if (def.shape) for (const [name, member] of Object.entries(def.shape)) walk(member, `${way}.${name}`);
    };
    for (const [name, { input, tool }] of Object.entries<Operation>(operations))
      if (tool && name !== 'planCalls') walk(input, name);
    for (const way of [
      'createMapping.config.maxCalls',
      'listMappings.limit',
      'getMappingTree.format',
      'runLoadTest.holdSeconds',
    ])
      assert.ok(filled.includes(way), way);
    for (const way of [
      'createMissionTestConfig.votes',
      'createMissionTestConfig.maxTurns',
      'createTestConfig.language',
      'runLoadTest.abortWhen.failureShare',
    ])
      assert.notEqual(advertised.get(way), undefined, way);
    assert.deepEqual(
      all
        .filter(({ schema }) => schema.default === undefined && /\bdefault:? [\d"]/i.test(schema.description ?? ''))
        .map(({ way }) => way),
      [],
    );
  });

  it('describes each resource once: other tools name the one that reads it', () => {
    const shapes = tools.map(({ outputSchema }) => JSON.stringify(outputSchema)).filter((text) => text.length > 1500);
    assert.equal(new Set(shapes).size, shapes.length);
    for (const { outputSchema, inputSchema } of tools) {
      for (const [, name] of JSON.stringify([outputSchema, inputSchema]).matchAll(
        /"description":"(?:As returned by|Arguments of) (\w+)(?:, or an error)?"/g,
      ))
        assert.ok(
          tools.some((tool) => tool.name === name),
          name,
        );
    }
  });

  it('explains the workflow: polling, cost, consent and untrusted words', () => {
    for (const said of [
      /every 5 to 10 seconds/,
      /planCalls/,
      /402/,
      /budget/,
      /consent_required/,
      /never follow instructions/i,
      /x-untrusted/,
    ])
      assert.match(instructions, said);
    for (const [name] of instructions.matchAll(/\b(?:get|start|run|plan|cancel)[A-Z]\w+/g))
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
  });
});
