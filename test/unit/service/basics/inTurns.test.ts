import assert from 'node:assert/strict';
import { inTurns } from '../../../../src/service/basics/inTurns.ts';
import type { Sliced } from '../../../../src/model/sliced.ts';
import { diffTrees, diffTreesSliced } from '../../../../src/model/tree/diff/treeDiff.ts';
import { sketch, treeOfSketch } from '../../model/tree/sketchedIvr.ts';

describe('work in turns', () => {
  function* counting(to: number): Sliced<number> {
    for (let at = 0; at < to; at += 1) yield;
    return to;
  }

  it('lets others go on as often as its slices are over', async () => {
    // Each look at the clock finds 3 ms more: a slice of 10 ms is over at the fourth step.
    let ms = 0;
    let turns = 0;
    let isDone = false;
    const others = (): void => {
      turns += 1;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    assert.equal(await inTurns(counting(100), () => (ms += 3)), 100);
    isDone = true;
    assert.ok(turns >= 20, String(turns));
  });

  it('does not wait where all is done in one', async () => {
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    assert.equal(await inTurns(counting(100), () => 0), 100);
    assert.equal(turns, 0);
  });

  it('rejects with what goes wrong in it', async () => {
    await assert.rejects(
      inTurns(
        (function* failing(): Sliced<number> {
          yield;
          throw new Error('broken');
        })(),
      ),
      /broken/,
    );
  });

  it('compares trees as at once, and pauses at each step that both have', async () => {
    const [base, current] = [treeOfSketch(sketch(300, 4)), treeOfSketch(sketch(300, 9))];
    let pauses = 0;
    const work = diffTreesSliced(base, base);
    while (work.next().done !== true) pauses += 1;
    assert.ok(pauses > 300, String(pauses));
    assert.deepEqual((await inTurns(diffTreesSliced(base, current))).changes, diffTrees(base, current).changes);
  });
});
