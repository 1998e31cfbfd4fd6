import type { CoverageMark, PanelCoverage } from '../../../src/contract/panel.ts';
import { t } from '../../page/l10n.ts';
import type { TreeIndex } from '../treeIndex.ts';

/** The part of a tree that the calls of a test run reached. */
export interface Coverage extends Pick<PanelCoverage, 'steps' | 'ways'> {
  /** By node key; nodes that couldn't be explored have none. */
  readonly marks: ReadonlyMap<string, CoverageMark>;
}

export function coverageOf({ steps, ways, marks }: PanelCoverage, { nodes }: TreeIndex): Coverage {
  return {
    steps,
    ways,
    marks: new Map(
      nodes.flatMap(({ key }, at) => {
        const mark = marks[at];
        return mark ? [[key, mark] as const] : [];
      }),
    ),
  };
}

/** Returns the keys of the nodes that still aren't covered, in the tree's order. */
export const uncoveredKeys = ({ marks }: Coverage): string[] =>
  [...marks].filter(([, mark]) => mark !== 'covered').map(([key]) => key);

/** On a card: a sign and a word, because not everyone can distinguish colours. */
export const coverageMarks: Readonly<Record<CoverageMark, string>> = {
  covered: `✓ ${t('covered')}`,
  elsewhere: `↷ ${t('via another branch')}`,
  uncovered: `− ${t('not covered')}`,
};
