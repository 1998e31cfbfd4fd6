import type { CoverageMark } from '../../../src/contract/panel.ts';
import { figure } from '../../page/formats.ts';
import { t } from '../../page/l10n.ts';
import { nodeTitleOf } from '../nodeText.ts';
import type { Scene } from '../scene.ts';
import { StopBar, type StopEvents } from './stopBar.ts';
import { button } from '../../toolkit.ts';

interface CoverageEvents extends StopEvents {
  readonly onGenerate: () => void;
  readonly onHide: () => void;
}

const leftSentences: Readonly<Record<Exclude<CoverageMark, 'covered'>, string>> = {
  elsewhere: t('Calls reached this step, but with a different key or phrase.'),
  uncovered: t('No call reached this step.'),
};

export class CoverageBar extends StopBar {
  constructor(events: CoverageEvents) {
    const generate = button(t('Generate tests…'), events.onGenerate);
    generate.title = t('For branches that no test in the workspace covers');
    super(
      {
        kind: 'coverage',
        name: t('Coverage'),
        previous: t('Previous uncovered step (Shift+N)'),
        next: t('Next uncovered step (N)'),
      },
      events,
      generate,
      button(t('Hide'), events.onHide),
    );
  }

  show({ coverage, stops, index }: Scene, focused: string | undefined): void {
    this.element.hidden = coverage === undefined;
    if (!this.isNews(coverage, focused) || !coverage) return;
    const { steps, ways, marks } = coverage;
    const node = index?.byKey.get(focused ?? '')?.node;
    const mark = marks.get(focused ?? '') ?? 'covered';
    this.say(
      t(
        'The last run with coverage reached {0} of {1} steps and used {2} of {3} keys and phrases.',
        ...[steps.covered, steps.total, ways.covered, ways.total].map(figure),
      ),
      stops,
      focused,
      node && mark !== 'covered' ? t('{0}: {1}', nodeTitleOf(node), leftSentences[mark]) : '',
    );
  }
}
