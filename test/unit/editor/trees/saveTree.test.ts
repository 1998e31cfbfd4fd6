import assert from 'node:assert/strict';
import type { MappingRun } from '../../../../src/contract/mapping.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { saveTree } from '../../../../src/editor/trees/saveTree.ts';
import { readCalltree } from '../../../../src/model/tree/calltree.ts';
import { diffTrees } from '../../../../src/model/tree/diff/treeDiff.ts';
import type { TreePlace } from '../../../../src/editor/trees/treeSource.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { FakeTreeFiles } from '../fakeTreeFiles.ts';
import { bankTree, inEnglish, fakeStore, job, run, stats, uuid } from '../fakes.ts';

describe('commands: save a tree as a baseline', () => {
  let files: FakeTreeFiles, opened: string[], tree: TreeNode | null, runs: MappingRun[], active: TreePlace | undefined;
  beforeEach(() => {
    files = new FakeTreeFiles();
    files.chosen = 'file:///project/baselines/bank.calltree.json';
    active = undefined;
    [opened, tree, runs] = [[], bankTree, [run({ runNumber: 2, completedAt: '2026-03-01T10:00:00.000Z' }), run()]];
  });

  const bank = () => job(1, { name: 'Harbour Bank', currentRun: runs[0] });
  const save = async (value: unknown, ...answers: Answer[]): Promise<FakeDialogs> => {
    const dialogs = new FakeDialogs(...answers);
    const snapshot = () => ({
      job: bank(),
      runs,
      trees: new Map(
        runs.map(({ runNumber }) => [
          runNumber,
          {
            response: {
              jobId: uuid(1),
              tree,
              ...(tree ? {} : { message: 'Only the first prompt is recorded so far.' }),
            },
            readAt: 0,
          },
        ]),
      ),
    });
    await saveTree(value, {
      files,
      dialogs,
      ...inEnglish,
      active: () => active,
      open: (uri) => {
        opened.push(uri);
        return Promise.resolve();
      },
      store: fakeStore(snapshot, runs.length > 0 ? [snapshot()] : []),
    });
    dialogs.done();
    return dialogs;
  };

  it('writes the tree of a run, without recording addresses, and opens it', async () => {
    const { shown } = await save({ jobId: uuid(1) }, { press: 'Open' });
    assert.equal(files.offered, 'harbour-bank.calltree.json');
    const text = files.text('file:///project/baselines/bank.calltree.json');
    const read = readCalltree(text, 'bank');
    assert.ok('value' in read);
    assert.deepEqual(
      [read.value.name, read.value.phoneNumber, read.value.mappedAt, read.value.status],
      ['Harbour Bank', '+12025550101', '2026-03-01T10:00:00.000Z', 'completed'],
    );
    assert.deepEqual(diffTrees(bankTree, read.value.tree).changes, []);
    assert.doesNotMatch(text, /audioUrl|127\.0\.0\.1/);
    assert.deepEqual(
      [shown, opened],
      [
        ['Saved run 2 of Harbour Bank as baselines/bank.calltree.json. [Open]'],
        ['file:///project/baselines/bank.calltree.json'],
      ],
    );
  });

  it('asks for a mapping with a tree if none is given', async () => {
    const { shown } = await save(undefined, { pick: 'Harbour Bank' }, { press: undefined });
    assert.equal(shown[0], 'Which mapping do you want to use?\n  Harbour Bank | Run 2');
    runs = [run({ runNumber: 3, status: 'failed', stats: stats({ nodesDiscovered: 0 }) }), ...runs];
    const later = await save(undefined, { pick: 'Harbour Bank' }, { press: undefined });
    assert.equal(later.shown[0], 'Which mapping do you want to use?\n  Harbour Bank | Run 2');
    runs = runs.slice(0, 1);
    assert.equal((await save(undefined, { press: undefined })).shown.length, 1);
    runs = [];
    assert.deepEqual((await save(undefined, { press: undefined })).shown, [
      "This command doesn't apply to any of your mappings.",
    ]);
  });

  it('saves the tree whose page is open', async () => {
    active = { jobId: uuid(1), runNumber: 1 };
    const { shown } = await save(undefined, { press: undefined });
    assert.deepEqual(shown, ['Saved run 1 of Harbour Bank as baselines/bank.calltree.json. [Open]']);
  });

  it('saves to the baseline of the number, and asks only before another tree is lost', async () => {
    const uri = 'file:///project/old/bank.calltree.json';
    const saved = { press: undefined };
    await files.write('file:///project/broken.calltree.json', '{');
    files.chosen = uri;
    await save({ jobId: uuid(1) }, saved);
    files.chosen = 'file:///project/other.calltree.json';
    files.offered = undefined;
    assert.deepEqual((await save({ jobId: uuid(1), runNumber: 1 }, saved)).shown, [
      'Saved run 1 of Harbour Bank as old/bank.calltree.json. [Open]',
    ]);
    const before = files.text(uri);
    tree = { ...bankTree, children: [] };
    await save({ jobId: uuid(1) }, { pick: undefined });
    assert.deepEqual([files.offered, files.text(uri)], [undefined, before]);
    const { shown } = await save({ jobId: uuid(1) }, { pick: 'Replace old/bank.calltree.json' }, saved);
    assert.equal(
      shown[0],
      'old/bank.calltree.json contains another tree of this number\n  Save as another file…\n  Replace old/bank.calltree.json',
    );
    assert.notEqual(files.text(uri), before);
    tree = bankTree;
    await save({ jobId: uuid(1) }, { pick: 'Save as another file…' }, saved);
    assert.deepEqual(files.names, ['broken.calltree.json', 'old/bank.calltree.json', 'other.calltree.json']);
    // Two files of one number: neither is known to be the baseline.
    await save({ jobId: uuid(1) }, saved);
    assert.equal(files.offered, 'harbour-bank.calltree.json');
  });

  it('writes nothing if the person cancels', async () => {
    files.chosen = undefined;
    await save({ jobId: uuid(1) });
    await save(undefined, { pick: undefined });
    assert.deepEqual(files.names, []);
  });

  it('saves no missing or incomplete tree', async () => {
    runs = [run({ status: 'running' })];
    await assert.rejects(save({ jobId: uuid(1), runNumber: 1 }), { code: 'still_running' });
    [runs, tree] = [[run()], null];
    await assert.rejects(save({ jobId: uuid(1) }), {
      code: 'no_tree',
      message: 'Only the first prompt is recorded so far.',
    });
    await assert.rejects(save({ jobId: 'x' }), { code: 'bad_argument' });
    assert.deepEqual(files.names, []);
  });
});
