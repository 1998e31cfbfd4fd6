import type { PlannedCalls } from '../../contract/callPlan.ts';
import type { Formats } from '../basics/formats.ts';
import type { L10n } from '../basics/localise.ts';
import { joined } from '../basics/words/markdownText.ts';
import { unjudgedWords } from '../basics/words/unjudgedWords.ts';

/** Describes what calls would use in a sentence or two: as much as the service would set aside for them. */
export function planWords(
  { calls, secondsAtMost, bounded, cost, riskyKeys, allowedLabels = [], pressUnsure, unjudged }: PlannedCalls,
  l10n: L10n,
  formats: Formats,
): string {
  const minutes = formats.number(Math.ceil(secondsAtMost / 6) / 10);
  const amount = cost && formats.money(cost.amount, cost.currency);
  const warning = unjudgedWords({ unjudged }, l10n);
  const many = calls === 1 ? l10n.t('1 call') : l10n.t('{0} calls', calls);
  return joined(' ', [
    amount === undefined
      ? bounded
        ? l10n.t('Up to {0} and {1} min.', many, minutes)
        : l10n.t('Up to {0}, about {1} min.', many, minutes)
      : bounded
        ? l10n.t('Up to {0}, {1} min and {2}.', many, minutes, amount)
        : l10n.t('Up to {0}, about {1} min and {2}.', many, minutes, amount),
    allowedLabels.length === 0
      ? undefined
      : l10n.t('Dialtree also presses these options, which might not be harmless: {0}.', allowedLabels.join(', ')),
    pressUnsure ? l10n.t("Dialtree also presses options that it doesn't understand.") : undefined,
    riskyKeys.length === 0
      ? undefined
      : l10n.t(
          'These keys might pay for, cancel or agree to something: {0}.',
          riskyKeys.map(({ key, label }) => `${key} (${label})`).join(', '),
        ),
    warning,
  ]);
}
