import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { instructions, tools } from '../../../src/service/http/toolList.ts';
import { editorRules, modelApis, refusals } from '../../support/modelApis.ts';
import { bareTools, toolSchema } from '../../support/toolSchemas.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
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

/** Returns the path of every part of an output, as `_meta` names it. */
function pathsIn(
  { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], $defs = {} }: Schema,
  path: string,
): string[] {
  return [
    path,
    ...Object.entries(properties).flatMap(([name, member]) => pathsIn(member, path === '' ? name : `${path}.${name}`)),
    ...Object.entries($defs).flatMap(([name, definition]) => pathsIn(definition, `$defs.${name}`)),
    ...(items ? pathsIn(items, `${path}[]`) : []),
    ...(typeof additionalProperties === 'object' ? pathsIn(additionalProperties, `${path}{}`) : []),
    ...[...anyOf, ...oneOf].flatMap((choice) => pathsIn(choice, path)),
  ];
}

const all = tools.flatMap(({ name, inputSchema }) => argumentsIn(inputSchema as Schema, name));

describe('the list of tools', () => {
  it('fits into 40 kB', () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    assert.ok(bytes < 40_000, `${String(bytes)} bytes`);
  });

  it('fits, text by text, into the 2048 characters that Claude Code shows', () => {
    for (const text of [instructions, ...tools.flatMap(({ title = '', description = '' }) => [title, description])])
      assert.ok(text.length > 0 && text.length <= 2048, text);
  });

  it('describes every argument once: a later one of the same name means the same, or needs no words', () => {
    assert.ok(all.length > 150);
    const described = new Set<string>();
    const nameOf = (way: string): string => way.split('.').at(-1) ?? way;
    for (const { way, schema } of all) if (schema.description !== undefined) described.add(nameOf(way));
    const plain = ['type', 'outcome', 'runType', 'groupBy', 'sort', 'tag', 'status'];
    assert.deepEqual(
      all.map(({ way }) => nameOf(way)).filter((name) => !described.has(name) && !plain.includes(name)),
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
      if (tool && !['planCalls', 'guideTestRun'].includes(name)) walk(input, name);
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
    ])
      assert.notEqual(advertised.get(way), undefined, way);
    assert.deepEqual(
      all
        .filter(({ schema }) => schema.default === undefined && /\bdefault:? [\d"]/i.test(schema.description ?? ''))
        .map(({ way }) => way),
      [],
    );
  });

  it('describes the arguments of a tool once: other tools that take them name it', () => {
    const said = JSON.stringify(tools.map(({ inputSchema }) => inputSchema));
    const named = [...said.matchAll(/"JSON as text: arguments of (\w+)"/g)];
    assert.ok(named.length > 5);
    for (const [, name] of named)
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
  });

  it('has an answer to each question of a user, and each tool answers one', async () => {
    const text = await readFile(new URL('../../fixtures/toolQuestions.json', import.meta.url), 'utf8');
    const { questions, onlyForPrograms } = JSON.parse(text) as {
      /** The tools that are right, by the question. */
      readonly questions: Readonly<Record<string, readonly string[]>>;
      /** Why no user asks for the tool, by its name. */
      readonly onlyForPrograms: Readonly<Record<string, string>>;
    };
    assert.ok(Object.keys(questions).length >= 40);
    const named = new Set([...Object.values(questions).flat(), ...Object.keys(onlyForPrograms)]);
    assert.deepEqual([...named].sort(), tools.map(({ name }) => name).sort());
  });

  it('compiles in strict validators of both dialects, without any formats', () => {
    const refused = tools.flatMap(({ name, inputSchema, outputSchema = {} }) =>
      Object.entries({ inputSchema, outputSchema }).flatMap(([kind, schema]) =>
        [Ajv, Ajv2020].flatMap((Validator) => {
          try {
            new Validator({ strict: true, strictRequired: true }).compile(schema);
            return [];
          } catch (error) {
            return [`${name}.${kind}: ${String(error)}`];
          }
        }),
      ),
    );
    assert.deepEqual(refused, []);
  });

  it('accepts errors as the output of every tool', () => {
    const body = { message: 'a', code: 'invalid_request', requestId: 'b', status: 400 };
    for (const { name, outputSchema = {} } of tools)
      assert.ok(new Ajv2020({ strict: true }).compile(outputSchema)(body), name);
  });

  for (const api of modelApis)
    it(`has only inputs that the API of ${api.name} accepts`, () =>
      assert.deepEqual(
        [
          ...tools.flatMap(({ name, inputSchema }) => refusals(api, name, inputSchema as Schema)),
          ...bareTools().flatMap((tool) => refusals(editorRules(api), tool.name, toolSchema(tool) as Schema)),
        ],
        [],
      ));

  it('names untrusted and secret texts under _meta, and each name is a path in the output', () => {
    const meta = new Map(tools.map(({ name, _meta = {} }) => [name, _meta]));
    assert.deepEqual(meta.get('getMapping'), { 'dialtree/untrusted': ['name', 'config', 'currentRun', 'warnings'] });
    assert.deepEqual(meta.get('registerWorkspace'), { 'dialtree/secret': ['apiKey'] });
    for (const { name, outputSchema, _meta = {} } of tools) {
      const known = new Set(pathsIn(outputSchema as Schema, ''));
      for (const path of Object.values(_meta as Record<string, string[]>).flat())
        assert.ok(known.has(path), `${name} ${path}`);
    }
    const listed = tools.flatMap(({ _meta = {} }) => _meta['dialtree/untrusted'] ?? []);
    assert.ok(listed.length > 20);
  });

  it('explains the workflow: waiting, cost, consent and untrusted words', () => {
    for (const said of [
      /waitSeconds \(0 to 45\)/,
      /planCalls/,
      /402/,
      /budget/,
      /consent_required/,
      /never follow instructions/i,
      /_meta .* dialtree\/untrusted/,
    ])
      assert.match(instructions, said);
    for (const [name] of instructions.matchAll(/\b(?:get|start|run|plan|cancel)[A-Z]\w+/g))
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
  });
});
