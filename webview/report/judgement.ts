import { stateOf, type CutShort } from '../../src/contract/runState.ts';
import type { MissionTestRun, RunOutcome } from '../../src/contract/testRuns.ts';
import { element, type Content } from '../page/element.ts';
import { stateIcon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { press } from './stepList.ts';
import { clockTime } from '../../src/model/report/runBlocks.ts';
import { outcomeWords } from './words.ts';
import { verdictOutcomes } from '../../src/model/checks/outcomes.ts';

type Evidence = NonNullable<MissionTestRun['passEvidence']>[number];

/** The heading of a judgement beside another. */
interface JudgementHead {
  readonly title: string;
  readonly acceptance?: string;
}

/** The reasons for a mission's verdict: reasoning, and quotes that link to their time. */
export class Judgement {
  readonly element: HTMLElement;
  readonly #onJump: (ms: number, quote: string) => void;
  #shown = '';

  constructor(name: string, onJump: (ms: number, quote: string) => void) {
    this.element = element('section', { class: 'mission stack', 'aria-label': name, tabindex: '-1' });
    this.#onJump = onJump;
  }

  show(mission: MissionTestRun | undefined, head?: JudgementHead): void {
    const shown = JSON.stringify([mission, head]);
    this.element.hidden = mission === undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.replaceChildren(...(mission ? this.#parts(mission, head) : []));
  }

  #parts(
    {
      verdict,
      endedBy,
      unstable,
      passReasoning,
      judgeReasoning,
      passEvidence = [],
      compliance = [],
      hangUp,
    }: MissionTestRun,
    head: JudgementHead | undefined,
  ): Node[] {
    const reasoning = (title: string, text: string | undefined): Content[] =>
      text === undefined || text === '' ? [] : [element('h3', {}, title), element('p', { class: 'reasoning' }, text)];
    const parts: Content[] = [
      ...(head === undefined
        ? []
        : [
            element('h2', {}, head.title),
            verdict === undefined
              ? undefined
              : verdictLine(stateOf(verdictOutcomes[verdict], endedBy), unstable === true),
          ]),
      ...reasoning(t('Acceptance criterion'), head?.acceptance),
      ...reasoning(t('Reasoning'), passReasoning),
      ...(passEvidence.length === 0
        ? []
        : [
            element('h3', {}, t('Evidence')),
            element(
              'ul',
              { class: 'evidence stack' },
              ...passEvidence.map((evidence) => element('li', {}, ...this.#quote(evidence))),
            ),
          ]),
      ...reasoning(t('Judge'), [passReasoning, hangUp?.sentence].includes(judgeReasoning) ? undefined : judgeReasoning),
      ...(compliance.length === 0
        ? []
        : [
            element('h3', {}, t('Compliance')),
            element(
              'ul',
              { class: 'evidence stack' },
              ...compliance.map(({ check, verdict, evidence }) => {
                const outcome = verdictOutcomes[verdict];
                return element(
                  'li',
                  { class: `outcome-${outcome.toLowerCase()}` },
                  element('span', { class: 'sign' }, stateIcon(outcome)),
                  `${check}: ${outcomeWords[outcome]} `,
                  ...(evidence ? this.#quote(evidence) : []),
                );
              }),
            ),
          ]),
    ];
    return parts.filter((part) => part instanceof Node);
  }

  #quote({ quote, startMs }: Evidence): Content[] {
    return [
      element('q', {}, quote),
      ' ',
      startMs === undefined
        ? undefined
        : press('time', clockTime(startMs), t('Show what was said at {0}', clockTime(startMs)), () =>
            this.#onJump(startMs, quote),
          ),
    ];
  }
}

const verdictLine = (outcome: RunOutcome | CutShort, unstable: boolean): HTMLElement =>
  element(
    'p',
    { class: `run-outcome row outcome-${outcome.toLowerCase()}` },
    stateIcon(outcome),
    element('span', {}, outcomeWords[outcome]),
    unstable ? element('span', { class: 'badge' }, t('unstable')) : undefined,
  );
