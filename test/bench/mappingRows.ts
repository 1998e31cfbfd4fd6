import { performance } from 'node:perf_hooks';
import type { TreeNode } from '../../src/contract/tree.ts';
import { systemClock } from '../../src/editor/basics/clock.ts';
import type { JobSnapshot } from '../../src/editor/store/snapshot.ts';
import { MappingRefresh } from '../../src/editor/views/mappingRefresh.ts';
import { jobElements, menuElements, rootElements, rowOf, runElements } from '../../src/editor/views/mappingRows.ts';
import type { TreeElement } from '../../src/editor/views/treeElement.ts';
import { runOf, wideTree } from '../webview/bankTree.ts';
import { median } from './median.ts';

const nodes = 10_000;
const rounds = 7;
const plain = { t: (message: string) => message };

/**
 * Measures the mappings view's work for a tree of 10,000 steps in this process. The editor's own work adds to it, row
 * by row. Medians.
 */
export function measureMappingRows(): void {
  const tree = wideTree(nodes);
  let snapshot = snapshotOf(tree);
  let isWhole = false;
  let changed: readonly TreeElement[] = [];
  const refresh = new MappingRefresh({
    store: {
      get jobs() {
        return [snapshot];
      },
      job: () => snapshot,
    },
    clock: systemClock,
    l10n: plain,
    draw: (elements) => {
      isWhole = elements === undefined;
      changed = elements ?? [];
    },
  });
  const draw = (element: TreeElement | undefined, isAll: boolean): number => {
    const row = element && rowOf(snapshot, element, plain);
    // The editor requests what is below the expanded rows.
    const children = row && !isAll && row.children !== 'expanded' ? [] : refresh.known(childrenOf(snapshot, element));
    return children.reduce((count, child) => count + draw(child, isAll), element ? 1 : 0);
  };
  try {
    refresh.all();
    const rows = draw(undefined, true);
    const all = Array.from({ length: rounds }, () => timeOf(() => draw(undefined, true)));
    let changedRows = 0;
    const one = Array.from({ length: rounds }, (_round, at) => {
      const grown = structuredClone(tree);
      grown.children?.[at]?.children?.[at]?.children?.push({
        stepId: `new-${String(at)}`,
        digit: '#',
        label: 'New',
        status: 'pending',
      });
      snapshot = snapshotOf(tree);
      refresh.take({ jobId: snapshot.job.id });
      snapshot = snapshotOf(grown);
      return timeOf(() => {
        refresh.take({ jobId: snapshot.job.id });
        changedRows = changed.reduce((count, element) => count + draw(element, true), 0);
      });
    });
    if (isWhole || changedRows === 0) throw new Error('One menu was to be drawn again.');
    const [allMs, changedMs] = [median(all), median(one)];
    console.log(
      `mappings view, ${String(nodes)} steps: all ${String(rows)} rows ${allMs.toFixed(0)} ms; a menu that has grown ${String(changedRows)} rows, ${changedMs.toFixed(1)} ms, ${(changedMs / allMs).toPrecision(2)} of all`,
    );
  } finally {
    refresh.dispose();
  }
}

function snapshotOf(tree: TreeNode): JobSnapshot {
  const run = runOf(1, 'running');
  const id = '00000000-0000-4000-8000-000000000001';
  return {
    job: {
      id,
      name: 'Bank',
      phoneNumber: '+12025550147',
      profileId: id,
      tags: [],
      config: {
        mappingMode: 'hybrid',
        maxDepth: 5,
        maxCalls: 1000,
        probeMode: 'off',
        concurrency: 4,
        allowedLabels: [],
        pressUnsure: false,
      },
      createdAt: '2025-06-01T08:59:00Z',
      status: 'running',
      currentRun: run,
      runNumber: 1,
    },
    runs: [run],
    trees: new Map([[1, { response: { jobId: id, tree }, readAt: 0 }]]),
  };
}

function childrenOf(snapshot: JobSnapshot, element: TreeElement | undefined): TreeElement[] {
  if (!element) return jobElements([snapshot]);
  switch (element.kind) {
    case 'job':
      return runElements(snapshot, plain);
    case 'run':
      return rootElements(snapshot, element.runNumber, plain);
    case 'menu':
      return menuElements(snapshot, element);
    case 'note':
      return [];
  }
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
