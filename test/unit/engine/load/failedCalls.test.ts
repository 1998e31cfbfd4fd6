import assert from 'node:assert/strict';
import { loadFailuresAtMost } from '../../../../src/contract/loadTests.ts';
import { FailedCalls } from '../../../../src/engine/load/failedCalls.ts';

const failed = (call: number, row?: number) => ({
  call,
  second: call,
  outcome: 'FAIL' as const,
  ...(row !== undefined && { row }),
});

describe('FailedCalls', () => {
  it('keeps ten examples of each step and row', () => {
    const calls = new FailedCalls();
    const kept: number[] = [];
    for (let call = 1; call <= 24; call += 1) if (calls.add(failed(call, (call % 2) + 1), { step: 0 })) kept.push(call);
    assert.deepEqual(
      kept,
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    assert.equal(calls.add(failed(25, 1), { step: 1 }), true);
    assert.equal(calls.add(failed(26, 1)), false, 'without audio');
    assert.equal(calls.all.length, 26);
  });

  it('lists a later call that is an example in the place of the last other one', () => {
    const calls = new FailedCalls();
    for (let call = 1; call <= 150; call += 1) calls.add(failed(call), { step: 0 });
    assert.equal(calls.add(failed(151), { step: 1 }), true);
    const listed = calls.all.map(({ call }) => call);
    assert.deepEqual([listed.length, listed[0], listed.slice(-2)], [loadFailuresAtMost, 1, [99, 151]]);
  });

  it('needs no more examples when all listed calls are some', () => {
    const calls = new FailedCalls();
    for (let call = 1; call <= loadFailuresAtMost; call += 1) {
      assert.equal(calls.needsExamples, true);
      assert.equal(calls.add(failed(call), { step: call }), true);
    }
    assert.equal(calls.needsExamples, false);
    assert.equal(calls.add(failed(101), { step: 101 }), false);
    assert.equal(calls.all.at(-1)?.call, 100);
  });
});
