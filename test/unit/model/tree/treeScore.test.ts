import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { ivrTruth } from '../../../../src/model/tree/ivrTruth.ts';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { treeOf } from './trees.ts';

const leaf = { end: 'hangup' } as const;
const truth = treeOf({
  keys: {
    0: { end: 'busy', hidden: true },
    1: { keys: { 1: leaf, 2: { end: 'fax' }, '*': { linksTo: 'root' } } },
    2: { keys: { 1: { linksTo: '1' }, 3: leaf } },
    3: leaf,
  },
});

describe('the score of a mapped tree', () => {
  it('reaches its maximum for the truth itself', () =>
    assert.deepEqual(scoreTree(truth, truth), {
      options: { truth: 8, found: 8, right: 8, precision: 1, recall: 1, f1: 1 },
      hidden: { truth: 1, found: 1 },
      falseMerges: [],
      missedLinks: [],
      ends: { truth: 5, right: 5, wrong: [] },
      mistakes: [],
    }));

  it("ignores which of a menu's places was expanded, and an untried hidden key", () => {
    const mapped = treeOf({
      keys: {
        1: { linksTo: '2 > 1' },
        2: { keys: { 1: { keys: { 1: leaf, 2: { end: 'fax' }, '*': { linksTo: 'root' } } }, 3: leaf } },
        3: leaf,
      },
    });
    const { options, falseMerges, missedLinks, ends, hidden } = scoreTree(truth, mapped);
    assert.deepEqual(
      [options.f1, falseMerges, missedLinks, ends.right, ends.wrong, hidden.found],
      [1, [], [], 4, [], 0],
    );
  });

  it('counts a missed option, with its end', () => {
    const { options, ends, mistakes } = scoreTree(
      truth,
      treeOf({
        keys: {
          0: { end: 'busy' },
          1: { keys: { 1: leaf, '*': { linksTo: 'root' } } },
          2: { keys: { 1: { linksTo: '1' }, 3: leaf } },
          3: leaf,
        },
      }),
    );
    assert.deepEqual(options, { truth: 8, found: 7, right: 7, precision: 1, recall: 7 / 8, f1: 14 / 15 });
    assert.deepEqual(mistakes, ['1 > 2: this option was not found.']);
    assert.deepEqual(ends, { truth: 5, right: 4, wrong: ['1 > 2: fax was not reached'] });
  });

  it('counts an invented option', () => {
    const mapped = treeOf({
      keys: {
        0: { end: 'busy' },
        1: { keys: { 1: leaf, 2: { end: 'fax' }, '*': { linksTo: 'root' } } },
        2: { keys: { 1: { linksTo: '1' }, 3: leaf } },
        3: leaf,
        7: leaf,
      },
    });
    const { options, mistakes } = scoreTree(truth, mapped);
    assert.deepEqual(options, { truth: 8, found: 9, right: 8, precision: 8 / 9, recall: 1, f1: 16 / 17 });
    assert.deepEqual(mistakes, ['root: there is no option 7.']);
  });

  it('counts an offered, unexplored option as found, but its end as not reached', () => {
    const mapped = treeOf({});
    assert.ok(mapped.tree);
    mapped.tree.options = [
      { key: '1', label: 'sales' },
      { key: '2', label: 'service' },
    ];
    const { options, ends } = scoreTree(treeOf({ keys: { 1: leaf, 2: leaf } }), mapped);
    assert.equal(options.f1, 1);
    assert.deepEqual(ends, { truth: 2, right: 0, wrong: ['1: hangup was not reached', '2: hangup was not reached'] });
  });

  it('ignores a failed node', () => {
    const { options, ends } = scoreTree(
      treeOf({ keys: { 1: leaf, 2: leaf } }),
      treeOf({ keys: { 1: leaf, 2: { status: 'failed' } } }),
    );
    assert.equal(options.recall, 0.5);
    assert.deepEqual(ends.wrong, ['2: hangup was not reached']);
  });

  it('counts a wrong end', () => {
    const mapped = treeOf({
      keys: {
        0: { end: 'busy' },
        1: { keys: { 1: leaf, 2: { end: 'human' }, '*': { linksTo: 'root' } } },
        2: { keys: { 1: { linksTo: '1' }, 3: leaf } },
        3: { keys: {} },
      },
    });
    const { options, ends } = scoreTree(truth, mapped);
    assert.equal(options.f1, 1);
    assert.deepEqual(ends, {
      truth: 5,
      right: 3,
      wrong: ['3: hangup was mapped as explored', '1 > 2: fax was mapped as human'],
    });
  });

  it('counts a menu that was expanded twice as a missed link', () => {
    const sub = { keys: { 1: leaf, 2: { end: 'fax' }, '*': { linksTo: 'root' } } } as const;
    const { options, missedLinks, falseMerges } = scoreTree(
      truth,
      treeOf({ keys: { 0: { end: 'busy' }, 1: sub, 2: { keys: { 1: sub, 3: leaf } }, 3: leaf } }),
    );
    assert.deepEqual(missedLinks, ['2 > 1 is the same menu as 1']);
    assert.deepEqual([options.f1, falseMerges], [1, []]);
  });

  it('counts a link to another menu as a false merge', () => {
    const mapped = treeOf({
      keys: {
        0: { end: 'busy' },
        1: { keys: { 1: leaf, 2: { end: 'fax' }, '*': { linksTo: 'root' } } },
        2: { keys: { 1: { linksTo: 'root' }, 3: leaf } },
        3: leaf,
      },
    });
    const { falseMerges, missedLinks } = scoreTree(truth, mapped);
    assert.deepEqual(falseMerges, ['2 > 1 links to root, which is another menu']);
    assert.deepEqual(missedLinks, []);
  });

  it('counts two menus if one hides the other', () => {
    const two = treeOf({ keys: { 1: { keys: { 1: leaf, 2: leaf } }, 2: { keys: { 1: { end: 'busy' }, 3: leaf } } } });
    const { options, falseMerges, ends } = scoreTree(
      two,
      treeOf({ keys: { 1: { keys: { 1: leaf, 2: leaf } }, 2: { linksTo: '1' } } }),
    );
    assert.deepEqual(falseMerges, ['2 links to 1, which is another menu']);
    assert.deepEqual([options.truth, options.right], [6, 4]);
    assert.deepEqual(ends.wrong, ['2 > 1: busy was not reached', '2 > 3: hangup was not reached']);
  });

  it("penalises a menu that wasn't reached at all", () => {
    const { options, mistakes } = scoreTree(
      truth,
      treeOf({
        keys: { 0: { end: 'busy' }, 1: { end: 'hangup' }, 2: { keys: { 1: { linksTo: '1' }, 3: leaf } }, 3: leaf },
      }),
    );
    assert.equal(options.truth, 8);
    assert.equal(options.right, 5);
    assert.equal(mistakes.filter((line) => line.startsWith('1 > ')).length, 3);
  });

  it('falls to zero without a tree', () => {
    const { options, ends, mistakes } = scoreTree(truth, { jobId: 'none', tree: null, reason: 'no_steps' });
    assert.deepEqual(options, { truth: 8, found: 0, right: 0, precision: 0, recall: 0, f1: 0 });
    assert.equal(ends.truth, 4);
    assert.equal(ends.right, 0);
    assert.equal(mistakes[0], 'There is no mapped tree.');
    assert.deepEqual(scoreTree(treeOf(leaf), { jobId: 'none' }).ends.wrong, ['root: hangup was not reached']);
  });

  it('compares calls with leaves and includes the meter', () => {
    const stats = {
      callsPlaced: 10,
      callsFailed: 0,
      nodesDiscovered: 9,
      terminalNodes: 5,
      maxDepthReached: 2,
      callSeconds: 100,
      linkedMenus: 2,
      promptSeconds: 40,
      limit: { minimumCalls: 5, minimumWallSeconds: 20, elapsedSeconds: 30, ratio: 1.5 },
    };
    const { calls, limitRatio } = scoreTree(truth, { ...truth, stats });
    assert.deepEqual(calls, { placed: 10, leaves: 5, ratio: 2 });
    assert.equal(limitRatio, 1.5);
  });

  const samples = new URL('../../../../media/samples/', import.meta.url);
  for (const file of readdirSync(samples).filter((name) => name.endsWith('.ivr.json'))) {
    it(`reaches its maximum for the truth of ${file}`, () => {
      const ivr = ivrFileSchema.parse(JSON.parse(readFileSync(new URL(file, samples), 'utf8')));
      const tree = ivrTruth(ivr, {
        start: ivr.start,
        offeredKeys: (prompt) => new Set(prompt.match(/[0-9*#]/g) ?? []),
      });
      const { options, falseMerges, missedLinks, ends } = scoreTree(tree, tree);
      assert.deepEqual([options.f1, falseMerges, missedLinks, ends.wrong], [1, [], [], []]);
      assert.ok(options.truth > 8 && ends.truth > 4);
    });
  }
});
