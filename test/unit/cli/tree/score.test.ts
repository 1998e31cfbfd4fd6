import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TreeScore } from '../../../../src/model/tree/treeScore.ts';
import { treeOf } from '../../model/tree/trees.ts';
import { dialtree } from '../dialtree.ts';

const leaf = { end: 'hangup' } as const;

describe('dialtree score', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-score-'));
    await writeFile(file('truth.json'), JSON.stringify(treeOf({ keys: { 1: leaf, 2: { end: 'fax' } } })));
    await writeFile(file('short.json'), JSON.stringify(treeOf({ keys: { 1: leaf } })));
    await writeFile(file('ends.json'), JSON.stringify(treeOf({ keys: { 1: leaf, 2: { end: 'busy' } } })));
    await writeFile(file('none.json'), JSON.stringify({ jobId: 'x', tree: null }));
    await writeFile(file('broken.json'), '{"jobId": ');
    await writeFile(file('other.json'), '{"jobId": "x", "colour": 1}');
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const score = (truth: string, tree: string, ...more: string[]) =>
    dialtree(['score', '--truth', file(truth), '--tree', file(tree), ...more]);

  it('exits with 0 if everything is right', async () => {
    const { code, stdout } = await score('truth.json', 'truth.json');
    assert.equal(code, 0);
    assert.match(stdout, /F1 1\.000 .*\(2 of 2\)/);
  });

  it('exits with 1 and names the mistakes otherwise', async () => {
    for (const [tree, mistake] of [
      ['short.json', /- 2: this option was not found/],
      ['ends.json', /- 2: fax was mapped as busy/],
      ['none.json', /- There is no mapped tree/],
    ] as const) {
      const { code, stdout } = await score('truth.json', tree);
      assert.equal(code, 1, tree);
      assert.match(stdout, mistake);
    }
  });

  it('prints its figures for a program', async () => {
    const { code, stdout } = await score('truth.json', 'short.json', '--json');
    const { options, ends } = JSON.parse(stdout) as TreeScore;
    assert.deepEqual([code, options.truth, options.right, ends.wrong], [1, 2, 1, ['2: fax was not reached']]);
  });

  it("says which file it can't use, and why", async () => {
    for (const [tree, message] of [
      ['missing.json', /Couldn't read .*missing\.json as JSON/],
      ['broken.json', /Couldn't read .*broken\.json as JSON/],
      ['other.json', /other\.json isn't a tree response: .*colour/],
    ] as const) {
      const { code, stdout, stderr } = await score('truth.json', tree);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    }
  });

  it('requires both trees', async () => {
    const { code, stderr } = await dialtree(['score', '--truth', file('truth.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /Give both --truth and --tree\.\nUsage: dialtree score/);
  });
});
