import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { joined } from '../../basics/words/markdownText.ts';
import { shownPlan } from '../../calls/planWords.ts';
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
  const shown = shownPlan(plan, l10n, formats);
  return [shown('destination', 'size', 'keys', 'unjudged'), shown('forbidden'), gateAsks(plan) ? '' : shown('refusal')]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}
