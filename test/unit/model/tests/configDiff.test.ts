import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { callSecondsAtMost } from '../../../../src/model/calls/callBudget.ts';
import { changeLines, configChanges } from '../../../../src/model/tests/configDiff.ts';
import type { ComparedConfig } from '../../../../src/model/tests/configDiff.ts';
import { didYouMean } from '../../../../src/model/files/didYouMean.ts';

const step = (name: string, keys: string, more: object = {}) => ({ name, action: { type: 'press', keys }, ...more });
const config = (more: Partial<ComparedConfig> & object = {}): ComparedConfig => ({
  name: 'n',
  steps: [step('Accounts', '1'), step('Balance', '2')],
  ...more,
});
const diff = (theirs: object, mine: object): string[] => changeLines(configChanges(config(theirs), config(mine)));

describe('the differences of two versions of a test', () => {
  it('appear member by member, and only if there are any', () => {
    const tagged = { ...config(), tags: ['a'] };
    assert.deepEqual(configChanges(tagged, structuredClone(tagged)), []);
    assert.deepEqual(
      configChanges(
        {
          ...tagged,
          id: 'x',
          type: 'standard',
          createdAt: '1',
          updatedAt: '2',
          fromFile: true,
          profileId: 'p',
        } as ComparedConfig,
        tagged,
      ),
      [],
      'what the service adds is no difference',
    );
    assert.deepEqual(
      configChanges(
        { ...tagged, description: 'd' } as ComparedConfig,
        { ...tagged, tags: ['a', 'b'], profileId: 'p' } as ComparedConfig,
      ),
      [
        { path: 'tags', theirs: ['a'], mine: ['a', 'b'] },
        { path: 'profileId', theirs: undefined, mine: 'p' },
        { path: 'description', theirs: 'd', mine: undefined },
      ],
    );
    assert.deepEqual(diff({ description: 'd' }, { name: 'm' }), [
      '  - name: "n"',
      '  + name: "m"',
      '  - description: "d"',
    ]);
  });

  it('show an added or removed step as a whole, and the changed parts of others', () => {
    const precious = step('Colleague', '9', { expectedTranscript: 'something precious' });
    assert.deepEqual(diff({ steps: [step('Accounts', '1'), precious, step('Balance', '3')] }, {}), [
      '  - steps.1 “Colleague”: {"name":"Colleague","action":{"type":"press","keys":"9"},"expectedTranscript":"something precious"}',
      '  - steps.1 “Balance”.action.keys: "3"',
      '  + steps.1 “Balance”.action.keys: "2"',
    ]);
    assert.deepEqual(
      diff({}, { steps: [step('Hello', '0'), step('Accounts', '1'), step('Balance', '2', { optional: true })] }),
      [
        '  + steps.0 “Hello”: {"name":"Hello","action":{"type":"press","keys":"0"}}',
        '  + steps.2 “Balance”.optional: true',
      ],
    );
    assert.deepEqual(diff({}, { steps: [step('Accounts, renamed', '1'), step('Balance', '2')] }), [
      '  - steps.0 “Accounts, renamed”.name: "Accounts"',
      '  + steps.0 “Accounts, renamed”.name: "Accounts, renamed"',
    ]);
    assert.deepEqual(
      diff({}, { steps: [step('Balance', '2'), step('Accounts', '1')] }).map((line) => line.slice(0, 23)),
      ['  - steps.0 “Accounts”:', '  + steps.1 “Accounts”:'],
    );
  });

  it('match rows by similarity', () => {
    const row = (city: string, code: string): object => ({ city, code });
    assert.deepEqual(
      diff(
        { rows: [row('Boston', '1'), row('Denver', '2'), row('Austin', '3')] },
        { rows: [row('Boston', '1'), row('Austin', '4')] },
      ),
      ['  - rows.1: {"city":"Denver","code":"2"}', '  - rows.1.code: "3"', '  + rows.1.code: "4"'],
    );
    assert.deepEqual(diff({ rows: [row('Boston', '1')] }, {}), ['  - rows.0: {"city":"Boston","code":"1"}']);
    const many = Array.from({ length: 1000 }, (_none, index) => row(`City ${String(index)}`, 'x'));
    assert.deepEqual(diff({ rows: many }, { rows: many.filter((_row, index) => index !== 500) }), [
      '  - rows.500: {"city":"City 500","code":"x"}',
    ]);
    assert.deepEqual(diff({ rows: many }, {}).slice(-1), ['  … and 900 more changes']);
  });

  it('show a long text from its first difference', () => {
    const persona =
      'You are Ann, a patient customer of the bank who has lost a card and wants to know what to do. '.repeat(4);
    const [theirs = '', mine = ''] = changeLines(
      configChanges(
        { name: 'n', mission: `${persona}Ask for Mr Brown.` } as ComparedConfig,
        { name: 'n', mission: `${persona}Ask for Mrs Green.` } as ComparedConfig,
      ),
    );
    assert.match(theirs, /^ {2}- mission: …".*Ask for Mr Brown\."$/);
    assert.match(mine, /^ {2}\+ mission: …".*Ask for Mrs Green\."$/);
    assert.ok(theirs.length < 120);
    const [first] = changeLines(
      configChanges(
        { name: 'n', mission: `Call once. ${persona}` } as ComparedConfig,
        { name: 'n', mission: `Call twice. ${persona}` } as ComparedConfig,
      ),
    );
    assert.match(first ?? '', /^ {2}- mission: "Call once\. You are .*"…$/);
    assert.ok(changeLines([{ path: 'p', theirs: undefined, mine: 'x'.repeat(5000) }])[0]!.length < 1100);
  });

  it('contain no secret of either side', () => {
    const secret = { secret: true };
    for (const [theirs, mine] of [
      [{ steps: [step('s', '4711', secret)] }, { steps: [step('s', '1147')] }],
      [{ steps: [step('s', '1147')] }, { steps: [step('s', '4711', secret)] }],
      [{ steps: [step('s', '4711', secret)] }, { steps: [step('s', '1'), step('t', '1147', secret)] }],
      [
        { steps: [step('s', '4711#', secret)] },
        { steps: [step('renamed', '4711#')], description: 'The PIN is 4 7 1 1' },
      ],
      [
        { steps: [step('s', '{pin}#', secret)], rows: [{ pin: '4711' }] },
        { steps: [step('s', '{pin}#', secret)], rows: [{ pin: '1147' }] },
      ],
      [
        { steps: [step('s', '{pin}#', secret)], rows: [{ pin: '4711' }] },
        { steps: [step('s', '{pin}#', secret)], rows: [{ pin: '4711' }, { pin: '1147' }] },
      ],
      [{ steps: [step('s', '{pin}#', secret)], rows: [{ pin: '4711' }] }, { steps: [step('s', '{pin}#', secret)] }],
    ]) {
      const lines = diff(theirs!, mine!);
      assert.doesNotMatch(lines.join('\n'), /4711|1147|4 7 1 1/);
      assert.ok(
        lines.some((line) => line.includes('••••')),
        lines.join('\n'),
      );
    }
    assert.match(
      diff(
        { steps: [step('PIN', '4711', secret), step('Accounts', '1')] },
        { steps: [step('PIN', '4711', secret), step('Accounts', '2')] },
      ).join(),
      /"1".*"2"/,
      'the rest is shown',
    );
  });
});

describe('the suggested name', () => {
  it('resembles the given one', () => {
    const known = ['keys', 'phoneNumber', 'name', 'on'];
    for (const [given, wanted] of [
      ['key', 'keys'],
      ['phonenumber', 'phoneNumber'],
      ['phoneNumbr', 'phoneNumber'],
      ['nmae', undefined],
      ['colour', undefined],
      ['', undefined],
    ] as const)
      assert.equal(didYouMean(given, known), wanted, given);
    assert.equal(didYouMean('x', []), undefined);
  });
});

describe('the maximum duration of a call', () => {
  const step = (action: object, more: object = {}) => ({
    name: 's',
    passThreshold: 0.8,
    action: action as { type: 'dial' },
    ...more,
  });
  it('adds up the maxima of its steps', () => {
    assert.equal(callSecondsAtMost([step({ type: 'dial' })]), 60);
    assert.equal(
      callSecondsAtMost([step({ type: 'dial' }, { expectedTranscript: 'x' }), step({ type: 'expect' })]),
      300,
    );
    assert.equal(
      callSecondsAtMost([
        step({ type: 'wait', seconds: 30 }, { expectedTranscript: 'x' }),
        step({ type: 'press', keys: '1,2#' }),
        step({ type: 'hangUp' }),
      ]),
      182,
    );
    assert.equal(callSecondsAtMost([step({ type: 'press', keys: '{pin}#' })], { pin: '12345' }), 63);
    assert.equal(callSecondsAtMost([step({ type: 'press', keys: '{collected}' })]), 92);
  });
});
