import { on } from '../../page/element.ts';
import { zoomAt, type Point, type View } from './viewport.ts';

/** Moves the view by drag, wheel, two fingers and pinch. */
interface GestureTarget {
  readonly view: () => View;
  readonly onMove: (view: View) => void;
}

interface Gestures {
  /** Returns true if the current click ends a drag. */
  wasDrag(): boolean;
}

/** A smaller movement still counts as a click. */
const dragThreshold = 4;
const lineHeight = 18;
const wheelZoomRate = 0.0022;
/** A pinch on a touchpad arrives as small wheel steps, a mouse wheel as large ones. */
const largestWheelStep = 120;

export function followGestures(area: HTMLElement, target: GestureTarget): Gestures {
  const fingers = new Map<number, Point>();
  let dragged = false;
  let start: Point | undefined;

  const pointOf = (event: MouseEvent): Point => {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  on(
    area,
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1;
      const view = target.view();
      if (event.ctrlKey || event.metaKey) {
        const step = Math.max(-largestWheelStep, Math.min(largestWheelStep, event.deltaY * unit));
        target.onMove(
          zoomAt(view, pointOf(event), view.zoom * Math.exp(-step * wheelZoomRate * (Math.abs(step) < 20 ? 4 : 1))),
        );
        return;
      }
      const [across, down] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      target.onMove({ ...view, x: view.x - across * unit, y: view.y - down * unit });
    },
    { passive: false },
  );

  on(area, 'pointerdown', (event) => {
    if (event.button > 1) return;
    // The middle button would start the browser's own scrolling.
    if (event.button === 1) event.preventDefault();
    fingers.set(event.pointerId, pointOf(event));
    start = pointOf(event);
    if (fingers.size === 1) dragged = false;
  });

  on(area, 'pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    if (!dragged && start && Math.hypot(now.x - start.x, now.y - start.y) < dragThreshold) return;
    if (!dragged) {
      dragged = true;
      area.setPointerCapture(event.pointerId);
      area.classList.add('dragging');
    }
    const view = target.view();
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    if (!other) {
      target.onMove({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y });
      return;
    }
    const spread = (finger: Point): number => Math.max(1, Math.hypot(finger.x - other.x, finger.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const moved = { ...view, x: view.x + (now.x - before.x) / 2, y: view.y + (now.y - before.y) / 2 };
    target.onMove(zoomAt(moved, middle, (view.zoom * spread(now)) / spread(before)));
  });

  const lift = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) area.classList.remove('dragging');
  };
  on(area, 'pointerup', lift);
  on(area, 'pointercancel', lift);

  return { wasDrag: () => dragged };
}
