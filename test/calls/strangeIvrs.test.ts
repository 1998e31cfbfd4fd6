import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { generateIvr } from '../support/generateIvr.ts';
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

describe('the manners of awkward phone systems', () => {
  it('add what real far sides do from seed 1000 on, the same for a seed', () => {
    const traitsOf = (first: number): string[] =>
      Array.from({ length: 30 }, (_, index) => strangeIvr(first + index).traits).flat();
    const manners = [
      'directory',
      /^goodbye after \d+$/,
      /^invalid key: hang up$/,
      /^invalid key: the main menu$/,
      'voicemail by name',
      'queue',
      'queue with music that fades in',
      /^spliced with gaps of [12]?\d$/,
      /^begins [123]?\d after the key$/,
      'no ringing',
      'early media',
    ];
    const [traits, plain] = [traitsOf(1000), traitsOf(970)];
    for (const manner of manners) {
      const is = (trait: string): boolean => (typeof manner === 'string' ? trait === manner : manner.test(trait));
      assert.ok(traits.some(is), `no IVR has the trait ${String(manner)}`);
      assert.ok(!plain.some(is), `an earlier IVR has the trait ${String(manner)}`);
    }
    assert.deepEqual(strangeIvr(1003), strangeIvr(1003));
  });

  it('include a gate in each order, and what varies by try, call, caller and entry, from seed 2000 on', () => {
    const strange = Array.from({ length: 120 }, (_, index) => strangeIvr(2000 + index));
    const traits = new Set(strange.flatMap((one) => one.traits));
    for (const habit of [
      'extensions',
      'zero refused',
      'stay on the line',
      'phases',
      'known entries',
      'other order each call',
      'shorter retry',
      'news by call',
      'language, notice, menu',
      'notice, language, menu',
      'language, notice, promotion, menu',
      'language, promotion, notice, menu',
      'notice, language, promotion, menu',
      'notice, promotion, language, menu',
      'promotion, language, notice, menu',
      'promotion, notice, language, menu',
      'waiting at the gate continues',
      'waiting at the gate repeats',
      'waiting at the gate ends',
    ])
      assert.ok(traits.has(habit), `no IVR has the trait ${habit}`);
    for (const { ivr } of strange) assert.ok(truthOf(ivr).tree, ivr.name);
    for (let seed = 5000; seed < 5100; seed += 1) assert.ok(truthOf(generateIvr(seed)).tree, String(seed));
  });

  it('stay the same for earlier seeds', () => {
    const digestOf = (make: (seed: number) => unknown, seeds: number): string => {
      const hash = createHash('sha256');
      for (let seed = 0; seed < seeds; seed += 5) hash.update(JSON.stringify(make(seed)));
      return hash.digest('hex').slice(0, 16);
    };
    assert.deepEqual(
      [digestOf((seed) => strangeIvr(seed).ivr, 2000), digestOf((seed) => generateIvr(seed, { hidden: true }), 5000)],
      ['ec43cb6c86360562', '51d721fa511f5e6f'],
    );
  });
});
