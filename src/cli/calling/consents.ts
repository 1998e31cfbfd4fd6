import { isLoopback } from '../../base/loopback.ts';
import type { DialtreeClient } from '../../client/client.ts';
import { consentTargetSchema } from '../../contract/common.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import type { Lines } from '../../contract/lines.ts';
import { HumanError } from '../../contract/errors.ts';
import { PracticeRegistry } from '../../practice/registry.ts';
import { UsageError } from '../command.ts';

export const consentOption = { consent: { type: 'string', multiple: true } } as const;
export const consentHelp =
  'confirms that you may test this number or SIP address, which must lead to your own PBX or IVR on this machine; can be repeated';

/**
 * Reads the targets that the user confirms on the command line, as the service expects them. Only targets on this
 * machine are accepted, because others need a service that stores the consent.
 */
export async function readConsents(
  given: readonly string[] | undefined,
  routes: Routes,
  lines: Lines = {},
): Promise<readonly string[]> {
  if (!given) return [];
  const { resolveTarget } = await import('../../service/numbers/dialGate.ts');
  const { parseUri, targetHost } = await import('../../telephony/sip/uri.ts');
  return given.flatMap((target) => {
    if (!consentTargetSchema.safeParse(target).success)
      throw new UsageError(
        `--consent takes a number or a SIP address, such as sip:600@127.0.0.1:5060, not "${target}".`,
      );
    const { uri, consentFor } = resolveTarget(target, { routes, lines, practices: new PracticeRegistry() });
    const address = parseUri(uri);
    if (!isLoopback((address && targetHost(address)) ?? '')) {
      throw new UsageError(
        `--consent is for your own PBX or IVR on this machine. ${target} isn't on this machine. Record your consent on a service, and use that service with --url.`,
      );
    }
    return consentFor ?? [];
  });
}

export async function recordConsents(client: Pick<DialtreeClient, 'call'>, consents: readonly string[]): Promise<void> {
  for (const phoneNumber of consents)
    await client.call('recordConsent', { phoneNumber, statement: 'I may test this number' });
}

/**
 * What a user of the command line can do about a missing consent. `place`: where something other than a practice IVR of
 * Dialtree answers on this machine.
 */
export const missingConsentWords = (phoneNumber: string, place: string | undefined): string =>
  place === undefined
    ? `The service that this command starts has no consent for ${phoneNumber}. Use --url with a service that has this consent.`
    : `No practice IVR of Dialtree answers at ${place}. Start the practice IVR there, then try again. If your own PBX or IVR answers there, and you may test it, add --consent ${phoneNumber}.`;

export const consentRefusal = (phoneNumber: string, place: string | undefined): HumanError =>
  new HumanError(missingConsentWords(phoneNumber, place), { status: 403, code: 'consent_required' });
