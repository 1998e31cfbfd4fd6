import type { Placed } from '../../../src/model/tree/treeLayout.ts';
import { element, on, setAttributes } from '../../page/element.ts';
import { svg } from '../../page/svg.ts';
import type { Scene } from '../scene.ts';
import type { IndexedNode } from '../treeIndex.ts';
import type { ViewState } from '../viewState.ts';
import { areaOf, type Size, type View } from './viewport.ts';

/** A tree of fewer screens than this is easy to scroll. */
const leastScreens = 2;
/** A narrower stage needs its whole width, in pixels. */
const leastWidth = 360;

/**
 * The whole tree as a strip beside the stage: its steps, what was found in it, and the visible part, which follows the
 * pointer. For the pointer only: the keyboard goes to steps, and the search to matches.
 */
export class Overview {
  readonly element: HTMLElement;
  readonly #steps = svg('path', { class: 'overview-steps' });
  readonly #found = svg('path', { class: 'overview-found' });
  readonly #selected = svg('path', { class: 'overview-selected' });
  readonly #seen = svg('rect', { class: 'overview-seen' });
  readonly #drawing = svg('svg', { preserveAspectRatio: 'none' }, this.#steps, this.#found, this.#selected, this.#seen);
  #scene: Scene | undefined;
  #marked: readonly string[] | undefined;
  #view: View | undefined;
  #size: Size | undefined;

  constructor(onMove: (view: View) => void) {
    this.element = element('div', { class: 'overview', 'aria-hidden': 'true' }, this.#drawing);
    const look = ({ clientX, clientY }: PointerEvent): void => {
      const { bounds } = this.#scene?.layout ?? {};
      if (!bounds || !this.#view || !this.#size) return;
      const box = this.#drawing.getBoundingClientRect();
      const x = bounds.left + ((clientX - box.left) / box.width) * (bounds.right - bounds.left);
      const y = bounds.top + ((clientY - box.top) / box.height) * (bounds.bottom - bounds.top);
      const { zoom } = this.#view;
      onMove({ zoom, x: this.#size.width / 2 - x * zoom, y: this.#size.height / 2 - y * zoom });
    };
    on(this.element, 'pointerdown', (event) => {
      // The focus stays where it is.
      event.preventDefault();
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      look(event);
    });
    on(this.element, 'pointermove', (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) look(event);
    });
    on(
      this.element,
      'wheel',
      (event) => {
        event.preventDefault();
        if (this.#view) onMove({ ...this.#view, x: this.#view.x - event.deltaX, y: this.#view.y - event.deltaY });
      },
      { passive: false },
    );
  }

  /** Shows the strip if the tree is several screens high. It takes its width from the stage, so never from the height. */
  show(scene: Scene, { view, selected, paneOpen }: ViewState, size: Size): void {
    const { layout } = scene;
    const room = this.element.parentElement?.clientWidth ?? 0;
    const isLong = layout && (layout.bounds.bottom - layout.bounds.top) * view.zoom >= leastScreens * size.height;
    this.element.hidden = !isLong || size.height === 0 || room < leastWidth;
    const before = this.#scene;
    [this.#scene, this.#view, this.#size] = [scene, view, size];
    if (!layout || this.element.hidden) {
      this.#scene = undefined;
      return;
    }
    const { bounds, byKey, sizes } = layout;
    const pathOf = (nodes: Iterable<Placed<IndexedNode> | undefined>): string =>
      [...nodes]
        .map((at) => (at ? `M${at.x} ${at.y}h${sizes.nodeWidth}v${sizes.nodeHeight}h${-sizes.nodeWidth}z` : ''))
        .join('');
    const found = scene.query === '' ? scene.stops : scene.matches;
    // While the view moves, only the visible part changes.
    if (before?.layout !== layout || this.#marked !== found)
      setAttributes(this.#found, { d: pathOf(found.map((key) => byKey.get(key))) });
    this.#marked = found;
    if (before?.layout !== layout) {
      setAttributes(this.#drawing, {
        viewBox: `${bounds.left} ${bounds.top} ${bounds.right - bounds.left} ${bounds.bottom - bounds.top}`,
      });
      setAttributes(this.#steps, { d: pathOf(byKey.values()) });
    }
    setAttributes(this.#selected, { d: pathOf(paneOpen && selected !== undefined ? [byKey.get(selected)] : []) });
    const seen = areaOf(view, size, 0);
    setAttributes(this.#seen, {
      x: String(seen.left),
      y: String(seen.top),
      width: String(seen.right - seen.left),
      height: String(seen.bottom - seen.top),
    });
  }
}
