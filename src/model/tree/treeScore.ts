import type { TreeNode, TreeResponse } from '../../contract/tree.ts';

export interface TreeScore {
  readonly options: {
    readonly truth: number;
    readonly found: number;
    readonly right: number;
    readonly precision: number;
    readonly recall: number;
    readonly f1: number;
  };
  readonly hidden: { readonly truth: number; readonly found: number };
  /** Links to a menu that is actually a different one. */
  readonly falseMerges: readonly string[];
  /** Menus expanded more than once. */
  readonly missedLinks: readonly string[];
  readonly ends: { readonly truth: number; readonly right: number; readonly wrong: readonly string[] };
  readonly calls?: { readonly placed: number; readonly leaves: number; readonly ratio: number };
  readonly limitRatio?: number;
  readonly mistakes: readonly string[];
}

/** Compares a tree with the truth, menu by menu, through links in both, whichever of several paths was expanded. */
export function scoreTree(truth: TreeResponse, mapped: TreeResponse): TreeScore {
  return new Scorer(truth, mapped).score();
}

class Scorer {
  readonly #truth: TreeResponse;
  readonly #mapped: TreeResponse;
  readonly #truthById: ReadonlyMap<string, TreeNode>;
  readonly #mappedById: ReadonlyMap<string, TreeNode>;
  /** Mapped menu → the matching menu of the truth, and back. */
  readonly #isTruth = new Map<string, string>();
  readonly #expandedAs = new Map<string, string>();
  readonly #pendingLinks: { readonly truth: TreeNode; readonly target: string; readonly path: string }[] = [];
  readonly #mistakes: string[] = [];
  readonly #falseMerges: string[] = [];
  readonly #missedLinks: string[] = [];
  readonly #wrongEnds: string[] = [];
  #truthOptions = 0;
  #foundOptions = 0;
  #rightOptions = 0;
  #hiddenTruth = 0;
  #hiddenFound = 0;
  #truthEnds = 0;
  #rightEnds = 0;

  constructor(truth: TreeResponse, mapped: TreeResponse) {
    this.#truth = truth;
    this.#mapped = mapped;
    this.#truthById = byId(truth.tree);
    this.#mappedById = byId(mapped.tree);
  }

  score(): TreeScore {
    if (this.#truth.tree && this.#mapped.tree) this.#compareAll(this.#truth.tree, this.#mapped.tree);
    else if (this.#truth.tree) {
      this.#mistakes.push('There is no mapped tree.');
      if (this.#truth.tree.isTerminal) this.#notReached(this.#truth.tree);
      this.#missAllBut(new Set());
    }
    this.#checkLinks();
    const precision =
      this.#foundOptions === 0 ? (this.#truthOptions === 0 ? 1 : 0) : this.#rightOptions / this.#foundOptions;
    const recall = this.#truthOptions === 0 ? 1 : this.#rightOptions / this.#truthOptions;
    const leaves = [...this.#truthById.values()].filter((node) => node.isTerminal).length;
    const { stats } = this.#mapped;
    return {
      options: {
        truth: this.#truthOptions,
        found: this.#foundOptions,
        right: this.#rightOptions,
        precision,
        recall,
        f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
      },
      hidden: { truth: this.#hiddenTruth, found: this.#hiddenFound },
      falseMerges: this.#falseMerges,
      missedLinks: this.#missedLinks,
      ends: { truth: this.#truthEnds, right: this.#rightEnds, wrong: this.#wrongEnds },
      ...(stats
        ? { calls: { placed: stats.callsPlaced, leaves, ratio: stats.callsPlaced / Math.max(1, leaves) } }
        : {}),
      ...(stats?.limit ? { limitRatio: stats.limit.ratio } : {}),
      mistakes: this.#mistakes,
    };
  }

  #compareAll(truthRoot: TreeNode, mappedRoot: TreeNode): void {
    const queue: (readonly [TreeNode, TreeNode])[] = [[truthRoot, mappedRoot]];
    const seen = new Set<TreeNode>();
    for (const [truth, mapped] of queue) {
      if (mapped.status === 'linked' && mapped.linksTo !== undefined)
        this.#pendingLinks.push({ truth, target: mapped.linksTo, path: pathOf(mapped) });
      const truthMenu = this.#follow(truth, this.#truthById);
      if (truthMenu.isTerminal) {
        this.#compareEnd(truthMenu, mapped);
        continue;
      }
      const mappedMenu = this.#follow(mapped, this.#mappedById);
      if (mapped.status !== 'linked') this.#expanded(truthMenu, mapped);
      if (seen.has(mappedMenu) || seen.has(truthMenu)) continue;
      seen.add(truthMenu).add(mappedMenu);
      queue.push(...this.#compareMenu(truthMenu, mappedMenu));
    }
    this.#missAllBut(seen);
  }

  #missAllBut(seen: ReadonlySet<TreeNode>): void {
    for (const node of this.#truthById.values()) {
      if (!node.isTerminal && node.status === 'explored' && !seen.has(node)) this.#missing(node);
    }
  }

  #missing(menu: TreeNode): void {
    const offered = menu.children?.filter((child) => !child.hidden) ?? [];
    this.#truthOptions += offered.length;
    if (offered.length > 0) this.#mistakes.push(`${pathOf(menu)}: this menu was not found.`);
    for (const child of offered) if (child.isTerminal) this.#notReached(child);
  }

  #notReached(end: TreeNode): void {
    this.#truthEnds += 1;
    this.#wrongEnds.push(`${pathOf(end)}: ${end.end ?? 'the end'} was not reached`);
  }

  #follow(node: TreeNode, nodes: ReadonlyMap<string, TreeNode>): TreeNode {
    return node.status === 'linked' && node.linksTo !== undefined ? (nodes.get(node.linksTo) ?? node) : node;
  }

  #expanded(truthMenu: TreeNode, mapped: TreeNode): void {
    const id = truthMenu.stepId ?? '';
    const other = this.#expandedAs.get(id);
    if (other !== undefined && other !== mapped.stepId)
      this.#missedLinks.push(`${pathOf(mapped)} is the same menu as ${this.#nameOf(other)}`);
    this.#expandedAs.set(id, other ?? mapped.stepId ?? '');
    this.#isTruth.set(mapped.stepId ?? '', id);
  }

  #compareMenu(truth: TreeNode, mapped: TreeNode): (readonly [TreeNode, TreeNode])[] {
    const children = new Map(
      (mapped.children ?? []).filter((child) => child.status !== 'failed').map((child) => [wayOf(child), child]),
    );
    const found = new Set([...children.keys(), ...(mapped.options ?? []).map(({ key }) => key)]);
    const pairs: (readonly [TreeNode, TreeNode])[] = [];
    const wanted = new Set((truth.children ?? []).map(wayOf));
    // What follows a time-out is in the truth only if the menu offers to wait.
    for (const [way, child] of children) if (child.byWaiting === true && !wanted.has(way)) found.delete(way);
    for (const child of truth.children ?? []) {
      const way = wayOf(child);
      const has = found.has(way);
      if (child.hidden) {
        this.#hiddenTruth += 1;
        if (has) this.#hiddenFound += 1;
      } else {
        this.#truthOptions += 1;
        if (has) {
          this.#rightOptions += 1;
          this.#foundOptions += 1;
        } else this.#mistakes.push(`${pathOf(child)}: this option was not found.`);
      }
      const match = children.get(way);
      if (match) pairs.push([child, match]);
      else if (child.isTerminal && !child.hidden) this.#notReached(child);
    }
    for (const way of found) {
      if (!wanted.has(way)) {
        this.#foundOptions += 1;
        this.#mistakes.push(`${pathOf(mapped)}: there is no option ${way}.`);
      }
    }
    return pairs;
  }

  #compareEnd(truth: TreeNode, mapped: TreeNode): void {
    this.#truthEnds += 1;
    if (mapped.end === truth.end) this.#rightEnds += 1;
    else
      this.#wrongEnds.push(
        `${pathOf(truth)}: ${truth.end ?? 'no end'} was mapped as ${mapped.end ?? mapped.status ?? 'nothing'}`,
      );
  }

  #nameOf(mappedId: string): string {
    const node = this.#mappedById.get(mappedId);
    return node ? pathOf(node) : mappedId;
  }

  #checkLinks(): void {
    for (const { truth, target, path } of this.#pendingLinks) {
      const is = this.#isTruth.get(target);
      const truthId = this.#follow(truth, this.#truthById).stepId;
      if (is !== truthId) this.#falseMerges.push(`${path} links to ${this.#nameOf(target)}, which is another menu`);
    }
  }
}

const wayOf = (node: TreeNode): string => node.digit ?? node.spokenResponse ?? node.label ?? '';
const pathOf = (node: TreeNode): string => (node.path === undefined || node.path === '' ? 'root' : node.path);

function byId(tree: TreeNode | null | undefined): Map<string, TreeNode> {
  const nodes = new Map<string, TreeNode>();
  const visit = (node: TreeNode): void => {
    if (node.stepId !== undefined) nodes.set(node.stepId, node);
    node.children?.forEach(visit);
  };
  if (tree) visit(tree);
  return nodes;
}
