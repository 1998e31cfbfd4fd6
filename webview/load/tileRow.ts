import { element, on, setAttributes, setText } from '../page/element.ts';
import { icon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { pairsOf } from '../page/part.ts';
import { noFigure, type KeyFigure } from './keyFigures.ts';

/** The most important figures, each with its meaning and its other values on hover and focus. */
export class TileRow {
  readonly element = element('section', { class: 'tiles', 'aria-label': t('Key figures') });
  readonly #tiles = new Map<string, Tile>();

  /** Tiles that stay keep the focus. */
  show(figures: readonly KeyFigure[]): void {
    this.element.hidden = figures.length === 0;
    for (const [name, tile] of this.#tiles) {
      if (figures.some((figure) => figure.name === name)) continue;
      tile.element.remove();
      this.#tiles.delete(name);
    }
    for (const figure of figures) {
      const tile = this.#tiles.get(figure.name) ?? new Tile(figure.name);
      if (!this.#tiles.has(figure.name)) this.element.append(tile.element);
      this.#tiles.set(figure.name, tile);
      tile.show(figure);
    }
  }
}

class Tile {
  readonly element: HTMLElement;
  readonly #kind = element('span', { class: 'tile-kind' });
  readonly #value = element('span', { class: 'tile-value' });
  readonly #unit = element('span', { class: 'tile-unit' });
  readonly #note = element('p', { class: 'tile-note' });
  readonly #meaning = element('p');
  readonly #parts = element('dl');
  readonly #ours = element(
    'p',
    { class: 'tile-ours' },
    icon('warning'),
    t('The calling machine was the bottleneck and accounts for part of this value.'),
  );
  readonly #mark = element('span', { class: 'tile-mark' }, icon('warning'));

  constructor(name: string) {
    const id = `tile-${name.toLowerCase().replaceAll(/[^\p{L}]+/gu, '-')}`;
    const tip = element('div', { class: 'tip boxed', id, role: 'tooltip' }, this.#meaning, this.#parts, this.#ours);
    this.element = element(
      'div',
      { class: 'tile boxed', tabindex: '0', role: 'group', 'aria-label': name, 'aria-describedby': id },
      element('p', { class: 'tile-name' }, element('span', {}, name), this.#mark),
      element('p', { class: 'tile-figure' }, this.#value, this.#unit, this.#kind),
      this.#note,
      tip,
    );
    const appear = (): void => {
      this.element.classList.remove('is-put-aside');
      const { left } = this.element.getBoundingClientRect();
      this.element.classList.toggle('tips-left', left + tip.offsetWidth > document.documentElement.clientWidth - 8);
    };
    on(this.element, 'pointerenter', appear);
    on(this.element, 'focus', appear);
    on(this.element, 'keydown', ({ key }) => {
      if (key === 'Escape') this.element.classList.add('is-put-aside');
    });
    // The key that dismisses a tile must also work while it is only hovered.
    on(document, 'keydown', ({ key }) => {
      if (key === 'Escape' && this.element.matches(':hover')) this.element.classList.add('is-put-aside');
    });
  }

  show({ kind, value, unit, note, meaning, parts, isPartlyOurs }: KeyFigure): void {
    this.#kind.hidden = kind === undefined || value === noFigure;
    setText(this.#kind, kind ?? '');
    setText(this.#value, value);
    setText(this.#unit, unit);
    setText(this.#note, note);
    setText(this.#meaning, meaning);
    this.#parts.hidden = parts.length === 0;
    this.#parts.replaceChildren(...pairsOf(parts));
    this.#ours.hidden = !isPartlyOurs;
    this.#mark.hidden = !isPartlyOurs;
    setAttributes(this.element, { 'data-empty': value === noFigure ? '' : undefined });
  }
}
