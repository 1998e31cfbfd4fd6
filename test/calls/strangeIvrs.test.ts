import assert from 'node:assert/strict';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { speakStrangeIvr, strangeIvr } from '../support/strangeIvr.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

/** Seeds with different traits: gates, notices that swallow keys, long pauses, one try only, no barge-in. */
const seeds = [10, 14, 23, 27];

describe('mapping phone systems with awkward traits', function () {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('strange-ivrs');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  for (const [index, seed] of seeds.entries()) {
    const strange = strangeIvr(seed);
    it(`finds every option and merges no menus: ${strange.traits.join(', ')}${index === 0 ? '' : ' @full'}`, async () => {
      const source = await speakStrangeIvr(strange, (text, voice) => calls.speak(text, voice));
      const { tree } = await calls.to(source, ({ target, dialer, clock }) =>
        crawlTree({
          target,
          dialer,
          clock,
          signal: new AbortController().signal,
          config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 60, concurrency: 4 },
        }),
      );
      const { options, falseMerges, mistakes, ends } = scoreTree(truthOf(strange.ivr), tree);
      assert.ok(options.f1 >= 0.95, `option F1 ${String(options.f1)}: ${mistakes.join('; ')}`);
      assert.deepEqual(falseMerges, []);
      assert.ok(ends.right >= ends.truth - 1, ends.wrong.join('; '));
    });
  }
});
