import type { TreeChangeKind } from '../src/contract/treeDiff.ts';
import { changeKinds, changesAt } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import { element, setText } from './element.ts';
import { icon } from './icons.ts';
import { t } from './l10n.ts';
import type { Scene } from './scene.ts';
import { button, iconButton } from './toolkit.ts';

export interface CompareEvents {
  readonly onStep: (by: 1 | -1) => void;
  readonly onStop: () => void;
}

const countWords: Readonly<Record<TreeChangeKind, (count: number) => string>> = {
  added: (count) => t('{0} added', count), removed: (count) => t('{0} removed', count), moved: (count) => t('{0} moved', count), reworded: (count) => t('{0} reworded', count),
  renumbered: (count) => t('{0} on another key', count), relinked: (count) => t('{0} leading elsewhere', count), slower: (count) => t('{0} slower', count),
};

/** Above a tree that is compared: with what, how much is different, and from one change to the next. */
export class CompareBar {
  readonly element: HTMLElement;
  readonly #sum = element('p', { class: 'compare-sum' });
  readonly #at = element('p', { class: 'compare-at', role: 'status', 'aria-live': 'polite' });
  readonly #steps: HTMLElement;
  #shown: { readonly comparison: Comparison; readonly focused: string | undefined } | undefined;

  constructor(events: CompareEvents) {
    this.#steps = element('div', { class: 'compare-steps' },
      iconButton(t('Previous change (Shift+N)'), 'up', () => { events.onStep(-1); }), iconButton(t('Next change (N)'), 'down', () => { events.onStep(1); }));
    this.element = element('div', { class: 'banner banner-info compare', role: 'region', 'aria-label': t('Comparison') },
      icon('compare'), this.#sum, this.#at, this.#steps, button(t('Stop comparing'), events.onStop));
  }

  show({ snapshot: { base }, comparison, changed, index }: Scene, focused: string | undefined): void {
    this.element.hidden = base === undefined || index === undefined;
    if (base && !comparison) {
      setText(this.#sum, t('Comparing with {0}…', base.title));
      setText(this.#at, '');
      this.#steps.hidden = true;
    }
    if (this.#shown?.comparison === comparison && this.#shown?.focused === focused) return;
    this.#shown = comparison && { comparison, focused };
    if (!comparison || !index) return;
    const counts = changeKinds.map((kind) => [comparison.changes.filter((change) => change.kind === kind).length, countWords[kind]] as const).filter(([count]) => count > 0);
    setText(this.#sum, counts.length === 0 ? t('Compared with {0}: nothing is different.', comparison.title) : t('Compared with {0}: {1}.', comparison.title, counts.map(([count, words]) => words(count)).join(', ')));
    this.#steps.hidden = changed.length === 0;
    const at = changed.indexOf(focused ?? '');
    setText(this.#at, at < 0 ? '' : t('{0} of {1}: {2}', at + 1, changed.length, changesAt(comparison, index.byKey.get(focused ?? '')?.node.stepId).map(({ sentence }) => sentence).join(' ')));
  }
}
