import assert from 'node:assert/strict';
import * as z from 'zod';
import { errorBodySchema } from '../../../src/contract/errors.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { secretKeyword, untrustedKeyword } from '../../../src/contract/untrusted.ts';
import { listed } from '../../support/listed.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Returns every text of a schema with its path, except those inside a part that is marked as a whole. */
function textsOf(schema: Schema, way: string): { readonly way: string; readonly schema: Schema }[] {
  const { type, properties = {}, $defs = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  if (schema[untrustedKeyword] === true) return [{ way, schema }];
  return [
    ...(type === 'string' ? [{ way, schema }] : []),
    ...Object.entries({ ...properties, ...$defs }).flatMap(([name, member]) => textsOf(member, `${way}.${name}`)),
    ...(items ? textsOf(items, `${way}[]`) : []),
    ...(typeof additionalProperties === 'object' ? textsOf(additionalProperties, `${way}{}`) : []),
    ...[...anyOf, ...oneOf].flatMap((choice) => textsOf(choice, way)),
  ];
}

const hasForm = ({ enum: values, const: value, format, pattern }: Schema): boolean =>
  values !== undefined || value !== undefined || format !== undefined || pattern !== undefined;
const answers = [
  ...Object.entries<Operation>(operations).map(([name, { output }]) => ({ name, output })),
  { name: 'an error', output: errorBodySchema },
];

describe('texts in answers', () => {
  it('have a format, or are marked as ours, from a call, or from another person', () => {
    const undeclared = answers
      .flatMap(({ name, output }) => textsOf(z.toJSONSchema(output, { io: 'output' }) as Schema, name))
      .filter(({ schema }) => !hasForm(schema) && schema[untrustedKeyword] === undefined)
      .map(({ way }) => way);
    assert.deepEqual(undeclared, []);
  });

  it('count as untrusted if they come from a call, a name or a saved test', () => {
    const marked = new Set(
      answers
        .flatMap(({ name, output }) => textsOf(z.toJSONSchema(output, { io: 'output' }) as Schema, name))
        .filter(({ schema }) => schema[untrustedKeyword] === true)
        .map(({ way }) => way),
    );
    for (const way of listed(`
      getMapping.name | getMapping.currentRun.reason | getMappingTree.TreeNode.transcript |
      getMappingTree.TreeNode.label | getMappingTree.TreeNode.menuLabel | getMappingTree.TreeNode.voicePrompt |
      getMappingTree.TreeNode.spokenResponse | getMappingTree.TreeNode.options[].label |
      getMappingTree.TreeNode.phrases[] | getMappingTree.TreeNode.path | compareMappingRuns.changes[].sentence |
      getRunResults.transcript[].text | getRunResults.steps[].words[].word | getRunResults.steps[].name |
      getRunResults.row{} | getRunResults.hangUp.sentence | getMissionTestRun.passEvidence[].quote |
      getMissionTestRun.passReasoning | getMissionTestConfig.mission | getTestConfig.steps[].expectedTranscript |
      generateTestsFromTree.tests[].steps[].expectedTranscript | planCalls.riskyKeys[].label |
      planCalls.refusal.details | listTargets.items[].name | planCalls.unjudged[] | checkLine.server | an error.quotes[]
    `))
      assert.ok(marked.has(way), way);
  });

  it('count as secret if their name says so', () => {
    const named = answers
      .flatMap(({ name, output }) => textsOf(z.toJSONSchema(output, { io: 'output' }) as Schema, name))
      .filter(
        ({ way, schema }) =>
          !hasForm(schema) &&
          schema[untrustedKeyword] === false &&
          /(?:Key|[sS]ecret|[tT]oken|[pP]assword|[uU]rl|[lL]ink)$/.test(way) &&
          !way.endsWith('.audioUrl'),
      );
    assert.deepEqual(
      named.filter(({ schema }) => schema[secretKeyword] !== true).map(({ way }) => way),
      [],
    );
    assert.ok(named.length >= 3);
  });
});
