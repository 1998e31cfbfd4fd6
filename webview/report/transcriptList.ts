import type { StepResult } from '../../src/contract/testRuns.ts';
import { element } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from './keyedList.ts';
import { press } from './stepList.ts';
import { answerMs, turnAt, turnDuring, turnOf } from './turns.ts';
import type { Turn } from './turns.ts';
import { clockTime, secondsText } from './words.ts';

/** Steps that begin with a turn stand above it. */
type Shown = Turn & {
  readonly steps: readonly { readonly index: number; readonly name: string }[];
  readonly answerMs: number | undefined;
};

/** What was said, in its order; a moment of the call can be shown. */
export class TranscriptList {
  readonly element = element('ol', { class: 'turns', 'aria-label': t('Transcript') });
  readonly #list: KeyedList<Shown>;
  #turns: readonly Turn[] = [];
  #current: HTMLElement | undefined;

  constructor(onStep: (index: number) => void) {
    this.#list = new KeyedList<Shown>(this.element, (turn) => itemOf(turn, onStep));
  }

  show(turns: readonly Turn[], steps: readonly StepResult[]): void {
    this.#turns = turns;
    const begun = new Map<number, { index: number; name: string }[]>();
    let [at, before] = [0, 0];
    for (const [index, { name, startMs }] of steps.entries()) {
      if (startMs === undefined) continue;
      // Steps follow each other, and so do turns: the next one is looked for from the last one on.
      if (startMs < before) at = 0;
      before = startMs;
      while (at < turns.length && (turns[at]?.endMs ?? turns[at]?.startMs ?? -1) < startMs) at += 1;
      if (at < turns.length) begun.set(at, [...(begun.get(at) ?? []), { index, name }]);
    }
    // Where there are steps, these tell how long an answer took.
    this.#list.show(
      turns.map((turn, place) => ({
        ...turn,
        steps: begun.get(place) ?? [],
        answerMs: steps.length === 0 ? answerMs(turns, place) : undefined,
      })),
    );
  }

  /** Marks what is being heard; the list keeps its place unless the words would be out of sight. */
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

  /**
   * Brings what was said at this moment into sight, or the turn near it that has these words, marks it, and gives it
   * the focus.
   */
  reveal(ms: number, quote?: string): void {
    const item = this.#list.at(quote === undefined ? turnAt(this.#turns, ms) : turnOf(this.#turns, quote, ms));
    this.#mark(item);
    item?.scrollIntoView({ block: 'center' });
    item?.focus();
  }
}

function itemOf(
  { speaker, text, startMs, steps, answerMs: latency }: Shown,
  onStep: (index: number) => void,
): HTMLElement {
  return element(
    'li',
    { class: `turn ${speaker}`, tabindex: '-1' },
    ...steps.map(({ index, name }) =>
      press('step-mark', `${String(index + 1)} ${name}`, t('Show step {0}', index + 1), () => {
        onStep(index);
      }),
    ),
    element('span', { class: 'at' }, startMs === undefined ? '' : clockTime(startMs)),
    element('span', { class: 'speaker' }, speaker === 'us' ? t('Test') : t('Called side')),
    element('p', {}, text),
    latency === undefined
      ? undefined
      : element('span', { class: 'answered' }, t('answered after {0}', secondsText(latency))),
  );
}
