import assert from 'node:assert/strict';
import { sleep } from '../../../src/base/clock.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';

describe('sleeping on a clock', () => {
  it('ends when its time has passed, and leaves no timer', async () => {
    const clock = new ManualClock();
    let over = false;
    void sleep(clock, 100).then(() => {
      over = true;
    });
    clock.advance(99);
    await settle();
    assert.equal(over, false);
    clock.advance(1);
    await settle();
    assert.deepEqual([over, clock.pending], [true, 0]);
  });

  it('rejects immediately with the reason of an abort, and leaves no timer', async () => {
    for (const before of [true, false]) {
      const clock = new ManualClock();
      const abort = new AbortController();
      if (before) abort.abort(new Error('enough'));
      const sleeping = assert.rejects(sleep(clock, 100, abort.signal), { message: 'enough' });
      abort.abort(new Error('enough'));
      await sleeping;
      assert.equal(clock.pending, 0);
    }
  });
});
