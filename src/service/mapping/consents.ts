import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import type { Store } from '../store/store.ts';
import { audit } from '../workspaces/audit.ts';
import { isByPerson, lockFor } from '../workspaces/keys.ts';
import { assertUnlimitedKey } from '../workspaces/principal.ts';
import type { Principal } from '../workspaces/principal.ts';
import { assertQuota } from '../workspaces/meters.ts';

/** Recorded permanently. A second confirmation keeps the first date. */
export async function recordConsent(
  store: Store,
  principal: Principal,
  input: OperationArguments<'recordConsent'>,
  now: Date,
): Promise<OperationOutput<'recordConsent'>> {
  assertUnlimitedKey(principal);
  const { workspaceId, keyId } = principal;
  await store.write(async (transaction) => {
    const workspace = await lockFor(transaction, principal);
    // Its keys belong to the program that registered it; no person has one yet.
    if (workspace.kind === 'agent')
      throw new HumanError(
        'No person owns this workspace yet, so no one can give consent. Have a person claim the workspace first (getClaimLink).',
        { status: 403, code: 'unclaimed' },
      );
    if (!(await isByPerson(transaction, principal)))
      throw new HumanError(
        "This API key comes from the program that registered the workspace, so it can't give consent. Use a key that the owner created on the account page.",
        { status: 403, code: 'program_key' },
      );
    const recorded = await transaction
      .insertInto('consents')
      .values({
        workspace_id: workspaceId,
        phone_number: input.phoneNumber,
        statement: input.statement,
        recorded_at: now,
        consented_by: keyId,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'phone_number']).doNothing())
      .returning('recorded_at')
      .executeTakeFirst();
    if (!recorded) return;
    await assertQuota(transaction, workspace, { consents: 1 });
    await audit(transaction, workspaceId, 'consent.recorded', now, { by: keyId });
  });
  await store.sync();
  const row = await store.db
    .selectFrom('consents')
    .select('recorded_at')
    .where('workspace_id', '=', workspaceId)
    .where('phone_number', '=', input.phoneNumber)
    .executeTakeFirst();
  if (!row) throw new HumanError("Couldn't store the consent. Try again.", { status: 500 });
  return { phoneNumber: input.phoneNumber, recordedAt: row.recorded_at.toISOString() };
}
