import type { TreeNode } from '../../../src/contract/tree.ts';
import { latencyBounds, latencyLevel, soonestPerson, stepTimes } from '../../../src/model/tree/treeTimes.ts';
import type { LatencyLevel, StepTime } from '../../../src/model/tree/treeTimes.ts';
import { element } from '../../page/element.ts';
import { decimalText, figure } from '../../page/formats.ts';
import { t } from '../../page/l10n.ts';
import type { ColourName } from '../../page/themeColours.ts';

/** The caller's waiting time at each step, for the drawing. */
export interface Heat {
  readonly times: ReadonlyMap<TreeNode, StepTime>;
}

export const heatOf = (tree: TreeNode): Heat => ({ times: stepTimes(tree) });

export const heatColours: readonly ColourName[] = ['--dt-heat-0', '--dt-heat-1', '--dt-heat-2', '--dt-heat-3'];

export const levelOf = ({ latencyMs }: TreeNode): LatencyLevel | undefined =>
  latencyMs === undefined ? undefined : latencyLevel(latencyMs);

/** "answers after 1.4 s · at 23 s" */
export function heatWords(node: TreeNode, { times }: Heat): string {
  const time = times.get(node);
  const answer =
    node.latencyMs === undefined ? t('not measured') : t('answers after {0}', secondsOf(node.latencyMs / 1000));
  return time ? `${answer} · ${t('at {0}', secondsOf(time.patientSeconds))}` : answer;
}

/** "To a person: 34 s, hearing each prompt out (2 > 0)" */
function personWords(tree: TreeNode): string {
  const soonest = soonestPerson(tree);
  if (!soonest) return t('No step reaches a person.');
  const {
    node: { path = '' },
    time: { patientSeconds, quickSeconds },
  } = soonest;
  const quick = quickSeconds === undefined ? '' : `; ${t('{0} if the caller knows the keys', secondsOf(quickSeconds))}`;
  return `${t('Time to reach a person: {0} if the caller listens to every prompt', secondsOf(patientSeconds))}${quick}${path === '' ? '' : ` (${path})`}.`;
}

export const secondsOf = (seconds: number): string =>
  `${seconds < 10 ? decimalText(seconds, 1) : figure(Math.round(seconds))} s`;

export class HeatLegend {
  readonly element = element('div', { class: 'heat-legend row boxed', role: 'note', 'aria-label': t('Latency') });
  #tree: TreeNode | undefined;
  #shown = '';

  show(tree: TreeNode | undefined): void {
    this.element.hidden = tree === undefined;
    if (tree === this.#tree) return;
    this.#tree = tree;
    const words = tree ? personWords(tree) : '';
    if (words === this.#shown) return;
    this.#shown = words;
    const [first, second, third] = latencyBounds.map((bound) => `${figure(bound / 1000)} s`);
    const names = [t('up to {0}', first ?? ''), t('up to {0}', second ?? ''), t('up to {0}', third ?? ''), t('longer')];
    this.element.replaceChildren(
      element('span', { class: 'quiet' }, t('Answers after')),
      ...names.map((name, level) =>
        element(
          'span',
          { class: 'heat-entry row' },
          element('span', { class: `heat-swatch heat-${String(level)}` }),
          name,
        ),
      ),
      element('span', { class: 'heat-person' }, words),
    );
  }
}
