import assert from 'node:assert/strict';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { mapIvr, truthOf } from '../../../support/crawlTree.ts';
import { generateIvr } from '../../../support/generateIvr.ts';

const shapes = 50;

describe('crawl: generated trees', () => {
  const ratios: { calls: number; wall: number }[] = [];

  for (let seed = 1; seed <= shapes; seed += 1) {
    it(`have exact mappings: shape ${String(seed)}`, async () => {
      const ivr = generateIvr(seed, { stubborn: seed % 5 === 0, hidden: seed % 3 === 0 });
      const { tree, end } = await mapIvr(ivr, { config: { maxCalls: 1000 } });
      const score = scoreTree(truthOf(ivr), tree);
      assert.equal(end.status, 'completed', end.reason);
      assert.deepEqual(
        {
          f1: score.options.f1,
          mistakes: score.mistakes,
          falseMerges: score.falseMerges,
          missedLinks: score.missedLinks,
          wrong: score.ends.wrong,
        },
        { f1: 1, mistakes: [], falseMerges: [], missedLinks: [], wrong: [] },
      );
      ratios.push({ calls: score.calls?.ratio ?? 0, wall: score.limitRatio ?? 0 });
    });
  }

  it('need calls and time near the limit', () => {
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const calls = mean(ratios.map((ratio) => ratio.calls));
    const wall = mean(ratios.map((ratio) => ratio.wall));
    console.log(
      `      ${String(ratios.length)} trees: calls ${calls.toFixed(2)} × leaves, wall ${wall.toFixed(2)} × limit`,
    );
    assert.ok(
      ratios.length === shapes && calls <= 1.15 && wall <= 1.8,
      `calls ${calls.toFixed(2)}, wall ${wall.toFixed(2)}`,
    );
  });
});
