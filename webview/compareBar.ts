import type { TreeChangeKind } from '../src/contract/treeDiff.ts';
import { changedKeys, changeKinds, changesAt } from './comparison.ts';
import { element, setText } from './element.ts';
import { icon } from './icons.ts';
import type { Scene } from './scene.ts';
import { button, iconButton } from './toolkit.ts';

export interface CompareEvents {
  readonly onStep: (by: 1 | -1) => void;
  readonly onStop: () => void;
}

const countWords: Readonly<Record<TreeChangeKind, string>> = {
  added: 'added', removed: 'removed', moved: 'moved', reworded: 'reworded', renumbered: 'on another key', relinked: 'leading elsewhere', slower: 'slower',
};

/** Above a tree that is compared: with what, how much is different, and from one change to the next. */
export class CompareBar {
  readonly element: HTMLElement;
  readonly #sum = element('p', { class: 'compare-sum' });
  readonly #at = element('p', { class: 'compare-at', role: 'status', 'aria-live': 'polite' });
  readonly #steps: HTMLElement;

  constructor(events: CompareEvents) {
    this.#steps = element('div', { class: 'compare-steps' },
      iconButton('Previous change (Shift+N)', 'up', () => { events.onStep(-1); }), iconButton('Next change (N)', 'down', () => { events.onStep(1); }));
    this.element = element('div', { class: 'banner banner-info compare', role: 'region', 'aria-label': 'Comparison' },
      icon('compare'), this.#sum, this.#at, this.#steps, button('Stop comparing', events.onStop));
  }

  show({ comparison, index }: Scene, focused: string | undefined): void {
    this.element.hidden = comparison === undefined;
    if (!comparison || !index) return;
    const counts = changeKinds.map((kind) => [comparison.changes.filter((change) => change.kind === kind).length, countWords[kind]] as const).filter(([count]) => count > 0);
    setText(this.#sum, `Compared with ${comparison.title}: ${counts.length === 0 ? 'nothing is different.' : `${counts.map(([count, words]) => `${String(count)} ${words}`).join(', ')}.`}`);
    const keys = changedKeys(comparison, index);
    this.#steps.hidden = keys.length === 0;
    const at = keys.indexOf(focused ?? '');
    setText(this.#at, at < 0 ? '' : `${String(at + 1)} of ${String(keys.length)}: ${changesAt(comparison, index.byKey.get(focused ?? '')?.node.stepId).map(({ sentence }) => sentence).join(' ')}`);
  }
}
