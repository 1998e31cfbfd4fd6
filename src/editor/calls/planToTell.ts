import type { PlanCalls } from '../../contract/callPlan.ts';
import { isTypedError } from '../basics/errors.ts';
import type { Formats } from '../basics/formats.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { planWords } from './planWords.ts';

export interface ToldPlan {
  readonly phoneNumber: string;
  readonly words: string;
  /** Nobody has said yet that the number may be called: the question for it tells the plan. */
  readonly isAsked: boolean;
}

/**
 * What calls of `subject` would take, `times` over, where they leave this machine or cost something: told each time,
 * since consent is asked for once. Undefined for calls in the lab, and where the service does not say: it says as much
 * to the launch.
 */
export async function planToTell(
  client: Pick<ServiceClient, 'call'>,
  subject: PlanCalls,
  l10n: L10n,
  formats: Formats,
  times = 1,
): Promise<ToldPlan | undefined> {
  try {
    const plan = await client.call('planCalls', subject);
    const { phoneNumber, route, calls, secondsAtMost, cost, needsConsent, refusal } = plan;
    if (route === undefined || (route === 'lab' && (cost?.amount ?? 0) === 0) || (refusal && !needsConsent))
      return undefined;
    const all = {
      ...plan,
      calls: calls * times,
      secondsAtMost: secondsAtMost * times,
      ...(cost && { cost: { ...cost, amount: cost.amount * times } }),
    };
    return { phoneNumber, words: planWords(all, l10n, formats), isAsked: needsConsent };
  } catch (error) {
    if (isTypedError(error)) return undefined;
    throw error;
  }
}
