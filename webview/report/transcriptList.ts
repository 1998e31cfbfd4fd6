import { stateOf } from '../../src/contract/runState.ts';
import type { RunResults, StepResult } from '../../src/contract/testRuns.ts';
import { element, setText } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from './keyedList.ts';
import { press } from './stepList.ts';
import { answerMs, keysIn, turnAt, turnDuring, turnOf, type ShownTurn } from './turns.ts';
import { clockTime } from '../../src/model/report/runBlocks.ts';
import { durationText } from './words.ts';

/** Steps that begin with a turn are above it. */
type Shown = ShownTurn & {
  readonly caller?: string;
  readonly steps: readonly { readonly index: number; readonly name: string }[];
  readonly answerMs: number | undefined;
  /** The rest of it is still being said. */
  readonly isPartial?: true;
};

/** The transcript in order; it can show a time of the call. */
export class TranscriptList {
  readonly #turnList = element('ol', { class: 'turns stack', 'aria-label': t('Transcript') });
  readonly #nothing = element('p', { class: 'quiet no-transcript' });
  readonly element = element('div', {}, this.#nothing, this.#turnList);
  readonly #list: KeyedList<Shown>;
  #turns: readonly ShownTurn[] = [];
  #current: HTMLElement | undefined;

  constructor(onStep: (index: number) => void) {
    this.#list = new KeyedList<Shown>(this.#turnList, (turn) => itemOf(turn, onStep));
  }

  /** Also shows the words so far of an utterance that isn't over, or why there are none. */
  show(turns: readonly ShownTurn[], steps: readonly StepResult[], run: RunResults): void {
    const { hearing = '' } = run;
    this.#turns = turns;
    this.#nothing.hidden = turns.length > 0 || hearing !== '';
    setText(this.#nothing, whyNoTranscript(run));
    const begun = new Map<number, { index: number; name: string }[]>();
    let [at, before] = [0, 0];
    for (const [index, { name, startMs }] of steps.entries()) {
      if (startMs === undefined) continue;
      // Steps are in order, and so are turns, so the search continues from the last match.
      if (startMs < before) at = 0;
      before = startMs;
      while (at < turns.length && (turns[at]?.endMs ?? turns[at]?.startMs ?? -1) < startMs) at += 1;
      if (at < turns.length) begun.set(at, [...(begun.get(at) ?? []), { index, name }]);
    }
    // If there are steps, they show the response times.
    const shown = turns.map((turn, place) => ({
      ...turn,
      caller: run.guided === true ? t('You') : 'Dialtree',
      steps: begun.get(place) ?? [],
      answerMs: steps.length === 0 ? answerMs(turns, place) : undefined,
    }));
    const partial = { speaker: 'them', text: `${hearing} …`, steps: [], answerMs: undefined, isPartial: true } as const;
    this.#list.show(hearing === '' ? shown : [...shown, partial]);
  }

  /** Marks the current turn; the list scrolls only if it would be out of sight. */
  follow(ms: number): void {
    const at = turnDuring(this.#turns, ms);
    const item = at < 0 ? undefined : this.#list.at(at);
    if (!item || item.getAttribute('aria-current') === 'true') return;
    this.#mark(item);
    item.scrollIntoView({ block: 'nearest' });
  }

  #mark(item: HTMLElement | undefined): void {
    this.#current?.removeAttribute('aria-current');
    this.#current = item;
    item?.setAttribute('aria-current', 'true');
  }

  /** Scrolls to the turn at this time, or to the nearby turn with these words, marks it, and focuses it. */
  reveal(ms: number, quote?: string): void {
    const item = this.#list.at(quote === undefined ? turnAt(this.#turns, ms) : turnOf(this.#turns, quote, ms));
    this.#mark(item);
    item?.scrollIntoView({ block: 'center' });
    item?.focus();
  }
}

/** A call that was cut short is recorded to its end, but not always transcribed to its end. */
function whyNoTranscript({ status, outcome, endedBy, callSeconds = 0, audioUrl }: RunResults): string {
  if (status === 'running') return t('The words appear here as they are recognised.');
  if (callSeconds === 0 && audioUrl === undefined) return t('There is no transcript, because no call was connected.');
  return outcome !== undefined && stateOf(outcome, endedBy) !== outcome
    ? t('There is no transcript, because the call was cut short.')
    : t('Nothing was said.');
}

function itemOf(turn: Shown, onStep: (index: number) => void): HTMLElement {
  const { speaker, caller, text, startMs, beforeAnswer, steps, answerMs: latency, isPartial } = turn;
  const keys = keysIn(turn);
  return element(
    'li',
    // A screen reader says the whole utterance, once.
    { class: `turn ${speaker}`, tabindex: '-1', ...(isPartial && { 'aria-live': 'off' }) },
    ...steps.map(({ index, name }) =>
      press('step-mark', `${String(index + 1)} ${name}`, t('Show step {0}', index + 1), () => onStep(index)),
    ),
    element('span', { class: 'at' }, startMs === undefined ? '' : clockTime(startMs)),
    element(
      'span',
      { class: 'speaker' },
      speaker === 'us' ? caller : beforeAnswer === true ? t('Before the answer') : t('IVR'),
    ),
    element('p', {}, keys === undefined ? text : t('Pressed {0}', keys)),
    latency === undefined
      ? undefined
      : element('span', { class: 'answered' }, t('answered after {0}', durationText(latency))),
  );
}
