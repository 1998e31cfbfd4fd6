import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { callSecondsAtMost } from '../../../src/model/callBudget.ts';
import { changesText, configChanges, maskedChanges } from '../../../src/model/configDiff.ts';
import { didYouMean } from '../../../src/model/didYouMean.ts';

describe('what differs between two versions of a config', () => {
  it('is told member by member, and nothing where nothing does', () => {
    const config = { name: 'n', tags: ['a'], steps: [{ name: 's', action: { type: 'press', keys: '1' } }] };
    assert.deepEqual(configChanges(config, structuredClone(config)), []);
    const changes = configChanges({ ...config, description: 'd', steps: [{ name: 's', action: { type: 'press', keys: '2' } }] }, { ...config, tags: ['a', 'b'] });
    assert.deepEqual(changes, [
      { path: 'tags', theirs: ['a'], mine: ['a', 'b'] }, { path: 'steps.0.action.keys', theirs: '2', mine: '1' }, { path: 'description', theirs: 'd', mine: undefined },
    ]);
    assert.equal(changesText(changes), '  - tags: ["a"]\n  + tags: ["a","b"]\n  - steps.0.action.keys: "2"\n  + steps.0.action.keys: "1"\n  - description: "d"');
    assert.ok(changesText([{ path: 'p', theirs: undefined, mine: 'x'.repeat(500) }]).length < 200);
  });
});

describe('a shown difference', () => {
  const step = (keys: string, secret?: boolean) => ({ name: 's', action: { type: 'press', keys }, ...(secret && { secret }) });
  const shown = (theirs: { steps: ReturnType<typeof step>[]; rows?: object[] }, mine: typeof theirs): string => JSON.stringify(maskedChanges(configChanges(theirs, mine), { name: 'n', ...theirs }, { name: 'n', ...mine }));

  it('holds no secret of either side', () => {
    for (const [theirs, mine] of [
      [{ steps: [step('4711', true)] }, { steps: [step('1147')] }], [{ steps: [step('1147')] }, { steps: [step('4711', true)] }],
      [{ steps: [step('4711', true)] }, { steps: [step('1'), step('4711', true)] }],
      [{ steps: [step('{pin}#', true)], rows: [{ pin: '4711' }] }, { steps: [step('{pin}#', true)], rows: [{ pin: '1147' }] }],
      [{ steps: [step('{pin}#', true)], rows: [{ pin: '4711' }] }, { steps: [step('{pin}#', true)], rows: [{ pin: '4711' }, { pin: '1147' }] }],
      [{ steps: [step('{pin}#', true)], rows: [{ pin: '4711' }] }, { steps: [step('{pin}#', true)] }],
    ]) assert.doesNotMatch(shown(theirs!, mine!), /4711|1147/);
  });

  it('holds the rest', () => { assert.match(shown({ steps: [step('1')], rows: [{ city: 'Boston' }] }, { steps: [step('2')], rows: [{ city: 'Denver' }] }), /"1".*"2".*Boston.*Denver/); });
});

describe('the name that was probably meant', () => {
  it('is near', () => {
    const known = ['keys', 'phoneNumber', 'name', 'on'];
    for (const [given, wanted] of [['key', 'keys'], ['phonenumber', 'phoneNumber'], ['phoneNumbr', 'phoneNumber'], ['nmae', undefined], ['colour', undefined], ['', undefined]] as const) assert.equal(didYouMean(given, known), wanted, given);
    assert.equal(didYouMean('x', []), undefined);
  });
});

describe('how long a call may last at most', () => {
  const step = (action: object, more: object = {}) => ({ name: 's', passThreshold: 0.8, action: action as { type: 'dial' }, ...more });
  it('adds up what its steps may take', () => {
    assert.equal(callSecondsAtMost([step({ type: 'dial' })]), 60);
    assert.equal(callSecondsAtMost([step({ type: 'dial' }, { expectedTranscript: 'x' }), step({ type: 'expect' })]), 300);
    assert.equal(callSecondsAtMost([step({ type: 'wait', seconds: 30 }, { expectedTranscript: 'x' }), step({ type: 'press', keys: '1,2#' }), step({ type: 'hangUp' })]), 182);
    assert.equal(callSecondsAtMost([step({ type: 'press', keys: '{pin}#' })], { pin: '12345' }), 63);
    assert.equal(callSecondsAtMost([step({ type: 'press', keys: '{collected}' })]), 92);
  });
});
