import { hierarchy, tree } from 'd3-hierarchy';

/**
 * The positions of a tree's nodes: root at the left, one column per depth, in the tree's own order from top to bottom.
 * All lengths are in pixels at zoom 1.
 */

interface LayoutNode<N> {
  readonly key: string;
  readonly children: readonly N[];
}

export interface LayoutSizes {
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  readonly rowGap: number;
  /** Space between two columns, for the links. */
  readonly columnGap: number;
}

export interface Placed<N> {
  readonly node: N;
  readonly depth: number;
  /** Left edge. */
  readonly x: number;
  /** Top edge. */
  readonly y: number;
  /** The visible children; none if the node is collapsed. */
  readonly children: readonly Placed<N>[];
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface TreeLayout<N> {
  readonly sizes: LayoutSizes;
  /** One column per depth, each sorted by y. */
  readonly columns: readonly (readonly Placed<N>[])[];
  readonly byKey: ReadonlyMap<string, Placed<N>>;
  readonly bounds: Rectangle;
}

/** Cousins are further apart than siblings, so that families are visible. */
const cousinDistance = 1.3;

/** Tidy tree (Buchheim, Jünger, Leipert: "Improving Walker's Algorithm to Run in Linear Time", 2002). */
export function layoutTree<N extends LayoutNode<N>>(
  root: N,
  sizes: LayoutSizes,
  isCollapsed: (node: N) => boolean,
): TreeLayout<N> {
  const rows = sizes.nodeHeight + sizes.rowGap;
  const columnWidth = sizes.nodeWidth + sizes.columnGap;
  const arranged = tree<N>()
    .nodeSize([rows, columnWidth])
    .separation((a, b) => (a.parent === b.parent ? 1 : cousinDistance))(
    hierarchy(root, (node) => (isCollapsed(node) ? [] : node.children)),
  );

  const columns: Placed<N>[][] = [];
  const byKey = new Map<string, Placed<N>>();
  const childrenOf = new Map<N, Placed<N>[]>();
  // Breadth first: every column fills in the tree's order, which is the order of y.
  for (const { data: node, depth, x: across, y: along, parent } of arranged) {
    const children: Placed<N>[] = [];
    childrenOf.set(node, children);
    const placed: Placed<N> = { node, depth, x: along, y: across, children };
    (columns[depth] ??= []).push(placed);
    byKey.set(node.key, placed);
    if (parent) childrenOf.get(parent.data)?.push(placed);
  }
  return { sizes, columns, byKey, bounds: boundsOf(columns, sizes) };
}

function boundsOf<N>(columns: readonly (readonly Placed<N>[])[], { nodeWidth, nodeHeight }: LayoutSizes): Rectangle {
  let top = Infinity;
  let bottom = -Infinity;
  for (const column of columns) {
    top = Math.min(top, column[0]?.y ?? Infinity);
    bottom = Math.max(bottom, (column.at(-1)?.y ?? -Infinity) + nodeHeight);
  }
  return { left: 0, top, right: (columns.at(-1)?.[0]?.x ?? 0) + nodeWidth, bottom };
}

/** Returns the nodes that touch the rectangle. O(depth · log nodes + found). */
export function nodesIn<N>({ columns, sizes }: TreeLayout<N>, area: Rectangle): Placed<N>[] {
  const found: Placed<N>[] = [];
  for (const column of columns) {
    const x = column[0]?.x ?? 0;
    if (x > area.right || x + sizes.nodeWidth < area.left) continue;
    for (
      let at = firstWhere(column, (placed) => placed.y + sizes.nodeHeight >= area.top);
      at < column.length;
      at += 1
    ) {
      const placed = column[at];
      if (!placed || placed.y > area.bottom) break;
      found.push(placed);
    }
  }
  return found;
}

export interface Links<N> {
  readonly parent: Placed<N>;
  /** The children whose links can cross the rectangle; of a long family, only those near it. */
  readonly children: readonly Placed<N>[];
}

/** Returns the links that can touch the rectangle, even from far outside. Checks all nodes of visible columns. */
export function linksIn<N>({ columns, sizes }: TreeLayout<N>, area: Rectangle): Links<N>[] {
  const found: Links<N>[] = [];
  for (const column of columns) {
    const from = (column[0]?.x ?? 0) + sizes.nodeWidth;
    if (from > area.right || from + sizes.columnGap < area.left) continue;
    for (const parent of column) {
      const first = parent.children[0];
      const last = parent.children.at(-1);
      if (!first || !last) continue;
      if (Math.max(parent.y, last.y) + sizes.nodeHeight < area.top || Math.min(parent.y, first.y) > area.bottom)
        continue;
      found.push({ parent, children: crossing(parent, area, sizes.nodeHeight) });
    }
  }
  return found;
}

/** A link lies between the heights of its two ends. */
function crossing<N>(parent: Placed<N>, area: Rectangle, height: number): Placed<N>[] {
  const { children } = parent;
  const start = parent.y + height < area.top ? firstWhere(children, (child) => child.y + height >= area.top) : 0;
  const end = parent.y > area.bottom ? firstWhere(children, (child) => child.y > area.bottom) : children.length;
  return children.slice(start, end);
}

function firstWhere<T>(sorted: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
