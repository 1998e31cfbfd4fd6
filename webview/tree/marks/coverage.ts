import type { CoverageMark, PanelCoverage } from '../../../src/contract/panel.ts';
import { t } from '../../page/l10n.ts';
import type { TreeIndex } from '../treeIndex.ts';

/** What of a tree the calls of a run of tests went through. */
export interface Coverage extends Pick<PanelCoverage, 'steps' | 'ways'> {
  /** By the keys of the nodes; what could not be explored has none. */
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

/** Keys of the nodes that something is left to cover at, in the tree's order. */
export const uncoveredKeys = ({ marks }: Coverage): string[] =>
  [...marks].filter(([, mark]) => mark !== 'covered').map(([key]) => key);

/** On a card: a sign and a word, since colour alone tells nothing to some. */
export const coverageMarks: Readonly<Record<CoverageMark, string>> = {
  covered: `✓ ${t('covered')}`,
  elsewhere: `↷ ${t('via another branch')}`,
  uncovered: `− ${t('not covered')}`,
};
