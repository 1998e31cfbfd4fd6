import { element, on, setAttributes } from '../../page/element.ts';
import { t } from '../../page/l10n.ts';
import { paneLimits } from '../viewState.ts';

/**
 * The edge between tree and pane, moved by dragging or arrow keys (WAI-ARIA Authoring Practices, "Window Splitter").
 */
export class Splitter {
  readonly element = element('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: '0',
    'aria-label': t('Size of the step pane'),
    'aria-valuemin': String(paneLimits.min),
    'aria-valuemax': String(paneLimits.max),
  });
  readonly #below = matchMedia('(max-width: 640px)');
  #size = 0;

  constructor(onResize: (size: number) => void) {
    let grip: { from: number; size: number } | undefined;
    const along = (event: PointerEvent): number => (this.#below.matches ? event.clientY : event.clientX);
    on(this.element, 'pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId);
      grip = { from: along(event), size: this.#size };
      event.preventDefault();
    });
    on(this.element, 'pointermove', (event) => {
      if (grip) onResize(grip.size + grip.from - along(event));
    });
    on(this.element, 'lostpointercapture', () => {
      grip = undefined;
    });
    on(this.element, 'keydown', (event) => {
      const steps: Readonly<Record<string, number>> = {
        ArrowLeft: 24,
        ArrowUp: 24,
        ArrowRight: -24,
        ArrowDown: -24,
        Home: -paneLimits.max,
        End: paneLimits.max,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      onResize(this.#size + step);
      event.preventDefault();
    });
    this.#below.addEventListener('change', () => this.show(this.#size, this.element.hidden === true));
  }

  show(size: number, hidden: boolean): void {
    this.#size = size;
    this.element.hidden = hidden;
    setAttributes(this.element, {
      'aria-valuenow': String(size),
      'aria-orientation': this.#below.matches ? 'horizontal' : 'vertical',
    });
  }
}
