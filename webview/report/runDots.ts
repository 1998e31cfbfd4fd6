import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import { testState } from '../../src/contract/runState.ts';
import { element, on } from '../page/element.ts';
import { moment } from '../page/formats.ts';
import { stateIcon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';
import { KeyedList } from './keyedList.ts';
import { outcomeWords } from './words.ts';

type Dot = ReportSnapshot['history'][number] & { readonly isShown: boolean };

/** The newest runs of this test as a line of dots, the oldest first. */
export class RunDots {
  readonly element = element('ol', { class: 'run-dots', 'aria-label': t('Runs of this test') });
  readonly #list: KeyedList<Dot>;

  constructor(onOpen: (runId: string) => void) {
    this.#list = new KeyedList<Dot>(this.element, ({ id, startedAt, isShown, ...run }) => {
      const name = `${outcomeWords[testState(run)]}, ${moment(startedAt)}`;
      const dot = element(
        'button',
        { type: 'button', title: name, 'aria-label': name, 'aria-current': isShown ? 'true' : undefined },
        stateIcon(testState(run)),
      );
      on(dot, 'click', () => {
        if (!isShown) onOpen(id);
      });
      return element('li', {}, dot);
    });
  }

  show({ history, run }: ReportSnapshot): void {
    this.element.hidden = history.length < 2;
    this.#list.show([...history].reverse().map((one) => ({ ...one, isShown: one.id === run.id })));
  }
}
