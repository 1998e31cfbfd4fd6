import { l10n, window } from 'vscode';
import type { PlanCalls } from '../../contract/callPlan.ts';
import { isCode, isTypedError } from '../basics/errors.ts';
import type { Formats } from '../basics/formats.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { consentStatement, consentTarget, consentWords } from './consentWords.ts';
import { planToTell } from './planToTell.ts';
import type { ToldPlan } from './planToTell.ts';
import { planWords } from './planWords.ts';

/** Runs what places calls; undefined where a person declines. */
export type WithConsent = <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;

/** How those who place calls ask a person for consent, and say what the calls may take. */
export interface Consent {
  /**
   * Where the service asks for consent to call a number, a person is asked for it once, with what the calls of
   * `subject` would take, and the work is repeated.
   */
  readonly agreed: WithConsent;
  /** The same; says beside the work what its calls may take, where they leave this machine or cost something. */
  readonly planned: WithConsent;
  /** What the calls of `subject` would take, so many times over, where a person is to be told of it. */
  readonly planWords: (subject: PlanCalls, times?: number) => Promise<string | undefined>;
}

export function createConsent(client: Pick<ServiceClient, 'call'>, formats: Formats): Consent {
  const toTell = (subject: PlanCalls, times?: number): Promise<ToldPlan | undefined> =>
    planToTell(client, subject, l10n, formats, times);
  const agreed: WithConsent = async (subject, work) => {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
      const plan = await client.call('planCalls', subject);
      const phoneNumber = consentTarget(error.details) ?? plan.phoneNumber;
      const agree = l10n.t('I may test this number');
      const answer = await window.showWarningMessage(
        l10n.t('Dialtree will place real calls to {0}.', phoneNumber),
        { modal: true, detail: [planWords(plan, l10n, formats), ...consentWords(error.details, l10n)].join('\n\n') },
        agree,
      );
      if (answer !== agree) return undefined;
      await client.call('recordConsent', { phoneNumber, statement: consentStatement });
      return work();
    }
  };
  return {
    agreed,
    planned: async (subject, work) => {
      const plan = await toTell(subject);
      if (plan && !plan.isAsked)
        void window.showInformationMessage(l10n.t('Calling {0}. {1}', plan.phoneNumber, plan.words));
      return agreed(subject, work);
    },
    planWords: async (subject, times) => (await toTell(subject, times))?.words,
  };
}
