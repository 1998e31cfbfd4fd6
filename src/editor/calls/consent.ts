import type { PlanCalls } from '../../contract/callPlan.ts';
import type { Basics } from '../basics/createBasics.ts';
import { isCode, isTypedError } from '../basics/errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { consentStatement, consentTarget, consentWords } from './consentWords.ts';
import { planToTell, planWords, type ToldPlan } from './planWords.ts';

/** Runs work that places calls. Returns undefined if the user declines. */
export type WithConsent = <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;

export interface Consent {
  /**
   * If the service requires consent for a number, asks the user once, shows what the calls of `subject` would use, and
   * repeats the work.
   */
  readonly agreed: WithConsent;
  /** Does the same, and during the work shows what its calls can use, if they leave this machine or cost something. */
  readonly planned: WithConsent;
  /** Describes what the calls of `subject` would use, `times` over, if the user should know. */
  readonly planWords: (subject: PlanCalls, times?: number) => Promise<string | undefined>;
}

interface ConsentParts extends Pick<Basics, 'dialogs' | 'formats' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
}

/** Asks whether a number may be called, and records that. Returns false if the user declines. */
export async function askConsent(
  { client, dialogs, l10n }: Omit<ConsentParts, 'formats'>,
  phoneNumber: string,
  paragraphs: readonly string[],
): Promise<boolean> {
  const agrees = await dialogs.confirm(
    l10n.t('Dialtree will place real calls to {0}.', phoneNumber),
    paragraphs.join('\n\n'),
    l10n.t('I may test this number'),
    l10n.t("Don't Call"),
  );
  if (agrees) await client.call('recordConsent', { phoneNumber, statement: consentStatement });
  return agrees;
}

export function createConsent({ client, dialogs, formats, l10n }: ConsentParts): Consent {
  const toTell = (subject: PlanCalls, times?: number): Promise<ToldPlan | undefined> =>
    planToTell(client, subject, l10n, formats, times);
  const agreed: WithConsent = async (subject, work) => {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
      const plan = await client.call('planCalls', subject);
      const phoneNumber = consentTarget(error.details) ?? plan.phoneNumber;
      const paragraphs = [planWords(plan, l10n, formats), ...consentWords(error.details, l10n)];
      return (await askConsent({ client, dialogs, l10n }, phoneNumber, paragraphs)) ? work() : undefined;
    }
  };
  return {
    agreed,
    planned: async (subject, work) => {
      const plan = await toTell(subject);
      if (plan && !plan.isAsked) void dialogs.tell(l10n.t('Calling {0}. {1}', plan.phoneNumber, plan.words));
      return agreed(subject, work);
    },
    planWords: async (subject, times) => (await toTell(subject, times))?.words,
  };
}
