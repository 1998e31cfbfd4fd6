import { element, setAttributes } from './element.ts';
import { icon } from './icons.ts';
import { t } from './l10n.ts';
import { button, iconButton } from '../toolkit.ts';

export class Banner {
  readonly element = element('div', { class: 'banner row', hidden: '' });
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
      class: `banner row banner-${severity}`,
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
