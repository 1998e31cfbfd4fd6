import { element } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { icon, type IconName } from '../page/icons.ts';
import { part } from '../page/part.ts';
import type { CountKind, CountMeaning } from './countWords.ts';
import { percentText } from './numbers.ts';
import { svg } from '../page/svg.ts';

const signs: Readonly<Record<CountKind, IconName>> = { good: 'explored', bad: 'failed', neutral: 'info' };

/** How often some names occurred, as bars with words; the most frequent first. */
export class CountBars {
  readonly element: HTMLElement;
  readonly #list = element('ul', { class: 'count-bars' });
  readonly #meaning: (name: string) => CountMeaning;
  #shown = '';

  constructor(title: string, id: string, meaning: (name: string) => CountMeaning) {
    this.#meaning = meaning;
    this.element = part(id, title, 'part boxed', this.#list);
  }

  show(counts: Readonly<Record<string, number>> | undefined): void {
    const shown = JSON.stringify(counts) ?? '';
    const entries = Object.entries(counts ?? {}).sort(([, a], [, b]) => b - a);
    this.element.hidden = entries.length === 0;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const all = entries.reduce((sum, [, count]) => sum + count, 0);
    this.#list.replaceChildren(...entries.map(([name, count]) => row(this.#meaning(name), count, all)));
  }
}

function row({ words, kind }: CountMeaning, count: number, all: number): HTMLElement {
  const share = all === 0 ? 0 : count / all;
  const box = { x: 0, y: 0, width: `${String(Math.max(0.5, 100 * share))}%`, height: '100%' };
  return element(
    'li',
    { class: `count-row is-${kind}` },
    element('span', { class: 'count-sign' }, icon(signs[kind])),
    element('span', { class: 'count-name' }, words),
    svg(
      'svg',
      { class: 'bar', 'aria-hidden': 'true' },
      svg('rect', { class: `counted of-${kind}`, ...box }),
      ...(kind === 'bad' ? [svg('rect', { class: 'hatched', fill: 'url(#hatch-failed)', ...box })] : []),
    ),
    element('span', { class: 'count-figure' }, figure(count)),
    element('span', { class: 'count-share quiet' }, percentText(share)),
  );
}
