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

  it('yields whenever a time slice is over', async () => {
    // Each reading of the clock is 3 ms later: a slice of 10 ms is over at the fourth step.
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

  it("doesn't yield if everything fits one slice", async () => {
    let turns = 0;
    setImmediate(() => (turns += 1));
    assert.equal(await inTurns(counting(100), () => 0), 100);
    assert.equal(turns, 0);
  });

  it('rejects with its error', async () => {
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

  it('compares trees with the same result as without slices, and pauses at each step that both have', async () => {
    const [base, current] = [treeOfSketch(sketch(300, 4)), treeOfSketch(sketch(300, 9))];
    let pauses = 0;
    const work = diffTreesSliced(base, base);
    while (work.next().done !== true) pauses += 1;
    assert.ok(pauses > 300, String(pauses));
    assert.deepEqual((await inTurns(diffTreesSliced(base, current))).changes, diffTrees(base, current).changes);
  });
});
