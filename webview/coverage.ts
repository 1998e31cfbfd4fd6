import type { CalltreeNode } from '../src/contract/calltreeFile.ts';
import type { PanelSnapshot } from '../src/contract/panel.ts';
import { countOf, coverTree } from '../src/model/pathCoverage.ts';
import { t } from './l10n.ts';
import type { TreeIndex } from './treeIndex.ts';

/** `elsewhere`: calls came to the step, but not by this key or phrase. */
export type CoverageMark = 'covered' | 'elsewhere' | 'uncovered';

interface Count { readonly covered: number; readonly total: number }

/** What of a tree the calls of a run of tests went through. */
export interface Coverage {
  readonly steps: Count;
  readonly ways: Count;
  /** What could not be explored has none. */
  readonly marks: ReadonlyMap<CalltreeNode, CoverageMark>;
}

export function coverageOf({ walks, tree: { tree } }: PanelSnapshot): Coverage | undefined {
  if (!walks || !tree) return undefined;
  const { statements, branches } = coverTree(tree, walks);
  const taken = new Set(branches.filter(({ executed }) => executed > 0).map(({ path }) => path.at(-1)));
  const marks = new Map<CalltreeNode, CoverageMark>();
  for (const { path, executed } of statements) {
    const node = path.at(-1);
    if (node) marks.set(node, executed === 0 ? 'uncovered' : node === tree || taken.has(node) ? 'covered' : 'elsewhere');
  }
  return { steps: countOf(statements), ways: countOf(branches), marks };
}

/** Keys of the nodes that something is left to cover at, in the tree's order. */
export function uncoveredKeys({ marks }: Coverage, { nodes }: TreeIndex): string[] {
  return nodes.filter(({ node }) => (marks.get(node) ?? 'covered') !== 'covered').map(({ key }) => key);
}

/** On a card: a sign and a word, since colour alone tells nothing to some. */
export const coverageMarks: Readonly<Record<CoverageMark, string>> = { covered: `✓ ${t('covered')}`, elsewhere: `↷ ${t('other way')}`, uncovered: `− ${t('not covered')}` };
