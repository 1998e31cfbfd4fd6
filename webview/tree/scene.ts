import type { MappingRun } from '../../src/contract/mapping.ts';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import { layoutTree, type Placed, type Rectangle, type TreeLayout } from '../../src/model/tree/treeLayout.ts';
import { changedKeys, type ComparedTree } from './marks/comparison.ts';
import { coverageOf, uncoveredKeys, type Coverage } from './marks/coverage.ts';
import { findMatches } from './search/search.ts';
import { shownRun } from './shownRun.ts';
import { ancestorsOf, treeIndexOf, livePath, shownFor, type IndexedNode, type TreeIndex } from './treeIndex.ts';
import { areaOf, kept, type Point, type Size, type View } from './drawing/viewport.ts';

/**
 * A snapshot combined with what the user has collapsed and searched for. Derived from the previous scene; unchanged
 * parts are the same objects.
 */
export interface Scene {
  readonly snapshot: PanelSnapshot;
  readonly run: MappingRun | undefined;
  /** If the tree is compared, the comparison's tree is drawn. */
  readonly comparison: ComparedTree | undefined;
  /** For a tree that isn't compared, or about to be. */
  readonly coverage: Coverage | undefined;
  /** Keys of different or uncovered nodes, in the tree's order. */
  readonly stops: readonly string[];
  readonly index: TreeIndex | undefined;
  readonly layout: TreeLayout<IndexedNode> | undefined;
  readonly collapsed: ReadonlySet<string>;
  readonly query: string;
  /** Keys in the tree's order. */
  readonly matches: readonly string[];
  /** Collapsed nodes with a match below. */
  readonly hidingMatches: ReadonlySet<string>;
  readonly live: ReadonlySet<string>;
  /** Keys that the previous snapshot didn't have. */
  readonly fresh: ReadonlySet<string>;
}

export const cardSizes = { nodeWidth: 252, nodeHeight: 48, rowGap: 8, columnGap: 68 } as const;

const none: ReadonlySet<string> = new Set();

/** @param comparison of the snapshot, if there is one. */
export function sceneOf(
  before: Scene | undefined,
  snapshot: PanelSnapshot,
  comparison: ComparedTree | undefined,
  collapsed: ReadonlySet<string>,
  query: string,
): Scene {
  const run = shownRun(snapshot);
  const isSameSnapshot = before?.snapshot === snapshot && before.comparison === comparison;
  const drawn = isSameSnapshot ? before : drawnOf(before, snapshot, comparison, run);
  const { index } = drawn;
  const isSameIndex = before !== undefined && before.index === index;
  const isSameShape = isSameIndex && before.collapsed === collapsed;
  const isSameSearch = isSameIndex && before.query === query;
  const matches = isSameSearch ? before.matches : index ? findMatches(index, query) : [];
  return {
    snapshot,
    run,
    comparison,
    coverage: drawn.coverage,
    stops: drawn.stops,
    index,
    layout: isSameShape ? before.layout : index && layoutTree(index.root, cardSizes, ({ key }) => collapsed.has(key)),
    collapsed,
    query,
    matches,
    hidingMatches: isSameSearch && isSameShape ? before.hidingMatches : hiding(index, matches, collapsed),
    live: drawn.live,
    fresh: drawn.fresh,
  };
}

/** The part that depends only on the snapshot. */
function drawnOf(
  before: Scene | undefined,
  snapshot: PanelSnapshot,
  comparison: ComparedTree | undefined,
  run: MappingRun | undefined,
): Pick<Scene, 'index' | 'coverage' | 'stops' | 'live' | 'fresh'> {
  const tree = comparison?.tree ?? snapshot.tree.tree;
  const index = tree ? treeIndexOf(tree) : undefined;
  const coverage = snapshot.coverage && !snapshot.base && index ? coverageOf(snapshot.coverage, index) : undefined;
  return {
    index,
    coverage,
    stops: stopsIn(index, comparison, coverage),
    live: index && run?.status === 'running' ? livePath(index) : none,
    fresh: freshIn(before?.index, index),
  };
}

function stopsIn(
  index: TreeIndex | undefined,
  comparison: ComparedTree | undefined,
  coverage: Coverage | undefined,
): string[] {
  if (!index) return [];
  return comparison ? changedKeys(comparison, index) : coverage ? uncoveredKeys(coverage) : [];
}

function hiding(
  index: TreeIndex | undefined,
  matches: readonly string[],
  collapsed: ReadonlySet<string>,
): ReadonlySet<string> {
  if (!index || collapsed.size === 0) return none;
  const keys = new Set<string>();
  for (const key of matches) {
    const node = index.byKey.get(key);
    for (const ancestor of node ? ancestorsOf(node) : []) if (collapsed.has(ancestor.key)) keys.add(ancestor.key);
  }
  return keys;
}

/** The very first tree doesn't fade in. */
function freshIn(before: TreeIndex | undefined, after: TreeIndex | undefined): ReadonlySet<string> {
  if (!before || !after) return none;
  return new Set(after.nodes.filter(({ key }) => !before.byKey.has(key)).map(({ key }) => key));
}

/** A point of the tree that anchors the view. */
export interface Eye extends Point {
  readonly key: string;
}

/** Returns the first visible one of the preferred nodes, or the one nearest to the middle of the screen. */
export function eyeOf(
  layout: TreeLayout<IndexedNode>,
  view: View,
  size: Size,
  preferred: readonly (string | undefined)[],
): Eye | undefined {
  const area = areaOf(view, size, 0);
  const shows = ({ x, y }: Point): boolean =>
    x + layout.sizes.nodeWidth > area.left &&
    x < area.right &&
    y + layout.sizes.nodeHeight > area.top &&
    y < area.bottom;
  for (const key of preferred) {
    const placed = key === undefined ? undefined : layout.byKey.get(key);
    if (key !== undefined && placed && shows(placed)) return { key, x: placed.x, y: placed.y };
  }
  const middle = {
    x: (area.left + area.right - layout.sizes.nodeWidth) / 2,
    y: (area.top + area.bottom - layout.sizes.nodeHeight) / 2,
  };
  let nearest: Placed<IndexedNode> | undefined;
  let least = Infinity;
  for (const column of layout.columns) {
    for (const placed of column) {
      const distance = Math.hypot(placed.x - middle.x, placed.y - middle.y);
      if (distance < least) [nearest, least] = [placed, distance];
    }
  }
  return nearest && { key: nearest.node.key, x: nearest.x, y: nearest.y };
}

/**
 * Returns the view in which the anchor's node keeps its position on the screen; if it is gone or hidden, its nearest
 * visible substitute does.
 */
export function keepEye(view: View, eye: Eye, scene: Scene, before: TreeIndex | undefined): View {
  const { layout, index, collapsed } = scene;
  if (!layout || !index) return view;
  const old = before?.byKey.get(eye.key);
  for (const key of [eye.key, ...(old ? ancestorsOf(old).map((ancestor) => ancestor.key) : [])]) {
    const node = index.byKey.get(key);
    const placed = node && layout.byKey.get(shownFor(node, collapsed).key);
    if (placed) return kept(view, eye, placed);
  }
  return view;
}

export function rectangleOf({ x, y }: Point): Rectangle {
  return { left: x, top: y, right: x + cardSizes.nodeWidth, bottom: y + cardSizes.nodeHeight };
}
