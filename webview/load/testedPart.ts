import type { LoadTested } from '../../src/contract/loadTests.ts';
import { testedCalls } from '../../src/model/stats/testedCalls.ts';
import { element } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { heatMap } from './heatMap.ts';
import { secondsFigure } from './numbers.ts';

/** The results of the test that the calls carried out: by step, and the first calls that didn't pass. */
export class TestedPart {
  readonly element: HTMLElement;
  readonly #lead = element('p', {});
  readonly #steps = element('tbody');
  readonly #failures = element('tbody');
  readonly #failureTable: HTMLElement;
  readonly #unknown = element('tbody');
  readonly #unknownTable: HTMLElement;
  readonly #heat = element('div', { class: 'scrolled-x' });

  constructor() {
    this.#failureTable = tableOf(
      t('Calls that did not pass'),
      [t('Call'), t('Placed after'), t('Step'), t('Reason')],
      this.#failures,
    );
    this.#unknownTable = tableOf(
      t('Heard instead of the expected prompts'),
      [t('Calls'), t('Step'), t('Heard')],
      this.#unknown,
    );
    this.element = element(
      'section',
      { class: 'part tested', 'aria-labelledby': 'tested-title' },
      element('h2', { id: 'tested-title' }, t('Results of the test')),
      this.#lead,
      element(
        'div',
        { class: 'figures' },
        tableOf(
          t('Results by step'),
          [
            t('Step'),
            t('Passed'),
            t('Failed'),
            t('Inconclusive'),
            t('Errors'),
            t('Not reached'),
            t('Response time, p95'),
          ],
          this.#steps,
        ),
        this.#unknownTable,
      ),
      this.#heat,
      this.#failureTable,
    );
  }

  show(tested: LoadTested | undefined): void {
    this.element.hidden = tested === undefined;
    if (!tested) return;
    const { passed, unfinished, steps, failures, unknownPrompts = [] } = tested;
    this.#lead.textContent = [
      t('{0} of {1} calls passed the test.', figure(passed), figure(testedCalls(tested))),
      ...(unfinished > 0 ? [t('{0} calls were still running when the load test ended.', figure(unfinished))] : []),
    ].join(' ');
    this.#steps.replaceChildren(
      ...steps.map((step) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, step.name),
          ...[step.passed, step.failed, step.inconclusive, step.errors, step.notReached].map((count) =>
            element('td', {}, figure(count)),
          ),
          element('td', {}, step.responseSeconds ? `${secondsFigure(step.responseSeconds.p95)} s` : '–'),
        ),
      ),
    );
    this.#unknownTable.hidden = unknownPrompts.length === 0;
    this.#unknown.replaceChildren(
      ...unknownPrompts.map(({ step, calls, heard }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, figure(calls)),
          element('td', {}, step),
          element('td', { class: 'words' }, heard === '' ? t('(no words)') : `“${heard}”`),
        ),
      ),
    );
    const heat = heatMap(tested);
    this.#heat.hidden = heat === undefined;
    this.#heat.replaceChildren(...(heat ? [heat] : []));
    this.#failureTable.hidden = failures.length === 0;
    this.#failures.replaceChildren(
      ...failures.map(({ call, second, step, reason, outcome, heard }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, figure(call)),
          element('td', {}, `${secondsFigure(second)} s`),
          element('td', {}, step ?? '–'),
          element(
            'td',
            { class: 'words' },
            [reason ?? outcome, ...(heard === undefined ? [] : [t('Heard: “{0}”', heard)])].join(' '),
          ),
        ),
      ),
    );
  }
}

const tableOf = (caption: string, columns: readonly string[], body: HTMLElement): HTMLElement =>
  element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)))),
    body,
  );
