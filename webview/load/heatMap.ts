import type { LoadTested } from '../../src/contract/loadTests.ts';
import { element } from '../page/element.ts';
import { durationOf, figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { headOf } from './table.ts';

/**
 * Draws the calls that didn't pass, by step and by the time at which they were placed. Returns undefined if all passed,
 * or an older record doesn't have the times.
 */
export function heatMap({ steps, columnSeconds = 1 }: LoadTested): HTMLElement | undefined {
  const isAnyWrong = steps.some(({ overTime }) => overTime?.notPassed.some((count) => count > 0));
  if (!isAnyWrong) return undefined;
  const columns = Math.max(...steps.map(({ overTime }) => overTime?.calls.length ?? 0));
  const indexes = Array.from({ length: columns }, (_, index) => index);
  return element(
    'table',
    { class: 'heat-map' },
    element('caption', {}, t('Calls that did not pass, by step and by the second of their start')),
    headOf(
      t('Step'),
      ...indexes.map((index) =>
        element('th', { scope: 'col', title: spanOf(index, columnSeconds) }, figure(index * columnSeconds)),
      ),
    ),
    element(
      'tbody',
      {},
      ...steps.map(({ name, overTime }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row', title: name }, name),
          ...indexes.map((index) => cell(overTime?.calls[index] ?? 0, overTime?.notPassed[index] ?? 0)),
        ),
      ),
    ),
  );
}

const spanOf = (index: number, columnSeconds: number): string =>
  t('{0} to {1}', durationOf(index * columnSeconds), durationOf((index + 1) * columnSeconds));

function cell(calls: number, wrong: number): HTMLElement {
  if (calls === 0) return element('td');
  const heat = wrong === 0 ? 'none' : wrong * 4 <= calls ? 'low' : wrong * 4 <= calls * 3 ? 'middle' : 'high';
  return element(
    'td',
    { class: `heat heat-${heat}`, title: t('{0} of {1} calls', figure(wrong), figure(calls)) },
    wrong === 0 ? '0' : figure(wrong),
  );
}
