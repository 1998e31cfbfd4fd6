import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { testStepSchema, type TestStep } from '../../../../src/contract/testConfigs.ts';
import { repairsOf } from '../../../../src/model/tests/repairs.ts';

const ran = [
  { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'For sales, press 1.' },
  { name: 'Sales', action: { type: 'press', keys: '1' }, secret: true, expectedTranscript: 'This is sales.' },
  { name: 'End', action: { type: 'hangUp' } },
].map((step) => testStepSchema.parse(step));
const proposed: TestStep[] = [
  { ...ran[0]!, expectedTranscript: 'For “sales”, press "3".' },
  { ...ran[1]!, action: { type: 'press', keys: '3' } },
  ran[2]!,
];
const text = `\uFEFF{
  // By hand.
  "name": "One", "phoneNumber": "+12025550101",
  "steps": [
    { "name": "Greeting", "action": { "type": "dial" }, /* all */ "expectedTranscript" : "For sales, press 1." },
    { "action": { "keys": "1", "type": "press", }, "name": "Sales", // moved
      "secret": true, "expectedTranscript": "This is sales." },
    { "name": "End", "action": { "type": "hangUp" } },
  ],
}\r\n`;

describe('repairs of a test file', () => {
  it('change only the members that differ, and leave defaults out as the file does', () => {
    const edits = repairsOf(text, ran, proposed) ?? [];
    assert.equal(
      applyEdits(text, [...edits]),
      text
        .replace('"For sales, press 1."', String.raw`"For “sales”, press \"3\"."`)
        .replace('"keys": "1"', '"keys": "3"'),
    );
    assert.deepEqual(
      edits.map(({ offset, length }) => text.slice(offset, offset + length)),
      ['"expectedTranscript" : "For sales, press 1."', '"keys": "1"'],
    );
  });

  it('are refused if the file has other steps than those that ran, or is invalid', () => {
    for (const [old, other] of [
      ['This is sales.', 'These are sales.'],
      ['"keys": "1"', '"keys": "2"'],
      ['"name": "End"', '"name": "Last"'],
      ['{ "name": "End"', '{ "name": "Wait", "action": { "type": "expect" } }, { "name": "End"'],
      ['"secret": true, ', ''],
      ['"One",', '"One"'],
    ] as const)
      assert.equal(repairsOf(text.replace(old, other), ran, proposed), undefined, other);
  });

  it('are refused if the proposal changes anything but keys and words, adds a member, or changes nothing', () => {
    assert.equal(repairsOf(text, ran, ran), undefined);
    assert.equal(repairsOf(text, ran, proposed.slice(0, 2)), undefined);
    for (const change of [{ passThreshold: 0.5 }, { expectedTranscript: 'Bye.' }, { name: 'Last' }])
      assert.equal(repairsOf(text, ran, proposed.with(2, { ...ran[2]!, ...change })), undefined);
  });
});
