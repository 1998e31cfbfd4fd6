import { HumanError } from '../../contract/errors.ts';
import type { JobRow } from '../mapping/resources.ts';
import type { Store } from '../store/store.ts';
import type { Dialling, Routes } from './dialGate.ts';
import { resolveTarget } from './dialGate.ts';

/** Where the calls of a job or a test go. Rejects with HumanError where they may not be placed: no route, a forbidden number, no consent. */
export async function permitCalls(store: Store, routes: Routes, job: Pick<JobRow, 'workspace_id' | 'phone_number'>): Promise<Dialling> {
  const dialling = resolveTarget(job.phone_number, routes);
  const number = dialling.consentFor;
  if (number === undefined) return dialling;
  const consent = await store.db.selectFrom('consents').select('recorded_at')
    .where('workspace_id', '=', job.workspace_id).where('phone_number', '=', number).executeTakeFirst();
  if (!consent) {
    throw new HumanError(`${number} is on the public network and is only called with consent. Confirm "I may test this number" for it (recordConsent), then start again.`,
      { status: 403, code: 'consent_required', details: { phoneNumber: number, statement: 'I may test this number' } });
  }
  return dialling;
}
