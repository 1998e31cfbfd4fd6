import type { MappingRun } from '../../src/contract/mapping.ts';
import { mappingState } from '../../src/contract/runState.ts';
import { targetName } from '../../src/model/calls/targetName.ts';
import { cancelling } from '../page/cutShort.ts';
import { element, on, setAttributes, setText } from '../page/element.ts';
import { icon, stateIcon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { pageHead } from '../page/part.ts';
import type { Scene } from './scene.ts';
import { countsOf, runLabel, runStatusWords } from './shownRun.ts';
import { button, dropdown, iconButton, option, progressRing } from '../toolkit.ts';

interface HeaderEvents {
  readonly onRun: (version: number) => void;
  readonly onStart: () => void;
  readonly onCancel: () => void;
  readonly onExpandAll: () => void;
  readonly onCollapseAll: () => void;
  readonly onHeat: (on: boolean) => void;
}

export class Header {
  readonly element: HTMLElement;
  readonly #name = element('h1');
  readonly #number = element('span', { class: 'number cut' });
  readonly #status = element('span', { class: 'status row' });
  readonly #counts = element('dl', { class: 'counts', 'aria-label': t('Figures for this run') });
  readonly #runs = dropdown(t('Run'));
  readonly #runShown = element('span', { slot: 'selected-value' });
  readonly #start = button(t('Start mapping'), () => this.ask('start'), { appearance: 'primary', icon: 'phone' });
  readonly #cancel = button(t('Cancel'), () => this.ask('cancel'), { icon: 'close' });
  readonly #heat = iconButton(t('Latency (L)'), 'heat', () => undefined);
  readonly #second = element('div', { class: 'head-row row' });
  readonly #tools = element('div', { class: 'tools row' });
  readonly #events: HeaderEvents;
  #shown: Scene['snapshot'] | undefined;
  #runNumbers = '';
  #statusShown = '';
  #run: MappingRun | undefined;
  /** From the press until the run has ended, or couldn't be cancelled. */
  #isPressed = false;

  constructor(events: HeaderEvents, search: HTMLElement) {
    this.#events = events;
    this.#runs.append(this.#runShown);
    on(this.#runs, 'change', () => {
      const version = Number(this.#runs.value);
      if (Number.isInteger(version) && version > 0) events.onRun(version);
    });
    this.element = pageHead(
      [this.#name, this.#number],
      [this.#status, this.#runs, this.#start, this.#cancel],
      this.#second,
    );
    this.#second.append(this.#counts, this.#tools);
    on(this.#heat, 'click', () => events.onHeat(this.#heat.ariaPressed !== 'true'));
    this.#tools.append(
      search,
      this.#heat,
      iconButton(t('Expand all'), 'expandAll', events.onExpandAll),
      iconButton(t('Collapse all'), 'collapseAll', events.onCollapseAll),
    );
  }

  show({ snapshot, run, index }: Scene, heat: boolean): void {
    // The library passes the property to the button inside, but not the attribute.
    this.#heat.ariaPressed = String(heat);
    if (snapshot === this.#shown) return;
    this.#shown = snapshot;
    const { name, phoneNumber = '', job, runs } = snapshot;
    setText(this.#name, targetName(name));
    setText(this.#number, targetName(name) === targetName(phoneNumber) ? '' : targetName(phoneNumber));
    this.#isPressed &&= job?.status === 'running';
    this.#run = run;
    this.#showStatus();
    this.#counts.replaceChildren(
      ...(run ? countsOf(run) : []).map(({ name, value, meaning }) =>
        element('div', { title: meaning }, element('dd', {}, value), element('dt', {}, name)),
      ),
    );
    const running = job?.status === 'running';
    this.#start.hidden = running || !index || !job;
    this.#cancel.hidden = !running;
    this.#tools.hidden = !index;
    this.#second.hidden = !run && !index;
    this.#enable();
    this.#start.replaceChildren(icon('phone', 'start'), runs.length > 0 ? t('Map again') : t('Start mapping'));
  }

  /** The next snapshot answers a press; until then, a second press would start a second run. */
  ask(what: 'start' | 'cancel'): void {
    if (this.#start.disabled) return;
    this.#start.disabled = true;
    this.#cancel.disabled = true;
    if (what === 'start') this.#events.onStart();
    else {
      this.#isPressed = true;
      this.#showStatus();
      this.#events.onCancel();
    }
  }

  /** Enables the buttons again, because a request was refused. */
  release(): void {
    this.#isPressed = false;
    this.#showStatus();
    this.#enable();
  }

  get #isCancelling(): boolean {
    return this.#isPressed || this.#shown?.isCancelling === true;
  }

  readonly #label = (run: MappingRun): string => runLabel(run, this.#isCancelling);

  #enable(): void {
    this.#start.disabled = this.#isCancelling;
    this.#cancel.disabled = this.#isCancelling;
  }

  #showRuns(runs: readonly MappingRun[], shown: MappingRun | undefined): void {
    this.#runs.hidden = runs.length === 0;
    const numbers = runs.map(({ runNumber }) => runNumber).join(' ');
    if (numbers !== this.#runNumbers) {
      this.#runNumbers = numbers;
      this.#runs.replaceChildren(this.#runShown, ...runs.map((run) => option(String(run.runNumber), this.#label(run))));
    } else {
      // An open list stays open while its runs progress.
      for (const [at, entry] of [...this.#runs.querySelectorAll('vscode-option')].entries()) {
        const run = runs[at];
        if (run) setText(entry, this.#label(run));
      }
    }
    if (!shown) return;
    setText(this.#runShown, this.#label(shown));
    setAttributes(this.#runs, { title: this.#label(shown) });
    const value = String(shown.runNumber);
    // The list accepts its options in a later microtask, and a value only after that.
    requestAnimationFrame(() => {
      if (this.#runs.value !== value) this.#runs.value = value;
    });
  }

  #showStatus(): void {
    const run = this.#run;
    this.#showRuns(this.#shown?.runs ?? [], run);
    this.#status.hidden = run === undefined;
    if (!run) return;
    const state = mappingState(run);
    const word = state === 'running' && this.#isCancelling ? cancelling : runStatusWords[state];
    if (word === this.#statusShown) return;
    this.#statusShown = word;
    this.#status.className = `status row status-${state}`;
    this.#status.replaceChildren(
      state === 'running' ? progressRing(word) : stateIcon(state),
      element('span', {}, word),
    );
  }
}
