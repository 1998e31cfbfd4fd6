import type { PlanCalls } from '../../contract/callPlan.ts';
import { isTypedError } from '../basics/errors.ts';
import type { Formats } from '../basics/formats.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { planWords } from './planWords.ts';
import { unjudgedWords } from '../basics/words/unjudgedWords.ts';

export interface ToldPlan {
  readonly phoneNumber: string;
  readonly words: string;
  /** The number has no consent yet. The question for it will show the plan. */
  readonly isAsked: boolean;
}

/**
 * Returns what the calls of `subject` would use, `times` over, if they leave this machine or cost something. It is
 * shown each time, because consent is requested only once. Calls in the lab only get a warning, if they can't pass.
 * Returns undefined if there is nothing to show, and if the service doesn't say; the launch reports that.
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
    if (route === undefined || (refusal && !needsConsent)) return undefined;
    if (route === 'lab' && (cost?.amount ?? 0) === 0) {
      const words = unjudgedWords(plan, l10n);
      return words === undefined ? undefined : { phoneNumber, words, isAsked: needsConsent };
    }
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
