import type { PlanCalls, PlannedCalls } from '../../contract/callPlan.ts';
import { planBlocks, repeatedPlan, type PlanBlocks } from '../../model/report/planBlocks.ts';
import type { Formats } from '../basics/formats.ts';
import { shownSentences, type L10n } from '../basics/localise.ts';
import { isTypedError } from '../basics/errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/** Returns the facts of a plan in the language of the editor. */
export function shownPlan(
  plan: PlannedCalls,
  l10n: L10n,
  formats: Pick<Formats, 'number' | 'money'>,
): (...names: (keyof PlanBlocks)[]) => string {
  const blocks = planBlocks(plan, {
    ...formats,
    calls: (calls) => (calls === 1 ? l10n.t('1 call') : l10n.t('{0} calls', calls)),
  });
  return (...names) =>
    names
      .flatMap((name) => blocks[name] ?? [])
      .map((block) => shownSentences(block, l10n))
      .join(' ');
}

/** Describes what calls would use in a sentence or two. */
export const planWords = (plan: PlannedCalls, l10n: L10n, formats: Pick<Formats, 'number' | 'money'>): string =>
  shownPlan(plan, l10n, formats)('size', 'keys', 'unjudged');

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
    const { phoneNumber, route, cost, needsConsent, refusal } = plan;
    if (route === undefined || (refusal && !needsConsent)) return undefined;
    const isFree = route === 'lab' && (cost?.amount ?? 0) === 0;
    const words = isFree
      ? shownPlan(plan, l10n, formats)('unjudged')
      : planWords(repeatedPlan(plan, times), l10n, formats);
    return words === '' ? undefined : { phoneNumber, words, isAsked: needsConsent };
  } catch (error) {
    if (isTypedError(error)) return undefined;
    throw error;
  }
}
