import type { PlanCalls, PlannedCalls } from '../../contract/callPlan.ts';
import { HumanError, type ErrorStatus } from '../../contract/errors.ts';
import type { Basics } from '../basics/createBasics.ts';
import { consentStatement, consentTarget, consentWords } from '../calls/consentWords.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { AgentKey } from './agentKey.ts';
import { gateAsks, intentWords } from './tools/intentWords.ts';

interface CallGateParts extends Pick<Basics, 'dialogs' | 'formats' | 'l10n'> {
  /** Uses the key of agents, whose limits the plan contains. */
  readonly agents: Pick<ServiceClient, 'call'>;
  /** Uses the user's own key. */
  readonly owner: Pick<ServiceClient, 'call'>;
  readonly key: Pick<AgentKey, 'changeLimits'>;
}

/**
 * Allows an agent's calls that its key may place. If only the user's permission is missing, asks the user in a dialog
 * that no agent can answer: whether agents may call the number, and whether it may be tested at all.
 */
export class CallGate {
  readonly #parts: CallGateParts;

  constructor(parts: CallGateParts) {
    this.#parts = parts;
  }

  /** @throws HumanError if the calls aren't allowed, with what the agent can do */
  async pass(subject: PlanCalls, signal?: AbortSignal): Promise<PlannedCalls> {
    const { agents } = this.#parts;
    const plan = await agents.call('planCalls', subject, signal && { signal });
    if (!gateAsks(plan)) return assertAccepted(plan);
    await this.#ask(plan);
    const code = plan.refusal?.code;
    if (code === 'number_not_allowed') await this.#allow(plan.phoneNumber);
    const listed = code === 'number_not_allowed' ? await agents.call('planCalls', subject, signal && { signal }) : plan;
    // The user wasn't asked about what an agent has changed in the meantime.
    if (listed.refusal?.code !== 'consent_required' || !plan.needsConsent || listed.phoneNumber !== plan.phoneNumber)
      return assertAccepted(listed);
    await this.#parts.owner.call('recordConsent', {
      phoneNumber: consentTarget(listed.refusal.details) ?? plan.phoneNumber,
      statement: consentStatement,
    });
    return assertAccepted(await agents.call('planCalls', subject, signal && { signal }));
  }

  async #ask(plan: PlannedCalls): Promise<void> {
    const { dialogs, formats, l10n } = this.#parts;
    const { phoneNumber, needsConsent } = plan;
    const agreed = await dialogs.confirm(
      l10n.t('An agent wants to call {0}.', phoneNumber),
      [
        intentWords({ plan }, l10n, formats),
        l10n.t(
          "Agents aren't allowed to call this number yet. If you agree, they can call it from now on, within their daily budget. You can change this with “Dialtree: Let Agents Use Dialtree…”.",
        ),
        ...(needsConsent ? consentWords(plan.refusal?.details, l10n) : []),
      ].join('\n\n'),
      needsConsent ? l10n.t('I may test this number') : l10n.t('Let Agents Call It'),
      l10n.t("Don't Call"),
    );
    if (!agreed)
      throw new HumanError(
        l10n.t(
          "The user didn't allow you to call {0}, so Dialtree didn't place any calls. Ask the user what to do instead. You can always call practice IVRs on this machine. To start one, use dialtree_startPractice.",
          phoneNumber,
        ),
        { status: 403, code: 'number_not_allowed' },
      );
  }

  #allow(phoneNumber: string): Promise<void> {
    return this.#parts.key.changeLimits((limits) =>
      limits.numbers?.includes(phoneNumber) === false
        ? { ...limits, numbers: [...limits.numbers, phoneNumber] }
        : limits,
    );
  }
}

function assertAccepted(plan: PlannedCalls): PlannedCalls {
  const { refusal } = plan;
  if (refusal)
    throw new HumanError(refusal.message, {
      status: refusal.status as ErrorStatus,
      code: refusal.code,
      details: refusal.details,
      ...(refusal.claim && { claim: refusal.claim }),
    });
  return plan;
}
