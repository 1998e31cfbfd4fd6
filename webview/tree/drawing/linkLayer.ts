import type { NodeStatus } from '../../../src/contract/tree.ts';
import type { Links, Placed } from '../../../src/model/tree/treeLayout.ts';
import { cardSizes } from '../scene.ts';
import type { ColourName, ThemeColours } from '../../page/themeColours.ts';
import type { IndexedNode } from '../treeIndex.ts';
import type { Size, View } from './viewport.ts';

/** The canvas below the cards: links, and in the far view also the cards. */
interface LinkPicture {
  readonly view: View;
  readonly size: Size;
  readonly links: readonly Links<IndexedNode>[];
  readonly live: ReadonlySet<string>;
  /** Cards that are too small to read. */
  readonly far: readonly Placed<IndexedNode>[];
  readonly matches: ReadonlySet<string>;
  readonly selected: string | undefined;
  /** From a linked node to its menu. */
  readonly jump: readonly [from: Placed<IndexedNode>, to: Placed<IndexedNode>] | undefined;
  /** Returns the colour of the response time at the end of a link. */
  readonly heatOf?: (node: IndexedNode) => ColourName | undefined;
  /** Set if something is marked; everything else is dimmed. */
  readonly isStop?: (node: IndexedNode) => boolean;
}

const statusColours: Readonly<Record<NodeStatus, ColourName>> = {
  pending: '--dt-pending',
  exploring: '--dt-live',
  explored: '--dt-far',
  failed: '--dt-failed',
  skipped: '--dt-pending',
  linked: '--dt-linked',
};
const { nodeWidth, nodeHeight } = cardSizes;
const dash = [5, 4];

export class LinkLayer {
  readonly element = document.createElement('canvas');
  readonly #colours: ThemeColours;

  constructor(colours: ThemeColours) {
    this.#colours = colours;
    this.element.className = 'links';
    this.element.setAttribute('role', 'presentation');
  }

  draw(picture: LinkPicture): void {
    const context = this.#prepared(picture.size);
    if (!context) return;
    const { x, y, zoom } = picture.view;
    const scale = devicePixelRatio;
    context.setTransform(scale * zoom, 0, 0, scale * zoom, scale * x, scale * y);
    this.#drawLinks(context, picture);
    this.#drawFar(context, picture);
    if (picture.jump) this.#drawJump(context, picture.jump, zoom);
  }

  /** Returns an empty canvas context at the stage's size in device pixels. */
  #prepared({ width, height }: Size): CanvasRenderingContext2D | null {
    const across = Math.round(width * devicePixelRatio);
    const down = Math.round(height * devicePixelRatio);
    if (this.element.width !== across || this.element.height !== down) {
      this.element.width = across;
      this.element.height = down;
    }
    const context = this.element.getContext('2d');
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.clearRect(0, 0, across, down);
    return context;
  }

  #drawLinks(context: CanvasRenderingContext2D, { links, live, view, heatOf }: LinkPicture): void {
    const heated = new Map<ColourName, Path2D>();
    const quiet = new Path2D();
    const dashed = new Path2D();
    const lively = new Path2D();
    for (const { parent, children } of links) {
      for (const child of children) {
        const heat = heatOf?.(child.node);
        if (heat !== undefined) {
          const path = heated.get(heat) ?? new Path2D();
          heated.set(heat, path);
          traceLink(path, parent, child);
          continue;
        }
        const path = live.has(child.node.key)
          ? lively
          : child.node.node.hidden || child.node.node.status === 'linked'
            ? dashed
            : quiet;
        traceLink(path, parent, child);
      }
    }
    // Hairlines stay visible in the far view, and don't become thick in the near one.
    const width = (pixels: number): number => pixels / Math.min(1.4, view.zoom);
    context.strokeStyle = this.#colours.of('--dt-line');
    context.lineWidth = width(view.zoom < 0.2 ? 0.6 : 1.25);
    context.stroke(quiet);
    context.setLineDash(dash);
    context.stroke(dashed);
    context.setLineDash([]);
    context.strokeStyle = this.#colours.of('--dt-live');
    context.lineWidth = width(2.25);
    context.stroke(lively);
    for (const [colour, path] of heated) {
      context.strokeStyle = this.#colours.of(colour);
      context.stroke(path);
    }
  }

  #drawFar(
    context: CanvasRenderingContext2D,
    { far, matches, selected, live, view, heatOf, isStop }: LinkPicture,
  ): void {
    const byColour = new Map<ColourName, Path2D>();
    const least = 1.2 / view.zoom;
    for (const { node, x, y } of far) {
      const colour: ColourName =
        node.key === selected
          ? '--dt-focus'
          : matches.has(node.key)
            ? '--dt-match'
            : live.has(node.key)
              ? '--dt-live'
              : isStop
                ? isStop(node)
                  ? '--dt-changed'
                  : '--dt-line'
                : (heatOf?.(node) ?? statusColours[node.node.status ?? 'explored']);
      const path = byColour.get(colour) ?? new Path2D();
      byColour.set(colour, path);
      path.rect(x, y, nodeWidth, Math.max(least, nodeHeight));
    }
    for (const [colour, path] of byColour) {
      context.fillStyle = this.#colours.of(colour);
      context.fill(path);
    }
  }

  #drawJump(
    context: CanvasRenderingContext2D,
    [from, to]: readonly [Placed<IndexedNode>, Placed<IndexedNode>],
    zoom: number,
  ): void {
    const start = { x: from.x + nodeWidth / 2, y: from.y + (to.y > from.y ? nodeHeight : 0) };
    const end = { x: to.x + nodeWidth / 2, y: to.y + (to.y > from.y ? 0 : nodeHeight) };
    const bow = Math.max(40, Math.abs(end.y - start.y) / 2) * (to.y > from.y ? 1 : -1);
    const path = new Path2D();
    path.moveTo(start.x, start.y);
    path.bezierCurveTo(start.x, start.y + bow, end.x, end.y - bow, end.x, end.y);
    context.strokeStyle = this.#colours.of('--dt-linked');
    context.lineWidth = 1.75 / Math.min(1.4, zoom);
    context.setLineDash(dash);
    context.stroke(path);
    context.setLineDash([]);
    const tip = new Path2D();
    const back = to.y > from.y ? -1 : 1;
    tip.moveTo(end.x - 5, end.y + 8 * back);
    tip.lineTo(end.x, end.y);
    tip.lineTo(end.x + 5, end.y + 8 * back);
    context.stroke(tip);
  }
}

function traceLink(path: Path2D, parent: Placed<IndexedNode>, child: Placed<IndexedNode>): void {
  const from = parent.x + nodeWidth;
  const middle = (from + child.x) / 2;
  const start = parent.y + nodeHeight / 2;
  const end = child.y + nodeHeight / 2;
  path.moveTo(from, start);
  path.bezierCurveTo(middle, start, middle, end, child.x, end);
}
