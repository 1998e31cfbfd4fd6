import { serverLimits } from '../../src/contract/limits.ts';
import type { FromReport, ReportSnapshot } from '../../src/contract/reportPanel.ts';
import { testState } from '../../src/contract/runState.ts';
import { cancelling } from '../page/cutShort.ts';
import { targetName } from '../../src/model/calls/targetName.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, setText } from '../page/element.ts';
import { durationOf, moment } from '../page/formats.ts';
import { icon, stateIcon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { pageHead, pairsOf } from '../page/part.ts';
import { LiveSound } from '../player/liveSound.ts';
import { button, type Button } from '../toolkit.ts';
import { RunDots } from './runDots.ts';
import { press } from './stepList.ts';
import { hangUpWords, hasChecks, outcomeWords, durationText, typeWords } from './words.ts';
import { stepBlocks } from '../../src/model/report/runBlocks.ts';

export class RunHeader {
  readonly element: HTMLElement;
  readonly sound: LiveSound;
  readonly #name = element('h1');
  readonly #about = element('span', { class: 'number cut' });
  readonly #outcome = element('p', { class: 'run-outcome row' });
  readonly #reason = element('p', { class: 'run-reason' });
  readonly #hangUp = element('p', { class: 'hang-up row' });
  readonly #awaited = element('p', { class: 'awaited row' });
  readonly #waits = element('span');
  readonly #address = element('code', { class: 'boxed' });
  readonly #figures = element('dl', { class: 'counts', 'aria-label': t('Figures for this call') });
  readonly #cancel: Button;
  readonly #open: Button;
  readonly #again: Button;
  readonly #failedAgain: Button;
  readonly #share: Button;
  /** What the page of a call by hand offers after the call. */
  readonly #byHand: readonly Button[];
  readonly #dots: RunDots;
  readonly #onShowStep: (index: number) => void;
  #snapshot: ReportSnapshot | undefined;
  /** From the press until the call is over, or couldn't be hung up. */
  #isPressed = false;

  constructor(host: EditorHost<FromReport>, onShowStep: (index: number) => void) {
    this.#cancel = button(
      t('Hang up'),
      () => {
        // Answered by the end of the call, or by a notice with the reason why it continues.
        this.#isPressed = true;
        this.#showOutcome();
        host.post({ type: 'cancel' });
      },
      { icon: 'hangup' },
    );
    this.#onShowStep = onShowStep;
    this.#again = button(t('Run again'), () => host.post({ type: 'runAgain', what: 'all' }), { icon: 'play' });
    this.#failedAgain = button(t('Run failed rows again'), () => host.post({ type: 'runAgain', what: 'failed' }));
    this.#share = button(t('Share…'), () => host.post({ type: 'share' }));
    this.#byHand = [
      button(t('Call again'), () => host.post({ type: 'callAgain' }), { icon: 'phone' }),
      button(t('Save as test…'), () => host.post({ type: 'save', as: 'calltest' })),
      button(t('Save as mission…'), () => host.post({ type: 'save', as: 'mission' })),
    ];
    this.sound = new LiveSound((on) => host.post({ type: 'listen', on }));
    this.#dots = new RunDots((runId) => host.post({ type: 'openRun', runId }));
    this.#open = button(t('Open test file'), () => host.post({ type: 'openFile' }));
    const [before = '', after = ''] = t('Point your test campaign, PBX or dialler at {0}').split('{0}');
    this.#awaited.append(
      this.#waits,
      before,
      this.#address,
      after,
      button(t('Copy address'), () => host.post({ type: 'copyAddress' }), { icon: 'copy' }),
    );
    this.element = pageHead(
      [this.#name, this.#about],
      [this.sound.element, this.#cancel, this.#again, this.#failedAgain, ...this.#byHand, this.#share, this.#open],
      element('div', { class: 'verdict stack' }, this.#outcome, this.#reason, this.#hangUp, this.#awaited),
      this.#figures,
      this.#dots.element,
    );
  }

  show(snapshot: ReportSnapshot): void {
    this.#snapshot = snapshot;
    const { name, rule, run, mission, hasFile } = snapshot;
    setText(this.#name, name);
    setText(
      this.#about,
      [
        run.guided === true ? t('Called by hand') : typeWords[run.runType],
        ...(rule === undefined ? [] : [rule]),
        targetName(run.phoneNumber),
      ].join(' · '),
    );
    const isOver = run.status === 'completed';
    // The controls of the call can't keep the focus after it.
    const isLost = isOver && [this.#cancel, this.sound.element].some((one) => one.contains(document.activeElement));
    this.#cancel.hidden = isOver;
    this.sound.show(isOver);
    this.#isPressed &&= !isOver;
    this.#again.hidden = !isOver || run.guided === true || (run.configId ?? run.catalogueTestId) === undefined;
    for (const [index, deed] of this.#byHand.entries())
      deed.hidden =
        !isOver ||
        run.guided !== true ||
        snapshot.saved !== undefined ||
        (index > 0 && (run.transcript ?? []).length === 0);
    this.#failedAgain.hidden = !isOver || run.runType !== 'param' || !hasFile;
    this.#share.hidden = !isOver || snapshot.saved !== undefined;
    this.#dots.show(snapshot);
    this.#open.hidden = !hasFile;
    // A key that is pressed too late must not call again.
    if (isLost) [...this.#byHand.slice(1), this.#share, this.#open].find(({ hidden }) => !hidden)?.focus();
    this.#showOutcome();
    this.#show(this.#hangUp, hangUpWords(run));
    this.#showReason(run, mission);
    if (run.hangUp) this.#hangUp.prepend(icon('hangup'));
    this.#awaited.hidden = run.awaitsCallAt === undefined;
    setText(this.#address, run.awaitsCallAt ?? '');
    setText(
      this.#waits,
      t(
        'Waiting for a call from {0} since {1}, for up to {2}.',
        targetName(run.phoneNumber),
        moment(run.startedAt),
        durationOf(serverLimits.receive.waitSeconds),
      ),
    );
    this.#figures.replaceChildren(...pairsOf(figuresOf(run, mission)));
  }

  /** A reason that a step, the judge or the end of the call gives stands there. A step is named instead. */
  #showReason(
    { reason: own, steps, runType, hangUp }: ReportSnapshot['run'],
    mission: ReportSnapshot['mission'],
  ): void {
    const reason = own ?? mission?.reason;
    const isElsewhere = [hangUp?.sentence, mission?.judgeReasoning, mission?.passReasoning].includes(reason);
    this.#show(this.#reason, isElsewhere ? undefined : reason);
    const isEnd = (text: string): boolean => hangUp !== undefined && text.includes(hangUp.sentence);
    if (runType === 'mission') return;
    const index = steps.findIndex(
      (step) => step.outcome !== 'PASS' && step.reason !== undefined && reason?.includes(step.reason) === true,
    );
    const step = steps[index];
    if (!step) this.#hangUp.hidden ||= !this.#reason.hidden && isEnd(reason ?? '');
    else
      this.#reason.replaceChildren(
        press('link', `${String(index + 1)} ${step.name}`, t('Show step {0}', index + 1), () =>
          this.#onShowStep(index),
        ),
        // A check of a probe is a sentence, and its reason stands at it. The end of the call follows.
        runType === 'compliance' || isEnd(step.reason ?? '') ? '' : `: ${mainReason(step)}`,
      );
  }

  /** Enables the buttons again. */
  release(): void {
    this.#isPressed = false;
    this.#showOutcome();
  }

  #showOutcome(): void {
    if (!this.#snapshot) return;
    const { run, mission } = this.#snapshot;
    const isCancelling = this.#isPressed || this.#snapshot.isCancelling === true;
    this.#cancel.disabled = isCancelling;
    const outcome = run.outcome ?? (run.status === 'completed' ? 'ERROR' : undefined);
    const state = outcome && testState({ ...run, outcome });
    this.#outcome.className = `run-outcome row ${state === undefined ? 'is-running' : `outcome-${state.toLowerCase()}`}`;
    this.#outcome.replaceChildren(
      state === undefined ? icon('phone') : stateIcon(state),
      element(
        'span',
        {},
        state !== undefined
          ? outcomeWords[state]
          : isCancelling
            ? cancelling
            : run.awaitsCallAt === undefined
              ? t('Call in progress')
              : t('Waiting for a call'),
      ),
      ...(mission?.unstable === true ? [element('span', { class: 'badge' }, t('unstable'))] : []),
    );
  }

  #show(target: HTMLElement, text: string | undefined): void {
    target.hidden = text === undefined;
    target.replaceChildren(text ?? '');
  }
}

/**
 * Returns what went wrong, or why this is inconclusive, which follows it. A full stop inside of a quote ends no sentence.
 */
function mainReason({ outcome, reason = '' }: ReportSnapshot['run']['steps'][number]): string {
  const [first = reason] = /^(?:“[^”]*”|[^“.!?]|[.!?](?!\s))*[.!?]?/.exec(reason) ?? [];
  return (outcome === 'INCONCLUSIVE' && reason.slice(first.length).trim()) || first;
}

function figuresOf(run: ReportSnapshot['run'], mission: ReportSnapshot['mission']): [string, string][] {
  const { runType, status, postDialMs, callSeconds, startedAt, hangUp, row } = run;
  // An active run hasn't been measured yet.
  const isOver = status === 'completed';
  const latency = isOver ? mission?.turnLatencyMs : undefined;
  const steps = isOver ? stepBlocks(run, mission) : [];
  const passed = t('{0} of {1}', steps.filter(({ outcome }) => outcome === 'PASS').length, steps.length);
  return [
    [t('Started'), moment(startedAt)],
    ...(steps.length === 0
      ? []
      : [[hasChecks(runType) ? t('Checks passed') : t('Steps passed'), passed] as [string, string]]),
    ...(callSeconds === undefined ? [] : [[t('Call length'), durationText(callSeconds * 1000)] as [string, string]]),
    ...(postDialMs === undefined ? [] : [[t('Answered after'), durationText(postDialMs)] as [string, string]]),
    ...(latency === undefined
      ? []
      : ([
          [t('Median response time'), durationText(latency.median)],
          [t('Slowest response time'), durationText(latency.worst)],
        ] as [string, string][])),
    ...(hangUp?.status === undefined ? [] : [['SIP', String(hangUp.status)] as [string, string]]),
    ...(hangUp?.q850 === undefined ? [] : [['Q.850', String(hangUp.q850)] as [string, string]]),
    ...Object.entries(row ?? {}),
  ];
}
