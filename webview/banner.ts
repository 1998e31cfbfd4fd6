import { element, setAttributes } from './element.ts';
import type { ExplainedAction, Explanation } from './explain.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { t } from './l10n.ts';
import { button, iconButton, progressRing } from './toolkit.ts';

const signs: Readonly<Record<Explanation['kind'], IconName>> = {
  waiting: 'exploring',
  empty: 'phone',
  failed: 'failed',
  limited: 'warning',
};

export type Act = (message: ExplainedAction) => void;

/** In place of the tree: why there is none, and the one thing to do. */
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

/** Above the tree: what happened, with one thing to do and a way to put it aside. */
export class Banner {
  readonly element = element('div', { class: 'banner' });
  #shown = '';

  show(
    severity: 'info' | 'warning' | 'error',
    title: string | undefined,
    text: string,
    action: { label: string; onPress: () => void } | undefined,
  ): void {
    const shown = JSON.stringify([severity, title, text, action?.label]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    setAttributes(this.element, {
      class: `banner banner-${severity}`,
      role: severity === 'error' ? 'alert' : 'status',
    });
    this.element.replaceChildren(
      ...[
        icon(severity === 'info' ? 'info' : severity === 'warning' ? 'warning' : 'failed'),
        element('p', {}, title === undefined ? undefined : element('strong', {}, `${title}. `), text),
        action && button(action.label, action.onPress),
        iconButton(t('Dismiss'), 'close', () => {
          this.element.hidden = true;
        }),
      ].filter((part) => part !== undefined),
    );
    this.element.hidden = false;
  }

  clear(): void {
    this.#shown = '';
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
