import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { planWords } from '../../calls/planWords.ts';
import type { Intent } from './agentTool.ts';

/**
 * What a person reads before an agent's calls are placed: whom, over which way, how many at most, how long, and what it
 * may cost. Plain text.
 */
export function intentWords({ plan, why }: Intent, l10n: L10n, formats: Formats): string {
  if (!plan)
    return [l10n.t('How many calls it takes is not known yet.'), ...(why === undefined ? [] : [why])].join(' ');
  const { phoneNumber, route, refusal, forbiddenKeys, needsConsent } = plan;
  return [
    // Of what leads nowhere yet nobody knows where it will.
    [
      ...(route === undefined
        ? []
        : [
            route === 'lab'
              ? l10n.t('It calls {0}, on this machine.', phoneNumber)
              : l10n.t('It calls {0} over {1}.', phoneNumber, route),
          ]),
      planWords(plan, l10n, formats),
    ].join(' '),
    ...(forbiddenKeys.length === 0
      ? []
      : [l10n.t('Steps press keys that are forbidden: {0}.', forbiddenKeys.map(({ step }) => step).join(', '))]),
    // Asked apart, in a dialog of their own.
    ...(refusal && refusal.code !== 'number_not_allowed' && refusal.code !== 'consent_required'
      ? [l10n.t('As it stands it would be refused: {0}', refusal.message)]
      : []),
    ...(refusal?.code === 'number_not_allowed'
      ? [l10n.t('Agents may not call this number yet; you are asked for it next.')]
      : []),
    ...(needsConsent ? [l10n.t('Nobody has confirmed yet that it may be tested; you are asked for that next.')] : []),
  ].join('\n\n');
}
