import { recordingOfCall, recordingOfReference, type LoadTested } from '../../src/contract/loadTests.ts';
import { testedCalls } from '../../src/model/stats/testedCalls.ts';
import { element, setAttributes } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { part } from '../page/part.ts';
import { button } from '../toolkit.ts';
import { ExamplePlayer, type OnRequestAudio } from './examplePlayer.ts';
import { loadSecondsText } from './numbers.ts';
import { headOf, tableRow, wordsCell } from './table.ts';

export class TestedPart {
  readonly element: HTMLElement;
  readonly #lead = element('p', {});
  readonly #steps = element('tbody');
  readonly #stepTable: HTMLElement;
  readonly #failures = element('tbody');
  readonly #failureTable: HTMLElement;
  readonly #listen = element('th', { scope: 'col' }, t('Recording'));
  readonly player: ExamplePlayer;

  constructor(onRequestAudio: OnRequestAudio) {
    this.player = new ExamplePlayer(onRequestAudio);
    this.#failureTable = tableOf(
      t('Calls that did not pass'),
      [t('Call'), t('Placed after'), t('Step'), t('Reason'), this.#listen],
      this.#failures,
    );
    this.element = part(
      'tested-title',
      t('Results of the test'),
      'part boxed tested',
      this.#lead,
      element(
        'div',
        { class: 'figures' },
        (this.#stepTable = tableOf(
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
        )),
      ),
      this.#failureTable,
      this.player.element,
    );
  }

  show(tested: LoadTested | undefined): void {
    this.element.hidden = tested === undefined;
    const isRecorded = tested?.failures.some(({ recording }) => recording) ?? false;
    this.#listen.hidden = !isRecorded;
    if (!isRecorded) this.player.hide();
    if (!tested) return;
    const { passed, unfinished, steps, failures } = tested;
    this.#lead.textContent = [
      t('{0} of {1} calls passed the test.', figure(passed), figure(testedCalls(tested))),
      ...(unfinished > 0 ? [t('{0} calls were still running when the load test ended.', figure(unfinished))] : []),
    ].join(' ');
    this.#stepTable.hidden = steps.length === 0;
    this.#steps.replaceChildren(
      ...steps.map((step) =>
        tableRow(
          step.name,
          ...[step.passed, step.failed, step.inconclusive, step.errors, step.notReached].map(figure),
          step.responseSeconds ? loadSecondsText(step.responseSeconds.p95) : '–',
        ),
      ),
    );
    this.#failureTable.hidden = failures.length === 0;
    this.#failures.replaceChildren(
      ...failures.map((failure) => {
        const { call, second, step, reason, outcome, row } = failure;
        return tableRow(
          figure(call),
          loadSecondsText(second),
          wordsCell(step ?? '–'),
          wordsCell([...(row === undefined ? [] : [t('Row {0}:', figure(row))]), reason ?? outcome].join(' ')),
          ...(isRecorded ? [element('td', {}, ...this.#playButtons(tested, failure))] : []),
        );
      }),
    );
  }

  /** For the call, and for its reference call at the same step. */
  #playButtons(
    { steps, references = [] }: LoadTested,
    { call, row, step, recording }: LoadTested['failures'][number],
  ): HTMLElement[] {
    if (!recording) return [];
    const reference = references.find((one) => one.row === row);
    const referenceMs = reference?.stepMs[steps.findIndex(({ name }) => name === step)];
    const playButton = (label: string, name: string, onPress: () => void): HTMLElement => {
      const created = button(label, onPress, { icon: 'play' });
      setAttributes(created, { 'aria-label': name });
      return created;
    };
    const at = step ?? '';
    return [
      playButton(t('Call'), t('Play call {0}', figure(call)), () =>
        this.player.play(recordingOfCall(call), t('Call {0}, from the step “{1}”', figure(call), at), recording.stepMs),
      ),
      ...(referenceMs === undefined
        ? []
        : [
            playButton(t('Reference call'), t('Play the reference call for call {0}', figure(call)), () =>
              this.player.play(recordingOfReference(row), t('Reference call, from the step “{0}”', at), referenceMs),
            ),
          ]),
    ];
  }
}

const tableOf = (caption: string, columns: readonly (string | HTMLElement)[], body: HTMLElement): HTMLElement =>
  element(
    'div',
    { class: 'scrolled-x' },
    element('table', {}, element('caption', {}, caption), headOf(...columns), body),
  );
