import { element, type Content } from './element.ts';

/** A section with its heading. `look`: its classes. */
export const part = (id: string, title: string, look: string, ...content: Content[]): HTMLElement =>
  element('section', { class: look, 'aria-labelledby': id }, element('h2', { id }, title), ...content);

/** The content of a `dl` with the class `counts` and the like. */
export const pairsOf = (pairs: readonly (readonly [name: string, value: string])[]): HTMLElement[] =>
  pairs.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));

/** The top of a page: its title, its buttons, and what is below them. */
export const pageHead = (title: readonly Node[], buttons: readonly Node[], ...below: Node[]): HTMLElement =>
  element(
    'header',
    { class: 'head stack' },
    element(
      'div',
      { class: 'head-row row' },
      element('div', { class: 'title' }, ...title),
      element('div', { class: 'run row' }, ...buttons),
    ),
    ...below,
  );
