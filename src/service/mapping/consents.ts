import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import type { Store } from '../store/store.ts';

/** Recorded once and for ever: a second confirmation keeps the first date. */
export async function recordConsent(store: Store, workspaceId: string, input: OperationArguments<'recordConsent'>, now: Date): Promise<OperationOutput<'recordConsent'>> {
  await store.write((transaction) => transaction.insertInto('consents')
    .values({ workspace_id: workspaceId, phone_number: input.phoneNumber, statement: input.statement, recorded_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'phone_number']).doNothing()).execute());
  await store.sync();
  const row = await store.db.selectFrom('consents').select('recorded_at')
    .where('workspace_id', '=', workspaceId).where('phone_number', '=', input.phoneNumber).executeTakeFirst();
  if (!row) throw new HumanError('The consent was not stored. Try again.', { status: 500 });
  return { phoneNumber: input.phoneNumber, recordedAt: row.recorded_at.toISOString() };
}
