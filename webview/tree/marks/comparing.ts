import type { PanelSnapshot } from '../../../src/contract/panel.ts';
import type { TreeNode } from '../../../src/contract/tree.ts';
import { comparisonOf, type ComparedTree } from './comparison.ts';
import { KeptBase } from './keptBase.ts';

/** The number of steps in both trees that is compared within a frame. */
const atOnce = 1_000;
/** For a tree that grows during the comparison: the share of time for the user. */
const restShare = 4;

/**
 * Compares the trees of snapshots. Large ones are drawn first and compared afterwards; until then, the last comparison
 * stays.
 */
export class Comparing {
  readonly #show: (snapshot: PanelSnapshot, comparison: ComparedTree | undefined) => void;
  readonly #base = new KeptBase();
  #title: string | undefined;
  #waiting: PanelSnapshot | undefined;
  #restUntil = 0;

  constructor(show: (snapshot: PanelSnapshot, comparison: ComparedTree | undefined) => void) {
    this.#show = show;
  }

  take(given: PanelSnapshot): void {
    const snapshot = this.#base.whole(given);
    const {
      base,
      tree: { tree },
    } = snapshot;
    if (!base || !tree || !hasMore(atOnce, base.tree, tree)) {
      this.#waiting = undefined;
      this.#title = base?.title;
      this.#show(snapshot, comparisonOf(snapshot));
      return;
    }
    const isDue = this.#waiting !== undefined;
    this.#waiting = snapshot;
    if (this.#title !== base.title) {
      this.#title = undefined;
      this.#show(snapshot, undefined);
    }
    // The second frame begins when the one that draws the tree has reached the screen.
    if (!isDue)
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          setTimeout(() => this.#compare(), Math.max(0, this.#restUntil - performance.now())),
        ),
      );
  }

  #compare(): void {
    const snapshot = this.#waiting;
    if (!snapshot) return;
    this.#waiting = undefined;
    const start = performance.now();
    const comparison = comparisonOf(snapshot);
    this.#restUntil = performance.now() + restShare * (performance.now() - start);
    this.#title = comparison?.title;
    this.#show(snapshot, comparison);
  }
}

function hasMore(most: number, ...trees: readonly { readonly children?: readonly TreeNode[] | undefined }[]): boolean {
  let count = 0;
  const open = [...trees];
  for (let node = open.pop(); node && count <= most; node = open.pop()) {
    count += 1;
    open.push(...(node.children ?? []));
  }
  return count > most;
}
