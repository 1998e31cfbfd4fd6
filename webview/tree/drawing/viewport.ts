import type { Rectangle } from '../../../src/model/tree/treeLayout.ts';

/** The position of the tree on the screen: screen = world · zoom + offset, in CSS pixels. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const zoomRange = { min: 0.02, max: 2.5 } as const;
/** Below this, a whole card isn't readable: its title of 13 pixels has 8 on the screen. */
export const fullZoom = 0.62;
/** Below this, not even the large title of a compact card is readable: its 22 pixels are 9 on the screen. */
const titleZoom = 9 / 22;
/** For a tree that must be scrolled anyway. */
const comfortableZoom = 0.85;
export const margin = 28;
/** The zoom bar covers this much of the stage's lower edge, in pixels beyond the margin. */
const zoomBarHeight = 24;

export const clampZoom = (zoom: number): number => Math.min(zoomRange.max, Math.max(zoomRange.min, zoom));

/** The world point under `at` stays under it. */
export function zoomAt(view: View, at: Point, zoom: number): View {
  const next = clampZoom(zoom);
  const scale = next / view.zoom;
  return { x: at.x - (at.x - view.x) * scale, y: at.y - (at.y - view.y) * scale, zoom: next };
}

/** Returns the visible part of the world, extended by `around` pixels of the screen on every side. */
export function areaOf(view: View, { width, height }: Size, around: number): Rectangle {
  return {
    left: (-around - view.x) / view.zoom,
    top: (-around - view.y) / view.zoom,
    right: (width + around - view.x) / view.zoom,
    bottom: (height + around - view.y) / view.zoom,
  };
}

/** Returns the view of the whole tree, or, if its titles were too small to read, of the part around `eye`. */
export const fit = (bounds: Rectangle, size: Size, eye: Rectangle): View =>
  wholeOr(bounds, size, eye, { least: titleZoom, otherwise: titleZoom });

/** Returns the view of a tree that the user hasn't moved yet: all of it while it is readable, then `eye`. */
export const followed = (bounds: Rectangle, size: Size, eye: Rectangle): View =>
  wholeOr(bounds, size, eye, { least: fullZoom, otherwise: comfortableZoom });

/** Shows the whole tree in the middle, at its own size at most. Below the zoom `least`, shows `eye` instead. */
function wholeOr(
  bounds: Rectangle,
  size: Size,
  eye: Rectangle,
  { least, otherwise }: { readonly least: number; readonly otherwise: number },
): View {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const whole = Math.min(1, (size.width - 2 * margin) / width, (size.height - 2 * margin) / height);
  const [zoom, { top, bottom }] = whole >= least ? [whole, bounds] : [otherwise, eye];
  // A tree grows to the right, so a small one is at the left.
  const view = { x: margin - bounds.left * zoom, y: size.height / 2 - ((top + bottom) / 2) * zoom, zoom };
  return whole >= least ? view : revealed(view, size, eye);
}

/** Moves as little as possible until the rectangle is visible with a margin. */
export function revealed(view: View, size: Size, target: Rectangle): View {
  const shift = (offset: number, low: number, high: number, length: number): number => {
    const from = low * view.zoom + offset;
    const to = high * view.zoom + offset;
    if (to - from > length - 2 * margin || from < margin) return offset + margin - from;
    return to > length - margin ? offset + length - margin - to : offset;
  };
  return {
    ...view,
    x: shift(view.x, target.left, target.right, size.width),
    y: shift(view.y, target.top, target.bottom, size.height - zoomBarHeight),
  };
}

export function centred(view: View, size: Size, target: Rectangle): View {
  const zoom = Math.max(view.zoom, fullZoom);
  return {
    zoom,
    x: size.width / 2 - ((target.left + target.right) / 2) * zoom,
    y: size.height / 2 - ((target.top + target.bottom) / 2) * zoom,
  };
}

/** Keeps the screen position of a point that moved from `before` to `after` in the world. */
export function kept(view: View, before: Point, after: Point): View {
  return { ...view, x: view.x + (before.x - after.x) * view.zoom, y: view.y + (before.y - after.y) * view.zoom };
}

/** Pixels of the tree that stay on the screen however far it is moved. */
const leash = 64;

export function leashed(view: View, size: Size, bounds: Rectangle): View {
  const clamp = (offset: number, low: number, high: number, length: number): number =>
    Math.min(length - leash - low * view.zoom, Math.max(leash - high * view.zoom, offset));
  return {
    ...view,
    x: clamp(view.x, bounds.left, bounds.right, size.width),
    y: clamp(view.y, bounds.top, bounds.bottom, size.height),
  };
}
