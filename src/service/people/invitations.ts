import type { Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { randomToken, sha256 } from '../workspaces/keyForm.ts';

export const invitationDays = 7;

/**
 * The operator vouches that this address belongs to the person who gets the code: on a server without mail, only
 * invited people can create an account. A new invitation replaces earlier ones for the address.
 * @throws HumanError 409 if the address has an account
 */
export async function invite(store: Store, email: string, now: Date): Promise<{ code: string; expiresAt: string }> {
  const code = randomToken();
  const expiresAt = new Date(now.getTime() + invitationDays * 24 * 3_600_000);
  await store.write(async (transaction) => {
    if (await transaction.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst())
      throw new HumanError(`${email} already has an account, so it needs no invitation.`, {
        status: 409,
      });
    await transaction
      .deleteFrom('invitations')
      .where((row) => row.or([row('email', '=', email), row('expires_at', '<=', now)]))
      .execute();
    await transaction
      .insertInto('invitations')
      .values({ token_sha256: sha256(code), email, expires_at: expiresAt })
      .execute();
  });
  await store.sync();
  return { code, expiresAt: expiresAt.toISOString() };
}

/** Returns true if this code currently invites this address. */
export async function isInvited(store: Store, code: string, email: string, now: Date): Promise<boolean> {
  const row = await store.db
    .selectFrom('invitations')
    .select('email')
    .where('token_sha256', '=', sha256(code.trim()))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.email === email;
}

/** Uses the invitation. Returns false if it isn't valid, or not any more. */
export async function useInvitation(
  transaction: Transaction<Database>,
  code: string,
  email: string,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .updateTable('invitations')
    .set({ used_at: now })
    .where('token_sha256', '=', sha256(code.trim()))
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst();
  return row !== undefined;
}
