import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { spareTime } from '../../../../src/engine/load/spareTime.ts';

const spin = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('spareTime', () => {
  it('does all its work, in order, also what is added meanwhile', async () => {
    const later = spareTime();
    const done: number[] = [];
    await new Promise<void>((resolve) => {
      for (const number of [1, 2, 3])
        later(() => {
          done.push(number);
          if (number === 1)
            later(() => {
              done.push(4);
              resolve();
            });
        });
      assert.deepEqual(done, [], 'not at once');
    });
    assert.deepEqual(done, [1, 2, 3, 4]);
  });

  it('lets timers run in between', async () => {
    const later = spareTime();
    let [left, leftAtTimer] = [10, -1];
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        leftAtTimer = left;
      }, 1);
      for (let index = left; index > 0; index -= 1)
        later(() => {
          spin(4);
          left -= 1;
          if (left === 0) resolve();
        });
    });
    assert.ok(leftAtTimer > 0, String(leftAtTimer));
  });
});
