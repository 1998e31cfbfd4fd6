import { element, type Content } from '../page/element.ts';

export const headOf = (...names: readonly (string | HTMLElement)[]): HTMLElement =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      ...names.map((name) => (typeof name === 'string' ? element('th', { scope: 'col' }, name) : name)),
    ),
  );

/** A string is a figure. */
export const tableRow = (name: string, ...cells: readonly (string | HTMLElement)[]): HTMLElement =>
  element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    ...cells.map((cell) => (typeof cell === 'string' ? element('td', {}, cell) : cell)),
  );

export const wordsCell = (...words: Content[]): HTMLElement => element('td', { class: 'words' }, ...words);
