import * as z from 'zod';
import { l10n, window } from 'vscode';
import { isCode, isTypedError } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

const statement = 'I may test this number';
const detailsSchema = z.object({ phoneNumber: z.string() });

/**
 * Runs what places calls. Where the service asks for consent to call a number, a person is asked for it once, and the work is repeated.
 * Undefined when they decline.
 */
export async function withConsent<T>(client: Pick<ServiceClient, 'call'>, target: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isCode(error, 'consent_required') || !isTypedError(error)) throw error;
    const phoneNumber = detailsSchema.safeParse(error.details).data?.phoneNumber ?? target;
    const agree = l10n.t('I may test this number');
    const answer = await window.showWarningMessage(l10n.t('Dialtree will place real calls to {0}.', phoneNumber), {
      modal: true,
      detail: l10n.t('Call only numbers that are yours, or whose owner agreed to the test. The calls may cost money. Your answer is kept for this number.'),
    }, agree);
    if (answer !== agree) return undefined;
    await client.call('recordConsent', { phoneNumber, statement });
    return work();
  }
}
