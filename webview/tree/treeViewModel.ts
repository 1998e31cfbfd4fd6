import { isRecord } from '../../src/base/isRecord.ts';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import type { ComparedTree } from './marks/comparison.ts';
import { followedView, placedView, type ShownStep } from './placement.ts';
import { cardSizes, eyeOf, rectangleOf, sceneOf, type Eye, type Scene } from './scene.ts';
import { stepMatch } from './search/search.ts';
import { ancestorsOf, sameWay, shownFor, type TreeIndex } from './treeIndex.ts';
import { clampZoom, fit, leashed, zoomAt, type Size, type View } from './drawing/viewport.ts';
import { reduce, restoreState, restoredEye, storedState, type ViewAction, type ViewState } from './viewState.ts';

interface ArrangementParts {
  /** The size of the drawing, in CSS pixels. */
  readonly size: () => Size;
  /** Something must be redrawn and stored. */
  readonly onChange: () => void;
  /** The selected node should get the keyboard focus. */
  readonly takeFocus: () => void;
}

/** The number of steps above which a tree opens with two levels unfolded. More menus don't fit on a screen. */
const maxUnfolded = 200;
const unfoldedLevels = 2;

/**
 * The user's view of the tree: the snapshot's scene, the visible part, and what is collapsed, selected and searched
 * for. Draws nothing.
 */
export class TreeViewModel {
  readonly #parts: ArrangementParts;
  #state: ViewState;
  #snapshot: PanelSnapshot | undefined;
  /** The comparison of the snapshot's tree with its base, once it is known. */
  #comparison: ComparedTree | undefined;
  #scene: Scene | undefined;
  /** The scene for which the view was last positioned. */
  #placed: Scene | undefined;
  /** The scene of a new snapshot or search, until something else changes. */
  #next: Scene | undefined;
  /** The point that keeps its position when the tree changes. */
  #eye: Eye | undefined;
  /** The node to scroll to when the layout is known. */
  #target: ShownStep | undefined;
  /** The node that was unfolded last. */
  #unfolded: string | undefined;
  /** A step that was requested before the snapshot that contains it. */
  #awaited: string | undefined;
  /** The user hasn't seen a tree here yet. */
  #isNew: boolean;

  /** @param stored the result of `stored` in an earlier page, or anything else */
  constructor(stored: unknown, parts: ArrangementParts) {
    this.#parts = parts;
    this.#state = restoreState(stored);
    this.#eye = restoredEye(stored);
    this.#isNew = !isRecord(stored);
  }

  get state(): ViewState {
    return this.#state;
  }
  get scene(): Scene | undefined {
    return this.#scene;
  }
  get stored(): ReturnType<typeof storedState> {
    return storedState(this.#state, this.#eye);
  }

  dispatch(action: ViewAction): void {
    this.#state = reduce(this.#state, action);
    this.#parts.onChange();
  }

  take(snapshot: PanelSnapshot, comparison: ComparedTree | undefined): void {
    this.#snapshot = snapshot;
    this.#comparison = comparison;
    this.#next = sceneOf(this.#scene, snapshot, comparison, this.#state.collapsed, this.#state.search);
    this.#enterRun(this.#next);
    if (this.#isNew && this.#next.index) this.#unfold(this.#next.index);
  }

  /** Returns the current scene, or undefined before the first snapshot. */
  arrange(): Scene | undefined {
    if (!this.#snapshot) return undefined;
    const { collapsed, search } = this.#state;
    const isReady = this.#next?.collapsed === collapsed && this.#next.query === search;
    const scene =
      isReady && this.#next ? this.#next : sceneOf(this.#scene, this.#snapshot, this.#comparison, collapsed, search);
    this.#next = undefined;
    this.#scene = scene;
    return scene;
  }

  /** Call this when the size of the other parts is final. */
  place(): void {
    const scene = this.#scene;
    if (!scene) return;
    const size = this.#parts.size();
    const view = placedView({
      before: this.#placed,
      scene,
      state: this.#state,
      eye: this.#eye,
      target: this.#target,
      size,
    });
    this.#placed = scene;
    this.#target = undefined;
    if (view !== this.#state.view) this.#state = reduce(this.#state, { type: 'keep', view });
    if (scene.layout) this.#eye = eyeOf(scene.layout, view, size, [this.#state.focused, this.#state.selected]);
  }

  move(view: View): void {
    const bounds = this.#scene?.layout?.bounds;
    this.dispatch({ type: 'move', view: bounds ? leashed(view, this.#parts.size(), bounds) : view });
  }

  /** Around the point that the user looks at, so that it stays on the screen. */
  zoom(factor: number): void {
    const { view } = this.#state;
    const { width, height } = this.#parts.size();
    const eye = this.#eye && {
      x: (this.#eye.x + cardSizes.nodeWidth / 2) * view.zoom + view.x,
      y: (this.#eye.y + cardSizes.nodeHeight / 2) * view.zoom + view.y,
    };
    const shows = eye && eye.x > 0 && eye.x < width && eye.y > 0 && eye.y < height;
    this.move(zoomAt(view, shows ? eye : { x: width / 2, y: height / 2 }, clampZoom(view.zoom * factor)));
  }

  fit(): void {
    const { layout, index } = this.#scene ?? {};
    const eye = layout?.byKey.get(this.#state.focused ?? '') ?? layout?.byKey.get(index?.root.key ?? '');
    if (layout && eye)
      this.dispatch({ type: 'follow', view: fit(layout.bounds, this.#parts.size(), rectangleOf(eye)) });
  }

  resized(): void {
    const view = this.#state.following && this.#scene ? followedView(this.#scene, this.#parts.size()) : undefined;
    // The anchor stays visible on a smaller stage, with what the user has just unfolded.
    const { selected, paneOpen } = this.#state;
    if (paneOpen && selected !== undefined) this.#target = { key: selected, how: 'branch' };
    else if (!view && this.#eye)
      this.#target = { key: this.#eye.key, how: this.#eye.key === this.#unfolded ? 'branch' : undefined };
    this.dispatch(view ? { type: 'follow', view } : { type: 'keep', view: this.#state.view });
  }

  /** The card's branch stays beside the pane that opens. */
  select(key: string): void {
    this.#target = { key, how: 'branch' };
    this.dispatch({ type: 'select', key });
  }

  goTo(key: string, how: 'focus' | 'select', target?: ShownStep['how']): void {
    const node = this.#scene?.index?.byKey.get(key);
    if (!node) return;
    const hidden = ancestorsOf(node)
      .map((ancestor) => ancestor.key)
      .filter((ancestor) => this.#state.collapsed.has(ancestor));
    if (hidden.length > 0) this.dispatch({ type: 'expand', keys: hidden });
    // After the user has navigated somewhere, the view doesn't follow the crawl.
    this.dispatch({ type: 'move', view: this.#state.view });
    this.#bring({ key, how: target ?? (how === 'select' ? 'branch' : undefined) }, how);
    if (how === 'select') this.#parts.takeFocus();
  }

  #bring(target: ShownStep, how: 'focus' | 'select'): void {
    this.#target = target;
    this.dispatch({ type: how, key: target.key });
  }

  /** Goes to a step as soon as the tree contains it. */
  reveal(stepId = this.#awaited): void {
    this.#awaited = stepId;
    if (stepId === undefined || !this.#scene?.index?.byKey.has(stepId)) return;
    this.goTo(stepId, 'select', 'centre');
    this.#awaited = undefined;
  }

  /** For a linked node, goes to its menu; for any other, opens or closes its branch. */
  jump(key: string): void {
    const target = this.#scene?.index?.byKey.get(key)?.node.linksTo;
    if (target !== undefined && this.#scene?.index?.byKey.has(target)) this.goTo(target, 'select');
    else this.toggle(key);
  }

  toggle(key: string): void {
    if (this.#scene?.index?.byKey.get(key)?.children.length === 0) return;
    if (this.#state.collapsed.has(key)) {
      this.expand(key, [key]);
      return;
    }
    const isFocusSeen = this.#eye?.key === this.#state.focused;
    this.#holdBy(key);
    this.dispatch({ type: 'collapse', keys: [key] });
    const focused = this.#scene?.index?.byKey.get(this.#state.focused ?? '');
    if (focused && ancestorsOf(focused).some((ancestor) => this.#state.collapsed.has(ancestor.key)))
      this.dispatch({ type: 'focus', key });
    if (isFocusSeen && this.#state.focused !== undefined) this.#target = { key: this.#state.focused };
  }

  /** Opens branches, and shows what the node `at` leads to. */
  expand(at: string, keys: readonly string[]): void {
    this.#holdBy(at);
    this.#unfolded = at;
    this.#target = { key: at, how: 'branch' };
    this.dispatch({ type: 'expand', keys });
  }

  /** The clicked node doesn't move. */
  #holdBy(key: string): void {
    const placed = this.#scene?.layout?.byKey.get(key);
    if (!placed) return;
    this.#eye = { key, x: placed.x, y: placed.y };
    this.dispatch({ type: 'move', view: this.#state.view });
  }

  collapseAll(): void {
    const { index } = this.#scene ?? {};
    if (!index) return;
    this.dispatch({ type: 'collapse', keys: menusBelow(index, 1) });
    const focused = index.byKey.get(this.#state.focused ?? '') ?? index.root;
    this.#bring({ key: shownFor(focused, this.#state.collapsed).key }, 'focus');
  }

  searchFor(text: string): void {
    this.dispatch({ type: 'search', text });
    if (!this.#snapshot) return;
    this.#next = sceneOf(this.#scene, this.#snapshot, this.#comparison, this.#state.collapsed, text);
    const { matches } = this.#next;
    const first = matches.includes(this.#state.focused ?? '') ? this.#state.focused : matches[0];
    if (first !== undefined) this.goTo(first, 'focus');
  }

  toMatch(by: 1 | -1): void {
    const next = stepMatch(this.#scene?.matches ?? [], this.#state.focused, by);
    if (next !== undefined) this.goTo(next, 'focus');
  }

  toStop(by: 1 | -1): void {
    const next = stepMatch(this.#scene?.stops ?? [], this.#state.focused, by);
    if (next !== undefined) this.goTo(next, 'focus');
  }

  #unfold(index: TreeIndex): void {
    this.#isNew = false;
    if (index.nodes.length > maxUnfolded)
      this.#state = reduce(this.#state, { type: 'collapse', keys: menusBelow(index, unfoldedLevels) });
  }

  /** Another run has different stepIds, so the selection is found again by its path from the root. */
  #enterRun(next: Scene): void {
    const runId = next.run?.id;
    const { index: old } = this.#scene ?? {};
    const { index } = next;
    if (runId === this.#state.runId || !index) return;
    const found = (key: string | undefined): string | undefined => {
      const node = key === undefined ? undefined : old?.byKey.get(key);
      return node ? sameWay(node, index)?.key : key !== undefined && index.byKey.has(key) ? key : undefined;
    };
    const { size } = this.#state.collapsed;
    const collapsed =
      size === 0
        ? this.#state.collapsed
        : new Set([...this.#state.collapsed].map(found).filter((key) => key !== undefined));
    this.#state = reduce(this.#state, {
      type: 'run',
      runId,
      // A run that has just started is seen from its root.
      following: this.#state.following || next.run?.status === 'running',
      focused: found(this.#state.focused),
      selected: found(this.#state.selected),
      collapsed,
    });
  }
}

/** Returns the keys of the menus from this depth on; the root has depth 0. */
const menusBelow = ({ nodes }: TreeIndex, least: number): string[] =>
  nodes.filter(({ children, depth }) => children.length > 0 && depth >= least).map(({ key }) => key);
