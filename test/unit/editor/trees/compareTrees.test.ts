import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { outlineQuery, outlineText, readOutlineQuery } from '../../../../src/editor/trees/comparedTrees.ts';
import { compareTrees } from '../../../../src/editor/trees/compareTrees.ts';
import type { ComparedTrees } from '../../../../src/editor/trees/compareTrees.ts';
import type { TreePlace } from '../../../../src/editor/trees/treeSource.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { FakeTreeFiles } from '../fakeTreeFiles.ts';
import { bankTree, inEnglish, fakeStore, job, run, uuid } from '../fakes.ts';

const baseline = 'file:///project/bank.calltree.json';
const old = 'file:///project/old.calltree.json';
const closed: TreeNode = {
  ...bankTree,
  children: (bankTree.children ?? []).map((child) =>
    child.stepId === 's3'
      ? { ...child, end: 'busy' as const, transcript: 'All lines are busy. Try again later.' }
      : child,
  ),
};
const slow: TreeNode = { ...bankTree, latencyMs: 2500 };

describe('commands: compare trees', () => {
  let files: FakeTreeFiles,
    trees: Map<number, TreeNode>,
    outlines: { base: TreePlace; current: TreePlace; title: string }[],
    drawn: ComparedTrees[];
  beforeEach(() => {
    const text = (tree: TreeNode): string =>
      JSON.stringify({
        name: 'Harbour Bank',
        tree: JSON.parse(JSON.stringify({ ...tree, audioUrl: undefined })) as TreeNode,
      });
    files = new FakeTreeFiles({ [baseline]: text(bankTree), [old]: text({ ...bankTree, latencyMs: 400 }) });
    trees = new Map([
      [3, closed],
      [2, bankTree],
      [1, bankTree],
    ]);
    [outlines, drawn] = [[], []];
  });

  const startedAt = '2026-11-30T09:00:00.000Z';
  const runs = [
    run({ runNumber: 3 }),
    run({ runNumber: 2, status: 'limited', limitReason: 'time' }),
    run({ startedAt }),
  ];
  const compare = async (value: unknown, selected: unknown, ...answers: Answer[]): Promise<FakeDialogs> => {
    const dialogs = new FakeDialogs(...answers);
    const snapshot = () => ({
      job: job(1, { name: 'Harbour Bank', currentRun: runs[0] }),
      runs,
      trees: new Map(
        [...trees].map(([runNumber, tree]) => [runNumber, { response: { jobId: uuid(1), tree }, readAt: 0 }]),
      ),
    });
    await compareTrees(value, selected, {
      files,
      dialogs,
      ...inEnglish,
      store: fakeStore(snapshot, [snapshot()]),
      showOutlines: (base, current, { baseTitle, currentTitle }) => {
        outlines.push({ base, current, title: `${baseTitle} ↔ ${currentTitle}` });
        return Promise.resolve();
      },
      showCompared: (compared, openText) => {
        drawn.push(compared);
        return openText();
      },
    });
    dialogs.done();
    return dialogs;
  };

  it('compares a run with another of its mapping, drawn and then as text', async () => {
    const { shown } = await compare({ jobId: uuid(1), runNumber: 3 }, undefined, { pick: 'Run 2' });
    assert.deepEqual(shown, [
      `Which earlier tree do you want to compare with?\n  Harbour Bank | Run 2 | stopped at a limit · 1 menu · 2 ends · 3 calls\n  Harbour Bank | Run 1 | completed · 1 menu · 2 ends · 3 calls | ${inEnglish.formats.moment(startedAt)}\n  Files | bank.calltree.json\n  Files | old.calltree.json`,
    ]);
    assert.deepEqual(outlines, [
      {
        base: { jobId: uuid(1), runNumber: 2 },
        current: { jobId: uuid(1), runNumber: 3 },
        title: 'Harbour Bank, run 2 ↔ Harbour Bank, run 3',
      },
    ]);
    assert.deepEqual(
      drawn.map(({ base, current, baseTitle }) => [
        base.run?.runNumber,
        current.run?.runNumber,
        baseTitle,
        current.tree === closed,
      ]),
      [[2, 3, 'Harbour Bank, run 2', true]],
    );
  });

  it('compares a file, as the earlier tree, with the newest run of a mapping', async () => {
    await compare({ file: '/project/bank.calltree.json' }, undefined, { pick: 'Harbour Bank' });
    assert.deepEqual(
      outlines.map(({ base, current, title }) => [base, current, title]),
      [[{ uri: baseline }, { jobId: uuid(1), runNumber: 3 }, 'bank.calltree.json ↔ Harbour Bank, run 3']],
    );
    await compare({ jobId: uuid(1) }, undefined, { pick: 'bank.calltree.json' });
    assert.deepEqual(outlines[1], outlines[0]);
  });

  it('asks for both if none is given', async () => {
    const { shown } = await compare(undefined, undefined, { pick: 'Harbour Bank' }, { pick: 'Run 1' });
    assert.match(shown[0] ?? '', /^Which tree do you want to compare\?/);
    assert.equal(outlines[0]?.title, 'Harbour Bank, run 1 ↔ Harbour Bank, run 3');
    await compare({ scheme: 'webview-panel', authority: '', path: 'webview-panel/1' }, undefined, { pick: undefined });
    await compare(undefined, undefined, { pick: 'Harbour Bank' }, { pick: undefined });
    assert.equal(outlines.length, 1);
  });

  it('uses the two selected ones, the earlier one first', async () => {
    const files2 = [{ file: '/project/bank.calltree.json' }, { file: '/project/old.calltree.json' }];
    await compare(files2[0], files2, { press: undefined });
    await compare({ jobId: uuid(1), runNumber: 3 }, [
      { jobId: uuid(1), runNumber: 3 },
      { jobId: uuid(1), runNumber: 1 },
    ]);
    assert.deepEqual(
      outlines.map(({ title }) => title),
      ['Harbour Bank, run 1 ↔ Harbour Bank, run 3'],
    );
  });

  it('says if nothing changed, and opens nothing', async () => {
    const { shown } = await compare(
      { jobId: uuid(1), runNumber: 2 },
      undefined,
      { pick: 'bank.calltree.json' },
      { press: undefined },
    );
    assert.equal(
      shown.at(-1),
      "Nothing changed between bank.calltree.json and Harbour Bank, run 2. Unsure steps that aren't compared: 2.",
    );
    assert.deepEqual([outlines, drawn], [[], []]);
  });

  it('shows a slower answer too, and offers no file without a tree', async () => {
    trees.set(3, slow);
    files.contents.set('file:///project/bad.calltree.json', '{ "name": "x" }');
    const { shown } = await compare({ jobId: uuid(1), runNumber: 3 }, undefined, { pick: 'old.calltree.json' });
    assert.deepEqual([outlines.length, drawn.length], [1, 1]);
    assert.doesNotMatch(shown[0] ?? '', /bad\.calltree/);
  });

  it("reports a file's error", async () => {
    files.contents.set(old, '{ "name": "x" }');
    await assert.rejects(compare({ file: '/project/old.calltree.json' }, undefined, { pick: 'Harbour Bank' }), {
      code: 'calltree_invalid',
      message: /old\.calltree\.json:1:1/,
    });
    await assert.rejects(compare({ colour: 1 }, undefined), { code: 'bad_argument' });
  });

  it('puts all sources of both sides into the address, and reads nothing from another', async () => {
    const base = { uri: baseline },
      current = { jobId: uuid(1), runNumber: 3 };
    for (const side of ['base', 'current'] as const)
      assert.deepEqual(readOutlineQuery(outlineQuery({ base, current, side })), { base, current, side });
    for (const query of ['', '{', '{}', '{"base":{"jobId":"x"},"current":{"uri":"y"},"side":"base"}', 'null'])
      assert.equal(readOutlineQuery(query), undefined);
    const read = (place: TreePlace) => Promise.resolve({ name: 'x', tree: 'uri' in place ? bankTree : closed });
    const [before, after] = await Promise.all(
      (['base', 'current'] as const).map((side) => outlineText({ base, current, side }, read)),
    );
    const differing = (text = '', other = ''): string[] =>
      text.split('\n').filter((line) => !other.split('\n').includes(line));
    assert.deepEqual(
      [differing(before, after), differing(after, before)],
      [
        ['  transfers the call', '  says One moment.'],
        ['  is busy', '  says All lines are busy.', '  says Try again later.'],
      ],
    );
  });
});
