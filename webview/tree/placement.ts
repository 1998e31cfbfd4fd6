import { keepEye, rectangleOf, type Eye, type Scene } from './scene.ts';
import { centred, followed, revealed, type Size, type View } from './drawing/viewport.ts';
import type { ViewState } from './viewState.ts';

export interface Target {
  readonly key: string;
  readonly centre: boolean;
}

interface Placement {
  readonly before: Scene | undefined;
  readonly scene: Scene;
  readonly state: ViewState;
  readonly eye: Eye | undefined;
  readonly target: Target | undefined;
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
  return target.centre ? centred(view, size, rectangleOf(placed)) : revealed(view, size, rectangleOf(placed));
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
