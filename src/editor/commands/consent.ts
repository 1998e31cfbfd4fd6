import * as z from 'zod';
import { env, l10n, window } from 'vscode';
import type { PlanCalls } from '../../contract/callPlan.ts';
import { isCode, isTypedError } from '../errors.ts';
import { createFormats } from '../formats.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { planToTell } from './planToTell.ts';
import { planWords } from './planWords.ts';

const statement = 'I may test this number';
const detailsSchema = z.object({ phoneNumber: z.string() });

/** Says beside the work what its calls may take, where they leave this machine or cost something. */
export async function tellPlan(client: Pick<ServiceClient, 'call'>, subject: PlanCalls): Promise<void> {
  const plan = await planToTell(client, subject, l10n, createFormats(env.language));
  if (plan && !plan.isAsked)
    void window.showInformationMessage(l10n.t('Calling {0}. {1}', plan.phoneNumber, plan.words));
}

/** Runs what places calls; undefined where a person declines. */
export type WithConsent = <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Runs what places calls. Where the service asks for consent to call a number, a person is asked for it once, with what the calls of `subject` would take,
 * and the work is repeated. Undefined when they decline.
 */
export async function withConsent<T>(
  client: Pick<ServiceClient, 'call'>,
  subject: PlanCalls,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
    const plan = await client.call('planCalls', subject);
    const phoneNumber = detailsSchema.safeParse(error.details).data?.phoneNumber ?? plan.phoneNumber;
    const agree = l10n.t('I may test this number');
    const answer = await window.showWarningMessage(
      l10n.t('Dialtree will place real calls to {0}.', phoneNumber),
      {
        modal: true,
        detail: [
          planWords(plan, l10n, createFormats(env.language)),
          l10n.t(
            'Call only numbers that are yours, or whose owner agreed to the test. The calls may cost money. Your answer is kept for this number.',
          ),
        ].join('\n\n'),
      },
      agree,
    );
    if (answer !== agree) return undefined;
    await client.call('recordConsent', { phoneNumber, statement });
    return work();
  }
}
