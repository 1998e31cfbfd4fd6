import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import type { Sentences } from '../../src/base/sentences.ts';
import { clockTime, type StepBlock } from '../../src/model/report/runBlocks.ts';
import { element, on, type Content } from '../page/element.ts';
import { stateIcon } from '../page/icons.ts';
import { sentencesText, t } from '../page/l10n.ts';
import { said } from '../page/said.ts';
import { button } from '../toolkit.ts';
import { KeyedList } from './keyedList.ts';
import { outcomeWords, durationText } from './words.ts';
import { wordDiff, type DiffStretch } from '../../src/model/heard/wordDiff.ts';

interface StepEvents {
  /** Shows the words at this time of the call. */
  readonly onJump: (ms: number) => void;
  readonly onOpenFile: (step: number) => void;
  readonly onAcceptHeard: (step: number) => void;
}

/** A step of the plan has only its number and name. */
type ShownStep = Pick<StepBlock, 'number' | 'name'> & Partial<StepBlock>;
type StepState = StepBlock['state'] | 'pending' | 'current' | 'planned';

interface Shown {
  readonly step: ShownStep;
  readonly hasFile: boolean;
  readonly isAcceptable: boolean;
  readonly state: StepState;
  readonly reason: string | undefined;
}

export class StepList {
  readonly element = element('ol', { class: 'steps stack', 'aria-labelledby': 'steps-title' });
  readonly #list: KeyedList<Shown>;
  readonly #events: StepEvents;
  #current = -1;

  constructor(events: StepEvents) {
    this.#events = events;
    this.#list = new KeyedList<Shown>(this.element, (shown) => this.#item(shown));
  }

  /**
   * Shows what an active run still has to do after what it has done. A mission's checks are decided when its call is
   * over.
   *
   * @param steps those of the run, or the checks of a mission
   */
  show(steps: readonly StepBlock[], { run, plan, hasFile, acceptable }: ReportSnapshot): void {
    const isMission = run.runType === 'mission';
    const reasons = reasonsOnce(steps, run.hangUp?.sentence);
    const done = steps.map((step, index): Shown => ({
      step,
      hasFile: hasFile && !isMission,
      isAcceptable: acceptable.includes(index),
      state: step.state,
      reason: reasons[index],
    }));
    const names = run.status === 'running' ? (plan?.names ?? []) : [];
    const ahead = names.slice(steps.length).map((name, place): Shown => ({
      step: { number: steps.length + place + 1, name },
      hasFile: hasFile && !isMission,
      isAcceptable: false,
      state: isMission ? 'pending' : place === 0 && run.awaitsCallAt === undefined ? 'current' : 'planned',
      reason: undefined,
    }));
    const shown = [...done, ...ahead];
    this.#list.show(shown);
    const current = shown.findIndex(({ state }) => state === 'current');
    if (current >= 0 && current !== this.#current && !this.element.contains(document.activeElement))
      this.#list.at(current)?.scrollIntoView({ block: 'nearest' });
    this.#current = current;
  }

  /** Scrolls to a step and focuses it. */
  reveal(index: number): void {
    const item = this.#list.at(index);
    item?.scrollIntoView({ block: 'nearest' });
    item?.focus();
  }

  #item({ step, hasFile, isAcceptable, state, reason }: Shown): HTMLElement {
    const {
      number,
      name,
      outcome,
      reasonParts,
      optional,
      startMs,
      endMs,
      latencyMs,
      similarity = 1,
      expectedTranscript,
      transcript,
    } = step;
    const index = number - 1;
    const label = outcome === 'PASS' && similarity < 1 ? t('Passed, with other words') : outcomeWords[state];
    const word = optional === true && outcome !== 'PASS' ? t('{0}, optional', label) : label;
    const facts = [
      ...(latencyMs === undefined ? [] : [t('answered after {0}', durationText(latencyMs))]),
      ...(startMs === undefined || endMs === undefined ? [] : [t('took {0}', durationText(endMs - startMs))]),
    ];
    return element(
      'li',
      {
        class: `step boxed outcome-${state.toLowerCase()}${optional === true ? ' is-optional' : ''}`,
        tabindex: '-1',
        'data-step': String(index),
        'aria-current': state === 'current' ? 'step' : undefined,
      },
      element(
        'div',
        { class: 'step-head row' },
        element(
          'span',
          { class: 'sign' },
          stateIcon(state === 'current' ? 'running' : state === 'planned' ? 'pending' : state),
        ),
        element(
          'h3',
          {},
          element('span', { class: 'step-number' }, `${String(number)} `),
          hasFile
            ? press('link', name, t('Open step {0} in the file', number), () => this.#events.onOpenFile(index))
            : name,
        ),
        element('span', { class: 'outcome' }, word),
        startMs === undefined ? undefined : this.#time(startMs, t('Show what was said at {0}', clockTime(startMs))),
      ),
      reason === undefined || (state === 'notReached' && (reasonParts?.length === 1 || step.reason === 'Not reached.'))
        ? undefined
        : element('p', { class: 'reason' }, reason),
      ...(expectedTranscript === undefined
        ? [
            transcript === undefined || transcript === ''
              ? undefined
              : said(t('Heard'), [{ text: transcript, common: true }], 'extra'),
          ]
        : comparison(expectedTranscript, step)),
      isAcceptable ? button(t('Accept what was heard…'), () => this.#events.onAcceptHeard(index)) : undefined,
      facts.length === 0 ? undefined : element('p', { class: 'facts' }, facts.join(' · ')),
    );
  }

  #time(ms: number, name: string): HTMLElement {
    return press('time', clockTime(ms), name, () => this.#events.onJump(ms));
  }
}

/** Returns the reasons of steps, without what an earlier step or the head of the report already says. */
function reasonsOnce(steps: readonly StepBlock[], end: string | undefined): (string | undefined)[] {
  const firsts = new Map<string, number>();
  return steps.map(({ name, reason, state }, index) => {
    if (reason === undefined || reason === '' || reason === name) return undefined;
    if (state === 'notReached' && end !== undefined && reason.includes(end)) return undefined;
    const first = firsts.get(reason);
    if (first !== undefined) return t('For the same reason as step {0}.', first + 1);
    firsts.set(reason, index);
    return end === undefined ? reason : reason.replace(end, t('The call ended (see above).'));
  });
}

function comparison(expected: string, { transcript: heard = '', similarity, match }: ShownStep): Content[] {
  const whole = (text: string): DiffStretch[] => [{ text, common: true }];
  // Other spellings, and words around the expected ones, cost nothing.
  const diff = similarity === 1 ? { expected: whole(expected), heard: whole(heard) } : wordDiff(expected, heard);
  return [
    similarity === undefined || !match ? undefined : meter(similarity, match),
    said(t('Expected'), diff.expected, 'missing'),
    heard === '' ? said(t('Heard'), whole(t('nothing')), 'extra', 'quiet') : said(t('Heard'), diff.heard, 'extra'),
  ];
}

function meter(similarity: number, match: Sentences): HTMLElement {
  const bar = element('span', { class: 'meter-bar' });
  bar.style.setProperty('--share', `${String(Math.round(similarity * 100))}%`);
  return element(
    'p',
    { class: 'meter row' },
    element('span', { class: 'meter-track', 'aria-hidden': 'true' }, bar),
    sentencesText(match),
  );
}

/** Returns a button that looks like text. */
export function press(look: string, text: string, name: string, onPress: () => void): HTMLButtonElement {
  const row = element(
    'button',
    { type: 'button', class: look, title: name, 'aria-label': text === name ? undefined : `${text}, ${name}` },
    text,
  );
  on(row, 'click', onPress);
  return row;
}
