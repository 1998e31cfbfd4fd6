import type { Placed, Rectangle } from '../../src/model/tree/treeLayout.ts';
import { keepEye, rectangleOf, type Eye, type Scene } from './scene.ts';
import type { IndexedNode } from './treeIndex.ts';
import { centred, followed, fullZoom, margin, revealed, zoomAt, type Size, type View } from './drawing/viewport.ts';
import type { ViewState } from './viewState.ts';

export interface ShownStep {
  readonly key: string;
  /** In the middle, or with the steps that it leads to; otherwise anywhere on the screen. */
  readonly how?: 'centre' | 'branch' | undefined;
}

interface Placement {
  readonly before: Scene | undefined;
  readonly scene: Scene;
  readonly state: ViewState;
  readonly eye: Eye | undefined;
  readonly target: ShownStep | undefined;
  readonly size: Size;
}

/**
 * Returns the view for a new scene: on a new layout it follows, or keeps its position; then it shows the requested
 * node.
 */
export function placedView({ before, scene, state, eye, target, size }: Placement): View {
  const { layout } = scene;
  if (!layout) return state.view;
  let { view } = state;
  if (before?.layout !== layout) {
    if (state.following) view = followedView(scene, size) ?? view;
    else if (eye) view = keepEye(view, eye, scene, before?.index);
  }
  const placed = target && layout.byKey.get(target.key);
  if (!placed) return view;
  if (target.how === 'centre') return centred(view, size, rectangleOf(placed));
  if (target.how === 'branch') {
    const { left, right } = branchOf(placed, Infinity);
    // A branch that is wider than the stage gets smaller while its cards stay readable.
    const zoom = Math.min(view.zoom, Math.max(fullZoom, (size.width - 2 * margin) / (right - left)));
    view = zoomAt(view, { x: placed.x * view.zoom + view.x, y: placed.y * view.zoom + view.y }, zoom);
    view = revealed(view, size, branchOf(placed, size.height / view.zoom));
  }
  return revealed(view, size, rectangleOf(placed));
}

/** The node and its children. If they are higher than the screen, those beside the node are enough. */
function branchOf({ x, y, children }: Placed<IndexedNode>, height: number): Rectangle {
  const own = rectangleOf({ x, y });
  const [first, last] = [children[0], children.at(-1)];
  if (!first || !last) return own;
  const all = { ...own, right: rectangleOf(first).right, top: Math.min(y, first.y), bottom: rectangleOf(last).bottom };
  return all.bottom - all.top > height - 2 * margin ? { ...own, right: all.right } : all;
}

/** Follows the crawl in a tree that is too large to be seen as a whole. */
export function followedView({ layout, index, live, snapshot }: Scene, size: Size): View | undefined {
  if (!layout || !index || size.width === 0) return undefined;
  const busiest =
    snapshot.job?.status === 'running'
      ? index.nodes.findLast(({ key }) => live.has(key) && layout.byKey.has(key))
      : undefined;
  const eye = layout.byKey.get((busiest ?? index.root).key);
  return eye && followed(layout.bounds, size, rectangleOf(eye));
}
