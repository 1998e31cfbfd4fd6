import assert from 'node:assert/strict';
import path from 'node:path';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

describe('mapping the samples in virtual time', () => {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('samples');
  });
  after(async () => {
    assert.deepEqual(await calls.close(), []);
  });

  for (const sample of ['clinic', 'utility']) {
    it(`finds every option and end of ${sample}, without a wrong merge`, async () => {
      const source = await loadIvr(path.resolve(import.meta.dirname, `../../media/samples/${sample}.ivr.json`));
      const { tree, end } = await calls.to(source, ({ target, dialer, clock }) =>
        crawlTree({
          target,
          dialer,
          clock,
          signal: new AbortController().signal,
          config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 4 },
        }),
      );
      const { options, mistakes, falseMerges, ends } = scoreTree(truthOf(source.ivr), tree);
      assert.equal(end.status, 'completed', end.reason);
      assert.deepEqual(
        { f1: options.f1, mistakes, falseMerges, wrong: ends.wrong },
        { f1: 1, mistakes: [], falseMerges: [], wrong: [] },
      );
    });
  }
});
