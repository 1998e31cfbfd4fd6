import { element } from '../page/element.ts';
import { icon } from '../page/icons.ts';
import type { IconName } from '../page/icons.ts';
import { button, progressRing } from '../toolkit.ts';
import type { ExplainedAction, Explanation } from './explain.ts';

const signs: Readonly<Record<Explanation['kind'], IconName>> = {
  waiting: 'exploring',
  empty: 'phone',
  failed: 'failed',
  limited: 'warning',
};

export type Act = (message: ExplainedAction) => void;

/** Replaces the tree: why there is none, and one action. */
export function emptyView(explanation: Explanation, act: Act): HTMLElement {
  const { kind, title, text, action } = explanation;
  const sign =
    kind === 'waiting'
      ? progressRing(title)
      : element('span', { class: `empty-sign empty-${kind}` }, icon(signs[kind]));
  return element(
    'div',
    { class: 'empty' },
    sign,
    element('h2', {}, title),
    element('p', {}, text),
    action &&
      button(
        action.label,
        () => {
          act(action.message);
        },
        { appearance: 'primary' },
      ),
  );
}
