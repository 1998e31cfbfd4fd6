import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import { parseArguments } from '../../../src/service/http/issueWords.ts';

function messages(input: z.ZodType, given: unknown): string[] {
  try {
    parseArguments(input, given);
    return [];
  } catch (error) {
    assert.ok(error instanceof Error && error instanceof z.ZodError);
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
}
const told = (name: OperationName, given: unknown): string[] => messages(operations[name].input, given);

describe('errors in arguments', () => {
  it('are reported in sentences that say what to give', () => {
    const id = '3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90';
    assert.deepEqual(told('getMapping', { id, version: 'abc' }), ['version: Give a whole number here.']);
    assert.deepEqual(told('getMapping', { id, version: '0' }), ['version: Give at least 1.']);
    assert.deepEqual(told('getMapping', { id: 'x' }), [
      'id: Give an id (a UUID), such as 3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90.',
    ]);
    assert.deepEqual(told('getMapping', {}), ['id: This is missing. Give text.']);
    assert.deepEqual(told('getMappingTree', { id, format: 'round' }), ['format: Give one of tree, flat.']);
    assert.deepEqual(told('listMappings', { limit: '1000', createdAfter: 'yesterday', foo: 1 }), [
      'createdAfter: Give an ISO 8601 date such as 2026-11-24, or a date and time such as 2026-11-24T10:00:00Z.',
      'limit: Give up to 100.',
      ': Unknown member: foo. Leave it out, or correct its name.',
    ]);
    assert.deepEqual(told('recordConsent', { phoneNumber: '+12025550101', statement: 'yes' }), [
      'statement: Give “I may test this number”.',
    ]);
    assert.deepEqual(
      told('createTestConfig', {
        name: '',
        phoneNumber: '+12025550101',
        steps: [{ name: 'a', action: { type: 'foo' } }],
      }),
      [
        'name: This is empty. Write something.',
        'steps.0.action.type: Give one of dial, press, say, wait, expect, collect, hangUp.',
      ],
    );
    assert.deepEqual(
      told('runLoadTest', { phoneNumber: '+12025550101', concurrency: 1.5, abortWhen: { failureShare: 0 } }),
      ['concurrency: Give a whole number here.', 'abortWhen.failureShare: Give more than 0.'],
    );
  });

  it('suggest omitting an optional argument that is null or empty', () => {
    const hint = 'If you have no value for it, leave it out.';
    const id = '3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90';
    const phoneNumber = '+12025550101';
    assert.deepEqual(told('createMapping', { phoneNumber, name: null }), [`name: Give text here. ${hint}`]);
    assert.deepEqual(told('createMapping', { phoneNumber, name: '' }), [
      `name: This is empty. Write something. ${hint}`,
    ]);
    for (const [name, given] of [
      ['createMapping', { phoneNumber, tags: null }],
      ['createMapping', { phoneNumber, config: null }],
      ['createMapping', { phoneNumber, config: { maxDepth: null } }],
      ['createMapping', { phoneNumber, profileId: '' }],
      ['listMappings', { phoneNumber: '' }],
      ['listTestRuns', { runType: null }],
      ['getMapping', { id, version: '' }],
      ['listMappings', { limit: '' }],
      ['listMappings', { createdAfter: null }],
      [
        'createTestConfig',
        { name: 'a', phoneNumber, steps: [{ name: 'a', action: { type: 'hangUp' }, optional: null }] },
      ],
      ['planCalls', { mapping: { phoneNumber, name: null } }],
    ] as const)
      assert.ok(told(name, given)[0]?.endsWith(hint), `${name} ${JSON.stringify(given)}: ${told(name, given).join()}`);
    for (const [name, given] of [
      ['createMapping', { phoneNumber: null }],
      ['createMapping', { phoneNumber: '' }],
      ['createMapping', null],
      ['createMapping', { phoneNumber, tags: [null] }],
      ['createMapping', { phoneNumber, name: 5 }],
    ] as const)
      assert.ok(
        !told(name, given).join().includes(hint),
        `${name} ${JSON.stringify(given)}: ${told(name, given).join()}`,
      );
  });

  it("are never reported in the validator's words, for any input", () => {
    const raw = /Invalid|expected|received|Unrecognized|Too (?:big|small)|regex|pattern|\bundefined\b|\bNaN\b/;
    const values: unknown[] = [
      undefined,
      null,
      'abc',
      '',
      -1,
      1.5,
      1e12,
      true,
      [],
      {},
      ['x'],
      { x: 1 },
      [{ action: { type: 'press', keys: 'x' } }],
      'x'.repeat(9000),
    ];
    for (const [name, { input }] of Object.entries<Operation>(operations)) {
      const members = Object.keys((input as z.ZodObject).shape);
      for (const given of [
        ...values,
        ...values.map((value) => Object.fromEntries(members.map((member) => [member, value]))),
        ...fc.sample(fc.record(Object.fromEntries(members.map((member) => [member, fc.anything()]))), {
          numRuns: 20,
          seed: 1,
        }),
      ]) {
        for (const message of messages(input, given)) {
          const [, sentence = ''] = /^.*?: ([^]*)$/.exec(message) ?? [];
          // A name that the caller chose can contain anything.
          if (!sentence.startsWith('Unknown: ')) assert.doesNotMatch(sentence, raw, `${name} ${message}`);
          assert.match(sentence, /^[A-Za-z"“{].*[.”]$/s, `${name} ${message}`);
        }
      }
    }
  });
});
