import type { FromLoad, LoadSnapshot } from '../../src/contract/loadPanel.ts';
import { targetName } from '../../src/model/calls/targetName.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, on, setText } from '../page/element.ts';
import { cancelling } from '../page/cutShort.ts';
import { stateIcon } from '../page/icons.ts';
import { loadState } from '../../src/contract/runState.ts';
import { t } from '../page/l10n.ts';
import { pageHead, pairsOf } from '../page/part.ts';
import { button, progressRing, type Button } from '../toolkit.ts';
import { loadSummaryOf } from './summary.ts';
import { courseOf, resultText } from './words.ts';

export class LoadHeader {
  readonly element: HTMLElement;
  readonly #name = element('h1');
  readonly #number = element('span', { class: 'number cut' });
  readonly #status = element('p', { class: 'load-status run-outcome row' });
  readonly #reason = element('p', { class: 'run-reason' });
  readonly #course = element('dl', { class: 'counts', 'aria-label': t('Test details') });
  readonly #cancel: Button;
  readonly #again: Button;
  readonly #copy: Button;
  #shown = '';
  #snapshot: LoadSnapshot | undefined;
  /** From the press until the test has ended, or couldn't be cancelled. */
  #isPressed = false;

  constructor(host: EditorHost<FromLoad>) {
    const once = (made: Button, type: 'cancel' | 'runAgain'): void => {
      // Answered by a snapshot, or by a notice with the reason.
      made.disabled = true;
      host.post({ type });
    };
    this.#cancel = button(
      t('Cancel'),
      () => {
        this.#isPressed = true;
        this.#showStatus();
        once(this.#cancel, 'cancel');
      },
      { icon: 'hangup' },
    );
    this.#again = button(t('Run again'), () => once(this.#again, 'runAgain'), { icon: 'phone' });
    this.#copy = button(
      t('Copy summary'),
      () => {
        if (this.#snapshot) host.post({ type: 'copy', text: loadSummaryOf(this.#snapshot) });
      },
      { icon: 'copy' },
    );
    // The editor may have asked for confirmation, or shown another test in front. On return, the user can press again.
    on(window, 'focus', () => this.release());
    this.#cancel.title = t('Hang up all calls in this test');
    this.element = pageHead(
      [this.#name, this.#number],
      [this.#cancel, this.#again, this.#copy],
      element('div', { class: 'verdict stack' }, this.#status, this.#reason),
      this.#course,
    );
  }

  show(snapshot: LoadSnapshot): void {
    this.#snapshot = snapshot;
    const { name, test, saved } = snapshot;
    setText(this.#name, name);
    const target = targetName(test.phoneNumber);
    this.#number.hidden = name === target;
    setText(this.#number, target);
    const isOver = test.status !== 'running';
    this.#cancel.hidden = isOver;
    this.#again.hidden = !isOver || saved === true;
    this.#copy.hidden = !isOver;
    this.#isPressed &&= !isOver;
    this.#cancel.disabled = this.#isCancelling;
    if (!isOver) this.#again.disabled = false;
    const reason = test.reason ?? test.stats?.verdict?.reason;
    this.#reason.hidden = reason === undefined;
    setText(this.#reason, reason ?? '');
    this.#showStatus();
  }

  #showStatus(): void {
    if (!this.#snapshot) return;
    const { test } = this.#snapshot;
    const result = loadState(test);
    const text = result === 'running' && this.#isCancelling ? cancelling : resultText(test);
    const shown = JSON.stringify([text, courseOf(test)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#status.className = `load-status run-outcome row is-${result}`;
    this.#status.replaceChildren(
      result === 'running' ? progressRing(undefined) : stateIcon(result),
      element('span', {}, text),
    );
    this.#course.replaceChildren(...pairsOf(courseOf(test)));
  }

  /** Lets the user press again, because a request was refused. */
  release(): void {
    this.#isPressed = false;
    this.#cancel.disabled = this.#isCancelling;
    this.#again.disabled = false;
    this.#showStatus();
  }

  get #isCancelling(): boolean {
    return this.#isPressed || this.#snapshot?.isCancelling === true;
  }
}
