import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { ServiceError } from '../../client/errors.ts';
import type { HumanError } from '../../contract/errors.ts';
import { PracticeRegistry } from '../../practice/registry.ts';
import { resolveTarget, strangerAt } from '../../service/numbers/dialGate.ts';
import { consentRefusal } from '../calling/consents.ts';
import type { OwnService } from '../calling/ownService.ts';
import { isRemote, withService, type RemoteService, type ServiceChoice } from '../calling/serviceChoice.ts';
import type { LoadRequest } from './request.ts';

/** What is known about the calls to a number before the first one. Empty if there is no rate and no missing consent. */
interface Outlook {
  /** Per call. */
  readonly costPerMinute?: number;
  /** ISO 4217. */
  readonly currency?: string;
  readonly consentFor?: string;
  readonly place?: string;
  readonly refusal?: HumanError;
}

/** `isDryRun`: a remote service isn't asked. */
export async function outlookOf(
  phoneNumber: string | undefined,
  service: ServiceChoice,
  request: LoadRequest,
  isDryRun: boolean,
): Promise<Outlook> {
  if (phoneNumber === undefined) return {};
  if (!isRemote(service)) return ownOutlook(phoneNumber, service);
  return isDryRun ? {} : remoteOutlook(service, { ...request, phoneNumber });
}

function ownOutlook(phoneNumber: string, { routes, consents }: OwnService): Outlook {
  const dialling = resolveTarget(phoneNumber, { routes, practices: new PracticeRegistry() });
  const { consentFor, costPerMinute } = dialling;
  const cost = costPerMinute === undefined ? {} : { costPerMinute };
  if (consentFor === undefined || consents.includes(consentFor)) return cost;
  const place = strangerAt(dialling);
  return { ...cost, consentFor, ...withoutUndefined({ place }), refusal: consentRefusal(consentFor, place) };
}

/** Asks a service for a call's cost. Its other objections appear when the test is launched. */
async function remoteOutlook(
  service: RemoteService,
  load: LoadRequest & { readonly phoneNumber: string },
): Promise<Outlook> {
  try {
    const { cost } = await withService(service, (client) => client.call('planCalls', { load }));
    return cost ? { costPerMinute: cost.perMinute, currency: cost.currency } : {};
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}
