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
  it('say in sentences what to give', () => {
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
      ': Unknown member: “foo”. Leave it out, or correct its name.',
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

  it('suggest omitting an optional argument that is empty', () => {
    const hint = 'If you have no value for it, leave it out.';
    const id = '3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90';
    const phoneNumber = '+12025550101';
    assert.deepEqual(told('createMapping', { phoneNumber, name: '' }), [
      `name: This is empty. Write something. ${hint}`,
    ]);
    for (const [name, given] of [
      ['createMapping', { phoneNumber, profileId: '' }],
      ['listMappings', { phoneNumber: '' }],
      ['getMapping', { id, version: '' }],
      ['listMappings', { limit: '' }],
    ] as const)
      assert.ok(told(name, given)[0]?.endsWith(hint), `${name} ${JSON.stringify(given)}: ${told(name, given).join()}`);
    for (const [name, given] of [
      ['createMapping', { phoneNumber: '' }],
      ['createMapping', { phoneNumber, tags: [''] }],
      ['createMapping', { phoneNumber, name: 5 }],
    ] as const)
      assert.ok(
        !told(name, given).join().includes(hint),
        `${name} ${JSON.stringify(given)}: ${told(name, given).join()}`,
      );
  });

  it('say that a string was sent instead of an object or a list', () => {
    const phoneNumber = '+12025550101';
    const said = "A string was sent that isn't the JSON of one.";
    assert.deepEqual(told('createMapping', { phoneNumber, config: '{"maxDepth":', tags: 'sales' }), [
      `tags: Give a list here, or its JSON as text. ${said}`,
      `config: Give an object here, or its JSON as text. ${said}`,
    ]);
    assert.deepEqual(told('createMapping', { phoneNumber, config: '[]', tags: '{}' }), [
      `tags: Give a list here, or its JSON as text. ${said}`,
      `config: Give an object here, or its JSON as text. ${said}`,
    ]);
    assert.deepEqual(told('runTest', { configId: '3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90', rows: ['a'] }), [
      `rows.0: Give an object here, or its JSON as text. ${said}`,
    ]);
    assert.throws(
      () =>
        parseArguments(operations.createMapping.input, {
          phoneNumber,
          config: `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`,
        }),
      { code: 'invalid_request', status: 400 },
    );
  });

  it("never use the validator's words, for any input", () => {
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

/** Returns the members of an object's schema that can be left out, and that aren't null. */
const optionalMembers = (input: z.ZodType): string[] =>
  Object.entries((input as z.ZodObject).shape)
    .filter(([, member]) => member._zod.optin !== undefined && !z.safeParse(member, null).success)
    .map(([name]) => name);

describe('arguments', () => {
  const id = '3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90';
  const phoneNumber = '+12025550101';
  const parsed = (name: OperationName, given: unknown): unknown => parseArguments(operations[name].input, given);

  it('count as left out if they are optional and null, in every operation', () => {
    let count = 0;
    for (const [name, { input }] of Object.entries<Operation>(operations)) {
      const optional = optionalMembers(input);
      count += optional.length;
      const given = Object.fromEntries(optional.map((member) => [member, null]));
      assert.deepEqual(messages(input, given), messages(input, {}), name);
    }
    assert.ok(count > 100, `${String(count)} arguments`);
    for (const [name, given, same] of [
      ['createMapping', { phoneNumber, config: { maxDepth: null } }, { phoneNumber, config: {} }],
      [
        'createTestConfig',
        { name: 'a', phoneNumber, steps: [{ name: 'a', action: { type: 'hangUp' }, optional: null }] },
        { name: 'a', phoneNumber, steps: [{ name: 'a', action: { type: 'hangUp' } }] },
      ],
      ['planCalls', { mapping: { phoneNumber, name: null }, rows: null }, { mapping: { phoneNumber } }],
      [
        'runLoadTest',
        { phoneNumber, concurrency: 2, stages: null, abortWhen: { failureShare: null } },
        {
          phoneNumber,
          concurrency: 2,
          abortWhen: {},
        },
      ],
    ] as const)
      assert.deepEqual(parsed(name, given), parsed(name, same), name);
  });

  it('keep null if it is a value, and refuse it if they are required', () => {
    assert.deepEqual(parsed('updateMissionTestConfig', { id, description: null, name: null }), {
      id,
      description: null,
    });
    assert.deepEqual(parsed('updateWorkspaceSettings', { budgets: { callsPerDay: null }, currency: null }), {
      budgets: { callsPerDay: null },
      currency: null,
    });
    assert.deepEqual(told('createMapping', { phoneNumber: null }), ['phoneNumber: Give text here.']);
    assert.deepEqual(told('createMapping', { phoneNumber, tags: [null] }), ['tags.0: Give text here.']);
    assert.deepEqual(told('createMapping', null), [': Give an object here, or its JSON as text.']);
    assert.deepEqual(told('createMapping', { phoneNumber, other: null }), [
      ': Unknown member: “other”. Leave it out, or correct its name.',
    ]);
  });

  it('accept objects, lists, numbers, true and false as text', () => {
    const plain = { phoneNumber, config: { maxDepth: 3, pressUnsure: true }, tags: ['sales'] };
    for (const given of [
      { ...plain, config: '{"maxDepth":3,"pressUnsure":true}' },
      { ...plain, config: ' {"maxDepth":"3","pressUnsure":"True"}', tags: '["sales"]' },
      { ...plain, config: { maxDepth: '3', pressUnsure: 'true' } },
      JSON.stringify(plain),
      JSON.stringify({ ...plain, config: JSON.stringify({ ...plain.config, maxCalls: null }) }),
    ])
      assert.deepEqual(parsed('createMapping', given), parsed('createMapping', plain), JSON.stringify(given));
    assert.deepEqual(
      parsed('runTest', { configId: id, rows: ['{"a":"1"}'] }),
      parsed('runTest', { configId: id, rows: [{ a: '1' }] }),
    );
    assert.deepEqual(
      parsed('createTestConfig', {
        name: 'a',
        phoneNumber,
        steps: '[{"name":"a","action":"{\\"type\\":\\"hangUp\\"}"}]',
      }),
      parsed('createTestConfig', { name: 'a', phoneNumber, steps: [{ name: 'a', action: { type: 'hangUp' } }] }),
    );
    assert.deepEqual(told('createMapping', { phoneNumber, config: { maxDepth: '3a', pressUnsure: 'yes' } }), [
      'config.maxDepth: Give a whole number here.',
      'config.pressUnsure: Give true or false here.',
    ]);
  });

  it('stay text if text is asked for, whatever it looks like', () => {
    const mission = '{"goal":"5"}';
    const given = { name: 'true', phoneNumber, mission, acceptance: '5' };
    const { name, mission: kept, acceptance } = parsed('createMissionTestConfig', given) as typeof given;
    assert.deepEqual([name, kept, acceptance], ['true', mission, '5']);
  });

  it('lose the marks of an earlier answer in text that is JSON, and can name __proto__', () => {
    const row = parsed('runTest', {
      configId: id,
      rows: String.raw`[{"a":"\u003cdata-0123456789abcdef0123\u003eb\u003c/data-0123456789abcdef0123\u003e"}]`,
    }) as { readonly rows: unknown };
    assert.deepEqual(row.rows, [{ a: 'b' }]);
    for (const rows of ['[{"__proto__":null}]', '[{"__proto__":{"a":"b"}}]', [{ ['__proto__']: '{}' }]])
      messages(operations.runTest.input, { configId: id, rows });
    assert.equal(({} as Record<string, unknown>)['a'], undefined);
  });

  it('convert a whole list of texts before its length is refused', () => {
    const rows = Array.from({ length: 100_000 }, () => '{}');
    assert.match(told('runTest', { configId: id, rows }).join(), /^rows: Give up to \d+ entries\.$/);
  });
});
