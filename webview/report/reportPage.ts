import type { FromReport, ReportSnapshot, ToReport } from '../../src/contract/reportPanel.ts';
import { testState } from '../../src/contract/runState.ts';
import type { RunResults } from '../../src/contract/testRuns.ts';
import { stepBlocks } from '../../src/model/report/runBlocks.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, on, setText } from '../page/element.ts';
import type { MessageHandlers } from '../page/incoming.ts';
import { t } from '../page/l10n.ts';
import type { PageNotices } from '../page/notices.ts';
import { Player } from '../player/player.ts';
import { RecordingParts } from '../player/recordingParts.ts';
import { CallMarks } from './callMarks.ts';
import { JudgeAgain } from './judgeAgain.ts';
import { RunHeader } from './runHeader.ts';
import { StepList } from './stepList.ts';
import { TranscriptList } from './transcriptList.ts';
import { inTimeOrder } from './turns.ts';
import { hangUpWords, hasChecks, outcomeWords } from './words.ts';

/** Longer recordings are loaded only on request: ten minutes are 19 MB. */
const preparedSeconds = 600;

/** A mission has no script; its turns are in the transcript. */
const scriptedSteps = ({ runType, steps }: RunResults): RunResults['steps'] => (runType === 'mission' ? [] : steps);

/** The report of one run: its end, its steps, and its words, linked to each other. */
export class ReportPage {
  readonly #host: EditorHost<FromReport>;
  readonly #header: RunHeader;
  readonly #mission: JudgeAgain;
  readonly #steps: StepList;
  readonly #transcript: TranscriptList;
  readonly #player: Player;
  readonly #marks: CallMarks;
  readonly #parts = new RecordingParts();
  /** Why the call isn't drawn. */
  readonly #noWave = element('p', { class: 'no-wave quiet' });
  readonly #stepsTitle = element('h2', { id: 'steps-title' });
  readonly #stepPart: HTMLElement;
  readonly #goal = element('section', { class: 'goal part stack' });
  readonly #reasons = element('div', { class: 'column' });
  readonly #said = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  #announced = '';
  #hasAudio = false;
  #runId = '';
  /** The length of the recording. */
  #seconds = 0;
  #snapshot: ReportSnapshot | undefined;
  /** The control from which the user jumped to a step or a turn. */
  #origin: Element | null = null;

  constructor(root: HTMLElement, host: EditorHost<FromReport>, notices: PageNotices) {
    this.#host = host;
    const jump = (ms: number, quote?: string): void => {
      this.#origin = document.activeElement;
      this.#transcript.reveal(ms, quote);
      if (this.#hasAudio) this.#player.playFrom(ms / 1000);
    };
    this.#player = new Player({
      onRequest: () => {
        this.#parts.begin();
        this.#explain('');
        host.post({ type: 'requestAudio' });
      },
      onLength: (seconds) => {
        this.#seconds = seconds;
        this.#mark();
      },
      onSpeed: (speed) => this.#player.show(this.#runId, undefined, speed),
      onTime: (seconds) => this.#transcript.follow(seconds * 1000),
    });
    this.#marks = new CallMarks(jump);
    this.#player.element.append(this.#marks.element);
    const track = this.#player.element.querySelector('.track');
    if (track) this.#marks.align(track);
    const showStep = (index: number): void => {
      this.#origin = document.activeElement;
      this.#steps.reveal(index);
    };
    this.#header = new RunHeader(host, showStep);
    this.#mission = new JudgeAgain({
      onJudge: (acceptance) => host.post({ type: 'judge', acceptance }),
      onDraft: (draft) => host.store({ draft }),
      onSay: (sentence) => setText(this.#said, sentence),
      onJump: jump,
      onChooseModel: () => host.post({ type: 'chooseModel' }),
      onOpenFile: () => host.post({ type: 'openFile' }),
    });
    this.#steps = new StepList({
      onJump: jump,
      onOpenFile: (step) => host.post({ type: 'openFile', step }),
      onAcceptHeard: (step) => host.post({ type: 'acceptHeard', step }),
    });
    this.#transcript = new TranscriptList(showStep);
    on(root, 'keydown', (event) => {
      const isThere = event.target instanceof Element && event.target.matches('.turn, .step');
      if (event.key === 'Escape' && isThere && this.#origin instanceof HTMLElement) this.#origin.focus();
    });
    this.#stepPart = element(
      'section',
      { class: 'part', 'aria-labelledby': 'steps-title' },
      this.#stepsTitle,
      this.#steps.element,
    );
    // What decides comes first.
    this.#reasons.append(this.#goal, this.#stepPart, this.#mission.element);
    root.classList.add('report');
    root.append(
      this.#header.element,
      notices.element,
      this.#player.element,
      this.#noWave,
      element(
        'main',
        { class: 'parts' },
        this.#reasons,
        element(
          'section',
          { class: 'column part', tabindex: '0', 'aria-labelledby': 'transcript-title' },
          element('h2', { id: 'transcript-title' }, t('Transcript')),
          this.#transcript.element,
        ),
      ),
      this.#said,
    );
  }

  readonly handlers: MessageHandlers<ToReport> = {
    audio: (part) => {
      const wholeRecording = this.#parts.take(part);
      if (wholeRecording && 'next' in wholeRecording) {
        this.#player.receiving(wholeRecording.share);
        this.#host.post({ type: 'requestAudio', from: wholeRecording.next });
      } else this.#player.receive(this.#runId, wholeRecording?.whole, part.error ?? t("Couldn't play this recording."));
    },
    snapshot: (snapshot) => this.#show(snapshot),
    sound: (part) => this.#header.sound.take(part),
    editCriterion: () => this.#mission.edit(),
  };

  release(): void {
    this.#header.release();
  }

  #show(snapshot: ReportSnapshot): void {
    const { run, mission } = snapshot;
    const isFirst = this.#snapshot === undefined;
    const draft = isFirst ? draftOf(this.#host.stored()) : undefined;
    this.#snapshot = snapshot;
    this.#header.show(snapshot);
    this.#mission.show(snapshot);
    if (draft !== undefined) this.#mission.goOn(draft);
    const steps = stepBlocks(run, snapshot.again?.run?.checks ? snapshot.again.run : mission);
    const plan = run.status === 'running' ? snapshot.plan : undefined;
    this.#showGoal(run.runType === 'mission' ? snapshot.plan : plan, run.runType);
    setText(this.#stepsTitle, hasChecks(run.runType) ? t('Checks') : t('Steps'));
    this.#stepPart.hidden = steps.length + (plan?.names.length ?? 0) === 0;
    const isMission = mission !== undefined && run.status === 'completed';
    this.#reasons.hidden = this.#stepPart.hidden && this.#goal.hidden && !isMission;
    this.#steps.show(steps, snapshot);
    this.#hasAudio = run.audioUrl !== undefined || snapshot.saved === 'withSound';
    if (this.#hasAudio && this.#runId !== run.id) {
      this.#runId = run.id;
      this.#seconds = answeredSeconds(run);
      this.#player.show(run.id, this.#seconds, 1);
      this.#explain(t('The recording is long, so its waveform appears when you play it.'));
      if (this.#seconds <= preparedSeconds) this.#player.prepare();
    }
    this.#player.element.hidden = !this.#hasAudio;
    if (!this.#hasAudio) this.#explain(whyNoRecording(snapshot));
    const turns = inTimeOrder(run.transcript ?? mission?.transcript ?? []);
    this.#transcript.show(turns, scriptedSteps(run), run);
    this.#mark();
    const summary = run.outcome === undefined ? '' : `${outcomeWords[testState(run)]}. ${hangUpWords(run) ?? ''}`;
    if (summary !== this.#announced) setText(this.#said, summary);
    this.#announced = summary;
  }

  /** Shows what a mission or an active probe is about. */
  #showGoal(
    { goal, acceptance }: Partial<NonNullable<ReportSnapshot['plan']>> = {},
    type: RunResults['runType'],
  ): void {
    const text = (title: string, said: string | undefined): HTMLElement[] =>
      said === undefined ? [] : [element('h2', {}, title), element('p', { class: 'reasoning' }, said)];
    const shown = [
      ...text(type === 'mission' ? t('Persona and goal') : t('What the probe observes'), goal),
      ...text(t('Acceptance criterion'), acceptance),
    ];
    this.#goal.hidden = shown.length === 0;
    if (this.#goal.textContent !== shown.map(({ textContent }) => textContent).join(''))
      this.#goal.replaceChildren(...shown);
  }

  #explain(why: string): void {
    this.#noWave.hidden = why === '';
    setText(this.#noWave, why);
  }

  #mark(): void {
    if (!this.#snapshot) return;
    const { run, mission } = this.#snapshot;
    this.#marks.show(scriptedSteps(run), run.transcript ?? mission?.transcript ?? [], this.#seconds * 1000);
  }
}

/** Times of steps and turns, and the recording, start at the answer. */
const answeredSeconds = ({ callSeconds = 0, postDialMs = 0 }: ReportSnapshot['run']): number =>
  Math.max(0, callSeconds - postDialMs / 1000);

function whyNoRecording({ run: { status, callSeconds = 0 }, saved }: ReportSnapshot): string {
  if (saved === 'withoutSound') return t('This file was saved without the recording.');
  if (status === 'running') return t('The recording appears here when the call is over.');
  return callSeconds === 0
    ? t('There is no recording, because no call was connected.')
    : t(
        "There is no recording. Either it couldn't be stored, or the service deleted it when its retention period ended.",
      );
}

function draftOf(stored: unknown): string | undefined {
  const draft = typeof stored === 'object' && stored !== null && 'draft' in stored ? stored.draft : undefined;
  return typeof draft === 'string' ? draft : undefined;
}
