import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { joined } from '../../basics/words/markdownText.ts';
import { planWords } from '../../calls/planWords.ts';
import type { Intent } from './agentTool.ts';

/** Whether only the user's permission is missing, which the gate asks for in its dialog. */
export const gateAsks = ({ refusal }: PlannedCalls): boolean =>
  refusal?.code === 'number_not_allowed' || refusal?.code === 'consent_required';

/**
 * Describes an agent's calls to the user before they are placed: target, route, maximum number, duration and cost.
 * Plain text.
 */
export function intentWords({ plan, why }: Pick<Intent, 'plan' | 'why'>, l10n: L10n, formats: Formats): string {
  if (!plan) return joined(' ', [l10n.t("Dialtree doesn't know yet how many calls this run needs."), why]);
  const { phoneNumber, route, refusal, forbiddenKeys } = plan;
  // Without a route, the destination isn't known.
  const destination =
    route &&
    (route === 'lab'
      ? l10n.t('Dialtree calls {0} on this machine.', phoneNumber)
      : l10n.t('Dialtree calls {0} through {1}.', phoneNumber, route));
  return joined('\n\n', [
    joined(' ', [destination, planWords(plan, l10n, formats)]),
    forbiddenKeys.length === 0
      ? undefined
      : l10n.t('These steps press forbidden keys: {0}.', forbiddenKeys.map(({ step }) => step).join(', ')),
    refusal && !gateAsks(plan) ? l10n.t('The service would refuse this request: {0}', refusal.message) : undefined,
  ]);
}
