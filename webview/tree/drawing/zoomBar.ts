import { element, setText } from '../../page/element.ts';
import { t } from '../../page/l10n.ts';
import { iconButton } from '../../toolkit.ts';

interface ZoomEvents {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
  readonly onKeys: () => void;
}

const step = 1.25;

export class ZoomBar {
  readonly element: HTMLElement;
  readonly #level = element('span', { class: 'zoom-level' });

  constructor({ onZoom, onFit, onKeys }: ZoomEvents) {
    this.element = element(
      'div',
      { class: 'zoom-bar row boxed', role: 'group', 'aria-label': t('Zoom') },
      iconButton(t('Zoom out (-)'), 'minus', () => onZoom(1 / step)),
      this.#level,
      iconButton(t('Zoom in (+)'), 'plus', () => onZoom(step)),
      iconButton(t('Fit the whole tree in view (0)'), 'fit', onFit),
      iconButton(t('Show the keyboard commands (?)'), 'help', onKeys),
    );
  }

  show(zoom: number): void {
    setText(this.#level, `${Math.round(zoom * 100)}%`);
  }
}
