import type { LoadVerdict } from '../../src/contract/loadTests.ts';
import { element } from '../page/element.ts';
import { figure } from '../page/formats.ts';
import { icon } from '../page/icons.ts';
import { t } from '../page/l10n.ts';

/** The criteria of a load test, each with its figure. */
export class CriteriaPart {
  readonly element: HTMLElement;
  readonly #list = element('ul', { class: 'criteria' });

  constructor() {
    this.element = element(
      'section',
      { class: 'part', 'aria-labelledby': 'criteria-title' },
      element('h2', { id: 'criteria-title' }, t('Criteria')),
      this.#list,
    );
  }

  show(verdict: LoadVerdict | undefined): void {
    this.element.hidden = verdict === undefined;
    this.#list.replaceChildren(
      ...(verdict?.criteria ?? []).map(({ met, text, sinceSecond }) =>
        element(
          'li',
          { class: met ? 'is-met' : 'is-broken' },
          icon(met ? 'explored' : 'failed'),
          element(
            'span',
            {},
            element('span', { class: 'unseen' }, met ? t('Met:') : t('Not met:')),
            ` ${text}`,
            ...(sinceSecond === undefined ? [] : [` ${t('Broken since second {0}.', figure(sinceSecond))}`]),
          ),
        ),
      ),
    );
  }
}
