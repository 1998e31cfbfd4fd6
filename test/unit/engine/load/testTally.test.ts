import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import { TestTally } from '../../../../src/engine/load/testTally.ts';

const steps = [
  testStepSchema.parse({ name: 'Menu', action: { type: 'dial' }, expectedTranscript: 'Your balance is ten dollars.' }),
];
const script = { steps, reference: { prompts: [], spoken: new Map<string, Int16Array>(), callSeconds: 1 } };

/** The figures of one call that heard something else. */
function failedCall(parts: readonly (string | Int16Array)[]): TestTally {
  const tally = new TestTally([script]);
  tally.add(
    { number: 1, second: 0, script },
    {
      outcome: 'FAIL',
      reason: 'Step “Menu”: Unexpected words were heard.',
      steps: [{ outcome: 'FAIL', reached: true }],
      failedStep: 0,
      unfinished: false,
      unknown: { parts, isWhole: true },
    },
  );
  return tally;
}
const audio = new Int16Array(8000);

describe('TestTally', () => {
  it('compares what was recognised together with the known words around it', async () => {
    const tally = failedCall(['Your balance', audio, 'dollars.']);
    await tally.recognise(() => Promise.resolve('is ten'), new AbortController().signal);
    const { failed, inconclusive, failures } = tally.stats();
    assert.deepEqual([failed, inconclusive, failures[0]?.heard], [0, 1, 'Your balance is ten dollars.']);
  });

  it('reports sounds without words', async () => {
    const tally = failedCall([audio]);
    await tally.recognise(() => Promise.resolve(''), new AbortController().signal);
    const [failure] = tally.stats().failures;
    assert.match(failure?.reason ?? '', /Sounds without words were heard/);
    assert.equal(failure?.heard, undefined);
  });

  it("doesn't wait for a recognition after an abort, and keeps its figures", async () => {
    const tally = failedCall([audio]);
    const abort = new AbortController();
    const over = tally.recognise(() => new Promise<string>(() => undefined), abort.signal);
    abort.abort();
    await over;
    assert.equal(tally.stats().failed, 1);
  });
});
