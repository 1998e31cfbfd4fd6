import assert from 'node:assert/strict';
import path from 'node:path';
import type { TreeNode } from '../../src/contract/tree.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { unsaidWords } from '../support/unsaidWords.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const transcriptsOf = ({ transcript = '', children = [] }: TreeNode): string[] => [
  transcript,
  ...children.flatMap(transcriptsOf),
];

describe('mapping the samples in virtual time', () => {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('samples');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  for (const sample of ['bank', 'clinic', 'utility']) {
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
      // The first tree that a new user sees, also in pictures, has no wrong word.
      if (sample === 'bank' && tree.tree) assert.deepEqual(unsaidWords(transcriptsOf(tree.tree), source.ivr), []);
    });
  }
});
