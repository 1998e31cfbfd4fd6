import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import type { JobSnapshot } from '../../../../src/editor/store/snapshot.ts';
import { MappingRefresh } from '../../../../src/editor/views/mappingRefresh.ts';
import { mappingRowOf } from '../../../../src/editor/views/mappingRows.ts';
import type { TreeElement } from '../../../../src/editor/views/treeElement.ts';
import { elementId } from '../../../../src/editor/views/treeElement.ts';
import { wideTree } from '../../../webview/bankTree.ts';
import { bankTree, english, FakeClock, job, run, stats, uuid } from '../fakes.ts';
import { childrenOf } from '../treeText.ts';

describe('the refresh of the mappings view', () => {
  let jobs: JobSnapshot[],
    clock: FakeClock,
    refresh: MappingRefresh,
    drawn: (string[] | undefined)[],
    elements: readonly TreeElement[];

  const snapshot = (
    number: number,
    tree: TreeNode | null = bankTree,
    values: Parameters<typeof run>[0] = { status: 'running' },
  ): JobSnapshot => {
    const current = run(values);
    return {
      job: job(number, { currentRun: current, status: current.status === 'running' ? 'running' : 'idle' }),
      runs: [current],
      trees: new Map([[1, { response: { jobId: uuid(number), tree }, readAt: 0 }]]),
    };
  };
  const put = (after: JobSnapshot): (string[] | undefined)[] => {
    drawn = [];
    jobs = jobs.map((before) => (before.job.id === after.job.id ? after : before));
    refresh.take({ jobId: after.job.id });
    return drawn;
  };
  /** Requests all rows, like the editor when all are opened. */
  const open = (element?: TreeElement): void => {
    for (const child of refresh.known(childrenOf(jobs, element))) open(child);
  };
  const menu = (stepId: string): string => `${uuid(1)}/1/${stepId}`;
  const changed = (change: (tree: TreeNode) => void): TreeNode => {
    const tree = structuredClone(bankTree);
    change(tree);
    return tree;
  };

  beforeEach(() => {
    jobs = [snapshot(1), snapshot(2)];
    clock = new FakeClock();
    drawn = [];
    refresh = new MappingRefresh({
      store: {
        get jobs() {
          return jobs;
        },
        job: (id) => jobs.find((one) => one.job.id === id),
      },
      clock,
      l10n: english,
      draw: (some) => {
        elements = some ?? [];
        drawn.push(some?.map(elementId));
      },
    });
    refresh.all();
    open();
  });
  afterEach(() => refresh.dispose());

  it('requests nothing if a reading brings only new links to recordings', () =>
    assert.deepEqual(
      put(
        snapshot(
          1,
          changed((tree) => {
            tree.audioUrl = 'http://127.0.0.1:1/another';
          }),
        ),
      ),
      [],
    ));

  it('requests only the menu that has new keys', () => {
    const grown = changed((tree) => {
      tree.children?.[1]?.children?.push({ stepId: 's9', digit: '1', label: 'lost card', status: 'pending' });
    });
    assert.deepEqual(put(snapshot(1, grown)), [[menu('s3')]]);
    assert.equal(
      elements[0],
      refresh.known([{ kind: 'menu', jobId: uuid(1), runNumber: 1, stepId: 's3' }])[0],
      'the editor knows a row by its element',
    );
    const failed = structuredClone(grown);
    Object.assign(failed.children?.[2] ?? {}, { status: 'failed' });
    assert.deepEqual(put(snapshot(1, failed)), [[menu('s4')]]);
  });

  it('batches the figures of an active run, and shows its end immediately', () => {
    const after = (callsPlaced: number): JobSnapshot =>
      snapshot(1, bankTree, { status: 'running', stats: stats({ callsPlaced }) });
    assert.deepEqual(put(after(4)), [[uuid(1), `${uuid(1)}/1`]]);
    for (let calls = 5; calls < 20; calls += 1) assert.deepEqual(put(after(calls)), []);
    clock.advance(1_000);
    assert.deepEqual(drawn, [[uuid(1), `${uuid(1)}/1`]]);
    assert.deepEqual(put(snapshot(1, bankTree, { status: 'completed', stats: stats({ callsPlaced: 20 }) })), [
      [uuid(1)],
    ]);
  });

  it('requests the whole job when a run has begun, and everything when jobs were added or removed', () => {
    const begun = run({ runNumber: 2, status: 'running' });
    const { trees } = snapshot(1);
    assert.deepEqual(put({ job: job(1, { currentRun: begun, status: 'running' }), runs: [begun, run()], trees }), [
      [uuid(1)],
    ]);
    jobs = [snapshot(3), ...jobs];
    assert.deepEqual(put(snapshot(3)), [undefined]);
    drawn = [];
    refresh.take(undefined);
    assert.deepEqual(drawn, [undefined]);
  });

  it('requests the run whose first menu was heard', () => {
    jobs = [snapshot(1, null)];
    refresh.all();
    open();
    assert.deepEqual(put(snapshot(1)), [[`${uuid(1)}/1`]]);
  });

  it('opens a large tree up to its first keys, and requests one menu of its 10,000 steps', () => {
    const large = wideTree(10_000);
    jobs = [snapshot(1, large)];
    refresh.all();
    open();
    const stateOf = (stepId: string): string | undefined =>
      mappingRowOf(jobs[0], { kind: 'menu', jobId: uuid(1), runNumber: 1, stepId }, english)?.children;
    assert.deepEqual(['n0', 'n1', 'n9999'].map(stateOf), ['expanded', 'collapsed', 'none']);
    const grown = structuredClone(large);
    grown.children?.[3]?.children?.[4]?.children?.push({ stepId: 'new', digit: '#', label: 'New', status: 'pending' });
    assert.deepEqual(put(snapshot(1, grown)), [[menu(large.children?.[3]?.children?.[4]?.stepId ?? '')]]);
  });
});
