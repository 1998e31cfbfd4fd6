import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import { repairsOf } from '../../../../src/model/tests/repairs.ts';

const text = `\uFEFF{ // By hand.
  "name": "One", "phoneNumber": "+12025550101", "steps": [
    { "name": "Sales", "action": { "keys": "1", "type": "press", }, /* all */ "expectedTranscript" : "Sales here." },
    { "name": "End", "action": { "type": "hangUp" } },
  ],
}\r\n`;
const sales = (keys: string, expectedTranscript: string) =>
  testStepSchema.parse({ name: 'Sales', action: { type: 'press', keys }, expectedTranscript });
const end = testStepSchema.parse({ name: 'End', action: { type: 'hangUp' } });
const ran = [sales('1', 'Sales here.'), end];
const proposed = [sales('3', 'Here: "sales".'), end];

describe('repairs of a test file', () => {
  it('change only the members that differ, and leave defaults out as the file does', () => {
    const repaired = text.replace('Sales here.', String.raw`Here: \"sales\".`).replace('"1"', '"3"');
    assert.equal(applyEdits(text, [...(repairsOf(text, ran, proposed) ?? [])]), repaired);
  });

  it('leave references as they are that stand for the same as before', () => {
    const written = text.replace('Sales here.', '{sales}');
    const changed = [sales('3', 'Sales here.'), end];
    const resolve = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace('{sales}', 'Sales here.'));
    const edits = repairsOf(written, ran, changed, resolve) ?? [];
    assert.equal(applyEdits(written, [...edits]), written.replace('"1"', '"3"'));
  });

  it('need the steps that ran, and a proposal that changes keys or words only', () => {
    for (const [old, other] of [
      ['Sales here.', 'No sales.'],
      ['{ "name": "End"', '{ "name": "Wait", "action": { "type": "expect" } }, $&'],
    ] as const)
      assert.equal(repairsOf(text.replace(old, other), ran, proposed), undefined, other);
    for (const change of [{}, { passThreshold: 0.5 }, { expectedTranscript: 'Bye.' }, { name: 'Last' }])
      assert.equal(repairsOf(text, ran, [...ran.slice(0, 1), { ...end, ...change }]), undefined);
  });
});
