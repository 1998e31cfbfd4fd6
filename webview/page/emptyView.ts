import { button, progressRing } from '../toolkit.ts';
import { element } from './element.ts';
import { icon, type IconName } from './icons.ts';

interface EmptyContent {
  readonly kind: 'waiting' | 'empty' | 'failed' | 'limited';
  readonly title?: string | undefined;
  readonly text: string;
  readonly place?: string | undefined;
  readonly action?: { readonly label: string; readonly onPress: () => void } | undefined;
}

const signs: Readonly<Record<EmptyContent['kind'], IconName>> = {
  waiting: 'exploring',
  empty: 'phone',
  failed: 'failed',
  limited: 'warning',
};

/** Replaces content: why there is none, and up to one action. */
export function emptyView({ kind, title, text, place, action }: EmptyContent): HTMLElement {
  return element(
    'div',
    { class: 'empty stack' },
    kind === 'waiting'
      ? progressRing(title)
      : element('span', { class: `empty-sign empty-${kind}` }, icon(signs[kind])),
    title === undefined ? undefined : element('h2', {}, title),
    element('p', {}, text),
    place === undefined ? undefined : element('p', {}, place),
    action && button(action.label, action.onPress, { appearance: 'primary' }),
  );
}
