import { linksIn, nodesIn, type Placed, type TreeLayout } from '../../../src/model/tree/treeLayout.ts';
import { Card, cardCost, type CardDetail } from './card.ts';
import { marksAt } from '../marks/comparison.ts';
import { element, on, setAttributes } from '../../page/element.ts';
import { followGestures } from './gestures.ts';
import { heatColours, heatOf, heatWords, levelOf, type Heat } from './heat.ts';
import { t } from '../../page/l10n.ts';
import { LinkLayer } from './linkLayer.ts';
import { cardSizes, type Scene } from '../scene.ts';
import { menuContext, stepActions } from '../stepActions.ts';
import { ThemeColours, type ColourName } from '../../page/themeColours.ts';
import type { IndexedNode, TreeIndex } from '../treeIndex.ts';
import { areaOf, fullZoom, type Size, type View } from './viewport.ts';
import type { ViewState } from '../viewState.ts';

interface StageEvents {
  readonly onMove: (view: View) => void;
  readonly onSelect: (key: string) => void;
  readonly onToggle: (key: string) => void;
  /** A linked node's "↪ label", or a double click on the node. */
  readonly onJump: (key: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onResize: () => void;
}

/** The maximum number of elements in all cards, whatever the size of the tree. */
const elementBudget = 440;
const compactZoom = 0.26;
/** Pixels around the screen in which cards are prepared. */
const overscan = 80;
const secondaryButton = 2;

/** The drawn tree: cards for the visible part, links below them, and nothing for the rest. */
export class Stage {
  readonly element: HTMLElement;
  readonly #world = element('div', { class: 'world', role: 'presentation' });
  readonly #links: LinkLayer;
  readonly #cards = new Map<string, Card>();
  readonly #ids = new Map<string, string>();
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #view: View = { x: 0, y: 0, zoom: 1 };
  #layout: TreeLayout<IndexedNode> | undefined;
  #freshIn: Scene['fresh'] | undefined;
  readonly #matches = new KeySet();
  readonly #stops = new KeySet();
  #heat: { readonly index: TreeIndex; readonly heat: Heat } | undefined;
  #redraw: (() => void) | undefined;

  constructor(events: StageEvents) {
    this.element = element('div', { class: 'stage', role: 'tree', tabindex: '0', 'aria-label': t('Menu tree') });
    this.element.style.setProperty('--card-width', `${cardSizes.nodeWidth}px`);
    this.element.style.setProperty('--card-height', `${cardSizes.nodeHeight}px`);
    this.#links = new LinkLayer(
      new ThemeColours(this.element, () => {
        this.#redraw?.();
      }),
    );
    this.element.append(this.#links.element, this.#world);
    const gestures = followGestures(this.element, { view: () => this.#view, onMove: events.onMove });
    on(this.element, 'keydown', events.onKey);
    on(this.element, 'click', (event) => {
      if (!gestures.wasDrag()) this.#click(event, events);
    });
    on(this.element, 'dblclick', (event) => {
      const key = this.#keyAt(event);
      // Parts with their own click handler have already received both clicks.
      const own = event.target instanceof Element && event.target.closest('.twistie, .jump') !== null;
      if (key !== undefined && !own) events.onJump(key);
    });
    on(this.element, 'contextmenu', (event) => {
      // The keyboard opens the menu of what has the focus, which is the stage itself. The focused card's menu is meant.
      const card = this.#world.querySelector('.is-focused') ?? this.#world.firstElementChild;
      if (event.target !== this.element || event.button === secondaryButton || !card) return;
      event.preventDefault();
      event.stopPropagation();
      const { left: clientX, bottom: clientY } = card.getBoundingClientRect();
      card.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
    });
    new ResizeObserver(events.onResize).observe(this.element);
    this.#calm.addEventListener('change', () => {
      this.#redraw?.();
    });
  }

  get size(): Size {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  get hasFocus(): boolean {
    return document.activeElement === this.element;
  }

  takeFocus(): void {
    this.element.focus({ preventScroll: true });
  }

  draw(scene: Scene, state: ViewState): void {
    this.#redraw = () => this.draw(scene, state);
    const { layout, index } = scene;
    const { size } = this;
    this.#view = state.view;
    this.#layout = layout;
    if (!layout || !index) {
      this.#drop(new Map());
      return;
    }
    const seen = nodesIn(layout, areaOf(state.view, size, overscan));
    const detail = detailFor(state.view.zoom, seen.length);
    const cards = new Map((detail === undefined ? [] : seen).map((placed) => [placed.node.key, placed]));
    // The focused node stays an element wherever the view is, so that a screen reader keeps it.
    const focused = layout.byKey.get(state.focused ?? '') ?? layout.byKey.get(index.root.key);
    if (focused) cards.set(focused.node.key, focused);
    const matches = this.#matches.of(scene.matches);
    const stops = this.#stops.of(scene.stops);
    this.#drop(cards);
    this.#showCards(cards, detail ?? 'compact', scene, { ...state, focused: focused?.node.key }, matches);
    this.#world.style.transform = `translate(${state.view.x}px, ${state.view.y}px) scale(${state.view.zoom})`;
    setAttributes(this.element, {
      'aria-activedescendant': focused && this.#idOf(focused.node.key),
      'aria-label': t('Menu tree of {0}', scene.snapshot.name),
      'data-detail': detail ?? 'far',
    });
    const target = linkOf(layout, state.selected);
    this.#links.draw({
      view: state.view,
      size,
      live: scene.live,
      matches,
      selected: state.selected,
      links: linksIn(layout, areaOf(state.view, size, 0)),
      far: detail === undefined ? seen : [],
      jump: target,
      ...(state.heat ? { heatOf: heatColourOf } : {}),
      ...(scene.comparison || scene.coverage ? { isStop: ({ key }: IndexedNode) => stops.has(key) } : {}),
    });
    this.#freshIn = scene.fresh;
  }

  #showCards(
    cards: ReadonlyMap<string, Placed<IndexedNode>>,
    detail: CardDetail,
    scene: Scene,
    state: ViewState,
    matches: ReadonlySet<string>,
  ): void {
    const motion = !this.#calm.matches && scene.run?.status === 'running';
    const isNews = this.#freshIn !== scene.fresh;
    const heat = state.heat ? this.#heatOf(scene) : undefined;
    const added: Card[] = [];
    for (const [key, { node: indexed, x, y }] of cards) {
      let card = this.#cards.get(key);
      if (!card) {
        card = new Card(this.#idOf(key), key);
        this.#cards.set(key, card);
        added.push(card);
        if (isNews && scene.fresh.has(key)) card.element.classList.add('fresh');
      }
      const { linksTo } = indexed.node;
      card.show({
        indexed,
        detail,
        x,
        y,
        motion,
        menu: menuContext(stepActions(indexed, scene.snapshot)),
        linkTarget: linksTo === undefined ? undefined : scene.index?.byKey.get(linksTo)?.node,
        collapsed: state.collapsed.has(key),
        focused: key === state.focused,
        selected: key === state.selected && state.paneOpen,
        live: scene.live.has(key),
        hidesMatch: scene.hidingMatches.has(key),
        query: matches.has(key) ? scene.query : '',
        marks: marksOf(scene, indexed),
        heat: heat && heatWords(indexed.node, heat),
        level: heat && levelOf(indexed.node),
      });
    }
    this.#world.append(...added.map((card) => card.element));
  }

  #heatOf({ index }: Scene): Heat | undefined {
    if (index && this.#heat?.index !== index) this.#heat = { index, heat: heatOf(index.root.node) };
    return index && this.#heat?.heat;
  }

  #drop(wanted: ReadonlyMap<string, unknown>): void {
    for (const [key, card] of this.#cards) {
      if (wanted.has(key)) continue;
      card.element.remove();
      this.#cards.delete(key);
    }
  }

  /** Keys are the service's text, so elements get other ids. */
  #idOf(key: string): string {
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = `node-${this.#ids.size}`));
    return id;
  }

  #click(event: MouseEvent, events: StageEvents): void {
    const key = this.#keyAt(event);
    if (key === undefined) return;
    const part = event.target instanceof Element ? event.target : undefined;
    if (part?.closest('.twistie')) events.onToggle(key);
    else if (part?.closest('.jump')) events.onJump(key);
    else events.onSelect(key);
  }

  #keyAt(event: MouseEvent): string | undefined {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('.card') : null;
    if (card) return card.dataset['key'];
    if (!this.#layout) return undefined;
    const box = this.element.getBoundingClientRect();
    const x = (event.clientX - box.left - this.#view.x) / this.#view.zoom;
    const y = (event.clientY - box.top - this.#view.y) / this.#view.zoom;
    return nodesIn(this.#layout, { left: x, right: x, top: y, bottom: y })[0]?.node.key;
  }
}

/** A list of keys as a set, rebuilt when the list changes. */
class KeySet {
  #list: readonly string[] = [];
  #keys: ReadonlySet<string> = new Set();

  of(list: readonly string[]): ReadonlySet<string> {
    if (list !== this.#list) [this.#list, this.#keys] = [list, new Set(list)];
    return this.#keys;
  }
}

const marksOf = ({ comparison, coverage }: Scene, { key, node }: IndexedNode): string =>
  comparison ? marksAt(comparison, node).join(' ') : (coverage?.marks.get(key) ?? '');

function heatColourOf({ node }: IndexedNode): ColourName | undefined {
  const level = levelOf(node);
  return level === undefined ? undefined : heatColours[level];
}

/** @returns undefined if only the canvas can show this many */
function detailFor(zoom: number, count: number): CardDetail | undefined {
  if (zoom >= fullZoom && count * cardCost.full <= elementBudget) return 'full';
  if (zoom >= compactZoom && count * cardCost.compact <= elementBudget) return 'compact';
  return undefined;
}

function linkOf(
  layout: TreeLayout<IndexedNode>,
  selected: string | undefined,
): readonly [Placed<IndexedNode>, Placed<IndexedNode>] | undefined {
  const from = selected === undefined ? undefined : layout.byKey.get(selected);
  const to = from?.node.node.linksTo === undefined ? undefined : layout.byKey.get(from.node.node.linksTo);
  return from && to && [from, to];
}
