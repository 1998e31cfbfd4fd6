import { performance } from 'node:perf_hooks';
import type { TreeNode } from '../../src/contract/tree.ts';
import { diffTrees, diffTreesSliced } from '../../src/model/tree/diff/treeDiff.ts';
import { inTurns } from '../../src/service/basics/inTurns.ts';
import { minimalStandard, sketch, treeOfSketch } from '../unit/model/tree/sketchedIvr.ts';
import { median } from './median.ts';

const steps = 10_000;
const rounds = 5;
/** The maximum time that another request waits while the service compares. */
const budgetMs = 200;

/**
 * Compares trees of 10,000 steps: with themselves, which is the reference, and with a tree in which every word differs
 * while its numbers are the same.
 */
export async function measureComparison(): Promise<void> {
  const root = sketch(steps, 11);
  const base = treeOfSketch(root);
  const different = treeOfSketch(root, otherWords(9));
  const times = (current: TreeNode): number =>
    median(
      Array.from({ length: rounds }, () => {
        const start = performance.now();
        diffTrees(base, current);
        return performance.now() - start;
      }),
    );
  const [sameMs, differentMs] = [times(treeOfSketch(root)), times(different)];
  let [longestSliceMs, since, isOver] = [0, performance.now(), false];
  const turn = (): void => {
    longestSliceMs = Math.max(longestSliceMs, performance.now() - since);
    since = performance.now();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await inTurns(diffTreesSliced(base, different));
  isOver = true;
  longestSliceMs = Math.max(longestSliceMs, performance.now() - since);
  console.log(
    `${String(steps)} steps compared with themselves: ${sameMs.toFixed(0)} ms; with entirely different ones ${differentMs.toFixed(0)} ms, ${(differentMs / sameMs).toFixed(1)} of that`,
  );
  console.log(
    `others wait at most ${longestSliceMs.toFixed(0)} ms meanwhile, ${(longestSliceMs / budgetMs).toFixed(2)} of the budget of ${String(budgetMs)} ms`,
  );
}

/** Replaces each word by another one, always the same; numbers stay. */
function otherWords(seed: number): (text: string) => string {
  const random = minimalStandard(seed);
  const known = new Map<string, string>();
  return (text) =>
    text
      .split(' ')
      .map((word) => {
        if (/^\d/.test(word)) return word;
        const other =
          known.get(word) ?? Array.from({ length: 4 + random(6) }, () => String.fromCharCode(97 + random(26))).join('');
        known.set(word, other);
        return other;
      })
      .join(' ');
}
