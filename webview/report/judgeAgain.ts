import { limits } from '../../src/contract/limits.ts';
import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import type { MissionTestRun } from '../../src/contract/testRuns.ts';
import { element, on, setText } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { button, progressRing, textArea } from '../toolkit.ts';
import { Judgement } from './judgement.ts';
import { outcomeWords } from './words.ts';
import { lacksModel } from '../../src/model/report/runBlocks.ts';
import { verdictOutcomes } from '../../src/model/checks/outcomes.ts';

interface JudgeAgainEvents {
  readonly onJudge: (acceptance: string) => void;
  /** The draft to keep while the page is hidden; undefined if there is none. */
  readonly onDraft: (draft: string | undefined) => void;
  /** Read out by screen readers. */
  readonly onSay: (sentence: string) => void;
  readonly onJump: (ms: number, quote: string) => void;
  readonly onChooseModel: () => void;
  readonly onOpenFile: () => void;
}

/** A mission's verdict beside the judge's verdict on the stored call by another criterion. */
export class JudgeAgain {
  readonly element: HTMLElement;
  readonly #events: JudgeAgainEvents;
  readonly #before: Judgement;
  readonly #after: Judgement;
  readonly #verdicts: HTMLElement;
  readonly #open = button(t('Judge again…'), () => this.#show(true));
  readonly #model = button(t('Choose Language Model…'), () => this.#events.onChooseModel());
  readonly #checks = button(t('Write Checks'), () => this.#events.onOpenFile());
  readonly #text = textArea('acceptance', { most: limits.missionText.max, describedBy: 'acceptance-help' });
  readonly #help = element('p', { class: 'quiet', id: 'acceptance-help' });
  readonly #trouble = element('p', { class: 'judge-trouble', role: 'alert' });
  readonly #judge = button(t('Judge the call'), () => this.#send(), { appearance: 'primary' });
  readonly #cancel = button(t('Cancel'), () => this.#show(false));
  readonly #waiting = element('p', { class: 'judging row' });
  readonly #form: HTMLElement;
  readonly #kept = element(
    'p',
    { class: 'quiet' },
    t(
      'Dialtree placed no call, and the run keeps its original verdict. The new verdict is lost when you close the report.',
    ),
  );
  #again: ReportSnapshot['again'];
  /** The criterion of the saved mission; empty if only its checks decide. */
  #saved: string | undefined;

  constructor(events: JudgeAgainEvents) {
    this.#events = events;
    this.#before = new Judgement(t('Verdict'), events.onJump);
    this.#after = new Judgement(t('New verdict'), events.onJump);
    this.#verdicts = element('div', { class: 'verdicts' }, this.#before.element, this.#after.element);
    this.#form = element(
      'form',
      { class: 'judge-form stack' },
      element('label', { for: 'acceptance' }, t('Acceptance criterion')),
      this.#text,
      this.#help,
      this.#trouble,
      element('div', { class: 'judge-actions row' }, this.#judge, this.#cancel, this.#waiting),
    );
    this.#form.hidden = true;
    on(this.#form, 'keydown', (event) => {
      if (event.key === 'Escape') this.#show(false);
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target === this.#text) this.#send();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    on(this.#text, 'input', () => events.onDraft(this.#text.value));
    this.element = element(
      'div',
      { class: 'judging-part stack' },
      this.#verdicts,
      this.#kept,
      element('div', { class: 'row judge-actions' }, this.#model, this.#checks, this.#open),
      this.#form,
    );
    this.element.hidden = true;
  }

  show(snapshot: ReportSnapshot): void {
    const { mission, again } = snapshot;
    const before = this.#again;
    this.#again = again;
    this.#saved = snapshot.acceptance;
    const isNews = JSON.stringify(before) !== JSON.stringify(again);
    this.element.hidden = mission === undefined;
    this.#before.show(mission, again?.run && { title: t('Original verdict') });
    this.#after.show(
      again?.run && justJudged(again.run),
      again && { title: t('New verdict'), acceptance: again.acceptance },
    );
    this.#kept.hidden = again?.run === undefined;
    const needsJudge = lacksModel(mission);
    this.#model.hidden = !needsJudge || snapshot.choosesModel !== true;
    this.#checks.hidden = !needsJudge || !snapshot.hasFile;
    this.#showForm(snapshot, isNews);
    // A verdict that a reopened page finds isn't announced.
    if (isNews && before && again?.run) this.#tell(again.run.verdict);
  }

  #showForm({ mission, acceptance, again, saved }: ReportSnapshot, isNews: boolean): void {
    const canJudge = saved === undefined && mission?.status === 'completed' && mission.transcript.length > 0;
    const error = again?.error;
    const waits = isUnderWay(again);
    if (this.#form.hidden || this.#text.value === '') this.#text.value = again?.acceptance ?? acceptance ?? '';
    if (!canJudge) this.#form.hidden = true;
    else if (isNews && (waits || error !== undefined)) this.#form.hidden = false;
    this.#open.hidden = !canJudge || !this.#form.hidden;
    setText(
      this.#help,
      acceptance === undefined
        ? t(
            'The saved mission and its acceptance criterion no longer exist. Describe what must happen for the call to pass. Dialtree places no new call.',
          )
        : t(
            'The judge applies this criterion to the stored call. By default, this is the criterion of the saved mission. Dialtree places no new call and changes neither the run nor the mission.',
          ),
    );
    this.#wait(waits);
    if (isNews && error !== undefined) setText(this.#trouble, error);
  }

  /** Opens the criterion if the call can be judged. */
  edit(): void {
    if (this.element.hidden || (this.#form.hidden && this.#open.hidden)) return;
    this.#show(true);
    this.#form.scrollIntoView({ block: 'nearest' });
  }

  /** Restores the draft from when the page was hidden. */
  goOn(draft: string): void {
    if (this.#open.hidden) return;
    this.#text.value = draft;
    this.#form.hidden = false;
    this.#open.hidden = true;
  }

  #show(shown: boolean): void {
    this.#form.hidden = !shown;
    this.#open.hidden = shown;
    setText(this.#trouble, '');
    this.#events.onDraft(shown ? this.#text.value : undefined);
    (shown ? this.#text : this.#open).focus();
  }

  #send(): void {
    if (this.#text.readOnly) return;
    const acceptance = this.#text.value.trim();
    if (acceptance === '' && this.#saved !== '') {
      setText(this.#trouble, t('Describe what must happen for the call to pass.'));
      this.#text.focus();
      return;
    }
    setText(this.#trouble, '');
    // The button loses the focus while it is disabled.
    this.#text.focus();
    this.#wait(true);
    this.#events.onJudge(acceptance);
  }

  #wait(waits: boolean): void {
    if (this.#text.readOnly === waits) return;
    this.#text.readOnly = waits;
    this.#judge.disabled = waits;
    this.#waiting.replaceChildren(...(waits ? [progressRing(undefined), t('Judging the stored call')] : []));
    if (waits) this.#events.onSay(t('Judging the stored call'));
  }

  #tell(verdict: MissionTestRun['verdict']): void {
    const hadFocus = this.#form.contains(document.activeElement);
    this.#form.hidden = true;
    this.#open.hidden = false;
    this.#events.onDraft(undefined);
    if (hadFocus) this.#after.element.focus();
    this.#after.element.scrollIntoView({ block: 'nearest' });
    if (verdict !== undefined) this.#events.onSay(`${t('New verdict')}: ${outcomeWords[verdictOutcomes[verdict]]}.`);
  }
}

const isUnderWay = (again: ReportSnapshot['again']): boolean =>
  again !== undefined && again.run === undefined && again.error === undefined;

/** The compliance checks are those of the run, and don't depend on the criterion. */
function justJudged({ compliance: _compliance, ...judged }: MissionTestRun): MissionTestRun {
  return judged;
}
