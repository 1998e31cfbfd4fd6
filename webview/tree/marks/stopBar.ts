import { element, setText } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { t } from '../../page/l10n.ts';
import { iconButton } from '../../toolkit.ts';

export interface StopEvents {
  readonly onStep: (by: 1 | -1) => void;
}

interface StopBarLook {
  readonly kind: 'compare' | 'coverage';
  readonly name: string;
  readonly previous: string;
  readonly next: string;
}

export class StopBar {
  readonly element: HTMLElement;
  readonly #sum = element('p', { class: 'stop-sum' });
  readonly #at = element('p', { class: 'stop-at cut', role: 'status', 'aria-live': 'polite' });
  readonly #steps: HTMLElement;
  #shown: { readonly what: object | undefined; readonly focused: string | undefined } | undefined;

  constructor({ kind, name, previous, next }: StopBarLook, { onStep }: StopEvents, ...actions: readonly HTMLElement[]) {
    this.#steps = element(
      'div',
      { class: 'stop-steps' },
      iconButton(previous, 'up', () => onStep(-1)),
      iconButton(next, 'down', () => onStep(1)),
    );
    this.element = element(
      'div',
      { class: `banner row banner-info ${kind}`, role: 'region', 'aria-label': name },
      icon(kind),
      this.#sum,
      this.#at,
      this.#steps,
      ...actions,
    );
  }

  /** Returns true if the text may have changed: another subject, or another node. */
  protected isNews(what: object | undefined, focused: string | undefined): boolean {
    if (this.#shown?.what === what && this.#shown?.focused === focused) return false;
    this.#shown = { what, focused };
    return true;
  }

  /** @param at the text about the focused node, if it is one of the stops */
  protected say(sum: string, stops: readonly string[], focused: string | undefined, at: string): void {
    setText(this.#sum, sum);
    this.#steps.hidden = stops.length === 0;
    const position = stops.indexOf(focused ?? '');
    setText(this.#at, position < 0 ? '' : t('{0} of {1}: {2}', position + 1, stops.length, at));
  }
}
