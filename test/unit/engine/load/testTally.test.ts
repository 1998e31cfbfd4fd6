import assert from 'node:assert/strict';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { LoadTestResult } from '../../../../src/engine/load/loadCaller.ts';
import { TestTally } from '../../../../src/engine/load/testTally.ts';

const steps = [testStepSchema.parse({ name: 'Menu', action: { type: 'dial' }, expectedTranscript: 'Your balance.' })];
const script = { steps, reference: { prompts: [], spoken: new Map<string, Int16Array>(), callSeconds: 1 } };
const failed: LoadTestResult = { outcome: 'FAIL', reason: 'It fails.', steps: [], unfinished: false };

describe('TestTally', () => {
  it('counts a call that heard something else over a bad line as inconclusive', () => {
    const tally = new TestTally([script]);
    const other: LoadTestResult = {
      ...failed,
      steps: [{ outcome: 'FAIL', reached: true }],
      failedStep: 0,
      isOtherPrompt: true,
    };
    for (const [index, lossShare] of [0.01, 0.03].entries())
      tally.add({ number: index + 1, second: 0, script }, { ...other, lossShare });
    const { failures, steps: figures } = tally.stats();
    assert.deepEqual(
      [failures.map(({ outcome }) => outcome), figures[0]?.failed, figures[0]?.inconclusive],
      [['FAIL', 'INCONCLUSIVE'], 1, 1],
    );
    assert.match(failures[1]?.reason ?? '', /^Step “Menu”: .*reference calls\. 3 % of the audio packets/);
  });

  it('counts the verdicts of calls without steps, and keeps their reasons', () => {
    const tally = new TestTally([]);
    const add = (number: number, result: Partial<LoadTestResult>) =>
      tally.add({ number, second: 0, script: undefined }, { ...failed, ...result });
    add(1, { outcome: 'PASS' });
    add(2, {});
    add(3, { unfinished: true });
    const { passed, failed: failures, unfinished, ...rest } = tally.stats();
    assert.deepEqual([passed, failures, unfinished], [1, 1, 1]);
    const failure = { call: 2, second: 0, outcome: 'FAIL', step: undefined, reason: 'It fails.' };
    assert.deepEqual(
      rest.failures.map(({ call, second, outcome, step, reason }) => ({ call, second, outcome, step, reason })),
      [failure],
    );
    assert.equal(tally.warning(), undefined);
  });
});
