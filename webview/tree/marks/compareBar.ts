import type { TreeChangeKind } from '../../../src/contract/treeDiff.ts';
import { countChanges } from '../../../src/model/tree/diff/treeDiff.ts';
import { changeKinds, changesAt, isCutShort } from './comparison.ts';
import { t } from '../../page/l10n.ts';
import type { Scene } from '../scene.ts';
import { StopBar, type StopEvents } from './stopBar.ts';
import { button } from '../../toolkit.ts';

interface CompareEvents extends StopEvents {
  readonly onText: () => void;
  readonly onStop: () => void;
}

const countWords: Readonly<Record<TreeChangeKind, (count: number) => string>> = {
  added: (count) => t('{0} added', count),
  removed: (count) => t('{0} removed', count),
  moved: (count) => t('{0} moved', count),
  reworded: (count) => t('{0} reworded', count),
  renumbered: (count) => t('{0} on another key', count),
  relinked: (count) => t('{0} leading elsewhere', count),
  slower: (count) => t('{0} slower', count),
};

export class CompareBar extends StopBar {
  constructor(events: CompareEvents) {
    super(
      { kind: 'compare', name: t('Comparison'), previous: t('Previous change (Shift+N)'), next: t('Next change (N)') },
      events,
      button(t('Open as Text'), events.onText),
      button(t('Stop comparing'), events.onStop),
    );
  }

  show({ snapshot: { base }, run, comparison, stops, index }: Scene, focused: string | undefined): void {
    this.element.hidden = base === undefined || index === undefined;
    if (base && !comparison) this.say(t('Comparing with {0}…', base.title), [], undefined, '');
    if (!this.isNews(comparison, focused) || !comparison || !index) return;
    const counts = countChanges(comparison.changes);
    const words = changeKinds.filter((kind) => counts[kind] > 0).map((kind) => countWords[kind](counts[kind]));
    const differences =
      words.length === 0
        ? t('Compared with {0}: no differences.', comparison.title)
        : t('Compared with {0}: {1}.', comparison.title, words.join(', '));
    const limits = [
      ...(comparison.unsure > 0 ? [t("Unsure steps that aren't compared: {0}.", comparison.unsure)] : []),
      ...(isCutShort(run) ? [t("This run was cut short. Steps that it didn't reach don't count as removed.")] : []),
    ];
    this.say(
      [differences, ...limits].join(' '),
      stops,
      focused,
      changesAt(comparison, index.byKey.get(focused ?? '')?.node.stepId)
        .map(({ sentence }) => sentence)
        .join(' '),
    );
  }
}
