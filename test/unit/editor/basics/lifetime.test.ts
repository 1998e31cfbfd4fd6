import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/editor/basics/lifetime.ts';

describe('DisposableStore', () => {
  it('disposes of its items, last added first', () => {
    const ended: number[] = [];
    const held = new DisposableStore();
    for (const number of [1, 2, 3]) held.add({ dispose: () => ended.push(number) });
    held.dispose();
    held.dispose();
    assert.deepEqual(ended, [3, 2, 1]);
  });

  it('disposes immediately of an item added after its own end', () => {
    let ended = false;
    const held = new DisposableStore();
    held.dispose();
    held.add({
      dispose: () => {
        ended = true;
      },
    });
    assert.equal(ended, true);
  });
});
