import assert from 'node:assert/strict';
import type { StepResult } from '../../../../src/contract/testRuns.ts';
import { acceptedText, changesIn, heardInstead } from '../../../../src/model/tests/heardInstead.ts';
import { readTestFile } from '../../../../src/model/tests/testFile.ts';

const fileWith = async (step: object, test: object = {}) => {
  const text = JSON.stringify({
    ...test,
    name: 'A',
    phoneNumber: '+12025550101',
    steps: [{ name: 'Hello', action: { type: 'dial' }, ...step }],
  });
  const file = await readTestFile(text, 'a.calltest.json', () => Promise.reject(new Error('none')));
  if ('problems' in file) assert.fail(JSON.stringify(file.problems));
  return file;
};
const result = (values: Partial<StepResult>): { steps: StepResult[] } => ({
  steps: [
    {
      name: 'Hello',
      outcome: 'FAIL',
      similarity: 0.5,
      expectedTranscript: 'Welcome.',
      transcript: 'Good day.',
      ...values,
    },
  ],
});

describe('heardInstead', () => {
  it('returns what a step heard that failed by its words', async () =>
    assert.deepEqual(heardInstead(await fileWith({ expectedTranscript: 'Welcome.' }), result({}), 0), {
      step: 0,
      expected: 'Welcome.',
      heard: 'Good day.',
    }));

  it('finds the words whose placeholders the run filled in', async () => {
    const file = await fileWith({ expectedTranscript: 'Your * is {amount}.' }, { rows: [{ amount: '200' }] });
    assert.ok(heardInstead(file, result({ expectedTranscript: 'Your * is 200.' }), 0));
  });

  for (const [why, step, values] of [
    ['passed', {}, { outcome: 'PASS' }],
    ['was cut short', {}, { outcome: 'ERROR' }],
    ['failed by its time', {}, { similarity: 0.9 }],
    ['heard nothing', {}, { transcript: ' …' }],
    ['is secret', { secret: true }, {}],
    ['heard a secret', {}, { transcript: 'Your code is ••••.' }],
    ['expects other words by now', {}, { expectedTranscript: 'Hello.' }],
    ['has another name by now', {}, { name: 'Greeting' }],
  ] as const)
    it(`offers nothing for a step that ${why}`, async () =>
      assert.equal(
        heardInstead(await fileWith({ expectedTranscript: 'Welcome.', ...step }), result(values), 0),
        undefined,
      ));
});

describe('accepting what was heard', () => {
  const changes = (expected: string, heard: string) => changesIn({ expected, heard });
  const accepted = (expected: string, heard: string): string => acceptedText(changes(expected, heard), new Set());
  const asked = (expected: string, heard: string): string[] =>
    changes(expected, heard).flatMap((change) =>
      change.matters && !change.stays ? [`${change.expected} → ${change.heard}`] : [],
    );

  it('takes the words that differ, and keeps spelling, placeholders and wildcards', () => {
    assert.equal(
      accepted('Welcome to the Bank. Press 1.', 'welcome to harbour bank press 1 now'),
      'Welcome to harbour Bank. Press 1.',
    );
    assert.equal(accepted('Dear {name}, good day.', 'Dear Ann good morning.'), 'Dear {name}, good morning.');
    assert.equal(accepted('Hello * press 1.', 'Hello there my friend press 1 or hold'), 'Hello * press 1.');
    assert.equal(accepted('Hello', 'Something else entirely'), 'Something else entirely');
  });

  it('leaves out what was heard before and after the expected words, and does not ask about it', () => {
    const [expected, heard] = [
      'You have opened your pension, press 1.',
      'Hello. You have opened your balance, press 1. For recent transactions, press 2.',
    ];
    assert.equal(accepted(expected, heard), 'You have opened your balance, press 1.');
    assert.deepEqual(asked(expected, heard), []);
    assert.deepEqual(asked('Enter your code.', 'Enter your 4 digit code.'), []);
  });

  it('asks about numbers, keys and negations that changed, and about no other word', () => {
    assert.deepEqual(asked('For sales, press 1. For service, press 2.', 'For sales press 2. For service press 3.'), [
      '1. → 2.',
      '2. → 3.',
    ]);
    assert.deepEqual(asked('You can pay.', "You can't pay."), ["can → can't"]);
    assert.deepEqual(asked('It is open.', 'It is not open.'), [' → not']);
    assert.deepEqual(asked('Press star.', 'Press pound.'), ['star. → pound.']);
    assert.deepEqual(asked('It is available.', 'It is unavailable.'), ['available. → unavailable.']);
    assert.deepEqual(asked('Press 1.', 'Press the key.'), ['1. → the key.']);
    assert.deepEqual(asked('Press forty two, please.', 'Press 42, thanks.'), []);
    assert.deepEqual(asked('Welcome to the bank.', 'Hello from our bank.'), []);
  });

  it('keeps a change that was refused', () => {
    const found = changes('Press 1 for sales.', 'Press 2 for orders.');
    assert.equal(acceptedText(found, new Set(found.filter(({ matters }) => matters))), 'Press 1 for orders.');
  });
});
