import { element, on, setText } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { t } from '../../page/l10n.ts';
import { iconButton, textField } from '../../toolkit.ts';

interface SearchEvents {
  readonly onText: (text: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  /** Escape: back to the tree. */
  readonly onLeave: () => void;
}

export class SearchBox {
  readonly element: HTMLElement;
  readonly #field = textField(t('Search labels, prompts and options'), t('Search'));
  readonly #count = element('output', { class: 'match-count', 'aria-live': 'polite' });

  constructor({ onText, onStep, onLeave }: SearchEvents) {
    this.#field.append(icon('search', 'start'));
    this.element = element(
      'div',
      { class: 'search row', role: 'search' },
      this.#field,
      this.#count,
      iconButton(t('Previous match (Shift+Enter)'), 'up', () => onStep(-1)),
      iconButton(t('Next match (Enter)'), 'down', () => onStep(1)),
    );
    on(this.#field, 'input', () => onText(this.#field.value));
    on(this.#field, 'keydown', (event) => {
      if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') onLeave();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  show(text: string, matches: readonly string[], current: string | undefined): void {
    if (this.#field.value !== text) this.#field.value = text;
    const at = current === undefined ? -1 : matches.indexOf(current);
    setText(
      this.#count,
      text.trim() === ''
        ? ''
        : matches.length === 0
          ? t('no matches')
          : t('{0} of {1}', at < 0 ? '–' : at + 1, matches.length),
    );
    this.element.classList.toggle('searching', text.trim() !== '');
  }

  takeFocus(): void {
    this.#field.focus();
    this.#field.control.select();
  }
}
