import type { FromReport, ReportSnapshot } from '../../src/contract/reportPanel.ts';
import type { EditorHost } from '../editorHost.ts';
import { element, on, setText } from '../element.ts';
import { icon } from '../icons.ts';
import { t } from '../l10n.ts';
import { Player } from '../player.ts';
import { button } from '../toolkit.ts';
import { CallMarks } from './callMarks.ts';
import type { Handlers } from './incoming.ts';
import { MissionVerdict } from './missionVerdict.ts';
import { RunHeader } from './runHeader.ts';
import { StepList } from './stepList.ts';
import { TranscriptList } from './transcriptList.ts';
import { outcomeWords } from './words.ts';

/** The report of one run: how it ended, its steps, and what was said, each leading to the other. */
export class ReportPage {
  readonly #host: EditorHost<FromReport>;
  readonly #header: RunHeader;
  readonly #mission: MissionVerdict;
  readonly #steps: StepList;
  readonly #transcript: TranscriptList;
  readonly #player: Player;
  readonly #marks: CallMarks;
  readonly #stepPart: HTMLElement;
  readonly #noTranscript = element('p', { class: 'quiet' });
  readonly #notice = element('div', { class: 'banner banner-error', role: 'alert' });
  readonly #said = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  #told = '';
  #hasAudio = false;
  #runId = '';
  /** The control that led to a step or to what was said. */
  #origin: Element | null = null;

  constructor(root: HTMLElement, host: EditorHost<FromReport>) {
    this.#host = host;
    const openFile = (step?: number): void => { host.post({ type: 'openFile', ...(step !== undefined && { step }) }); };
    const jump = (ms: number): void => {
      this.#origin = document.activeElement;
      this.#transcript.reveal(ms);
      if (this.#hasAudio) this.#player.playFrom(ms / 1000);
    };
    this.#player = new Player({
      onRequest: () => { host.post({ type: 'requestAudio' }); },
      onSpeed: (speed) => { this.#player.show(this.#runId, undefined, speed); },
      onTime: (seconds) => { this.#transcript.follow(seconds * 1000); },
    });
    this.#marks = new CallMarks(jump);
    this.#player.element.append(this.#marks.element);
    const track = this.#player.element.querySelector('.track');
    if (track) this.#marks.align(track);
    this.#player.element.hidden = true;
    this.#header = new RunHeader({ onCancel: () => { host.post({ type: 'cancel' }); }, onOpenFile: () => { openFile(); }, onCopyAddress: () => { host.post({ type: 'copyAddress' }); } });
    this.#mission = new MissionVerdict(jump);
    this.#steps = new StepList({ onJump: jump, onOpenFile: openFile });
    this.#transcript = new TranscriptList((index) => {
      this.#origin = document.activeElement;
      this.#steps.reveal(index);
    });
    on(root, 'keydown', (event) => {
      const isThere = event.target instanceof Element && event.target.matches('.turn, .step');
      if (event.key === 'Escape' && isThere && this.#origin instanceof HTMLElement) this.#origin.focus();
    });
    this.#notice.hidden = true;
    this.#stepPart = element('section', { class: 'part', 'aria-labelledby': 'steps-title' }, element('h2', { id: 'steps-title' }, t('Steps')), this.#steps.element);
    root.classList.add('report');
    root.append(this.#header.element, this.#notice, this.#player.element,
      element('main', { class: 'parts' },
        element('div', { class: 'column' }, this.#mission.element, this.#stepPart),
        element('section', { class: 'column part', tabindex: '0', 'aria-labelledby': 'transcript-title' }, element('h2', { id: 'transcript-title' }, t('Transcript')), this.#noTranscript, this.#transcript.element)),
      this.#said);
  }

  readonly handlers: Handlers = {
    audio: ({ wav, error }) => { this.#player.receive(this.#runId, wav, error); },
    snapshot: (snapshot) => { this.#show(snapshot); },
    notice: ({ message }) => {
      this.#header.release();
      this.#notice.replaceChildren(icon('failed'), element('p', {}, message), button(t('Try again'), () => { this.#host.post({ type: 'refresh' }); }));
      this.#notice.hidden = false;
    },
  };

  #show(snapshot: ReportSnapshot): void {
    const { run, mission, hasFile } = snapshot;
    // The window that comes after this one finds the run by it.
    this.#host.store({ runId: run.id });
    this.#notice.hidden = true;
    this.#header.show(snapshot);
    this.#mission.show(mission);
    this.#stepPart.hidden = run.steps.length === 0 && mission !== undefined;
    this.#steps.show(run.steps, hasFile);
    this.#hasAudio = run.audioUrl !== undefined;
    if (this.#hasAudio && this.#runId !== run.id) {
      this.#runId = run.id;
      this.#player.show(run.id, run.callSeconds, 1);
    }
    this.#player.element.hidden = !this.#hasAudio;
    const turns = run.transcript ?? mission?.transcript ?? [];
    this.#noTranscript.hidden = turns.length > 0;
    setText(this.#noTranscript, run.status === 'running' ? t('Nothing was said yet.') : t('Nothing was said.'));
    this.#transcript.show(turns, run.steps);
    this.#marks.show(run.steps, turns, (run.callSeconds ?? 0) * 1000);
    const told = run.outcome === undefined ? '' : `${outcomeWords[run.outcome]}. ${run.hangUp?.sentence ?? ''}`;
    if (told !== this.#told) setText(this.#said, told);
    this.#told = told;
  }
}
