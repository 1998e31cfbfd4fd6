import type { Kysely } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Tier } from '../../contract/limits.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { Database } from '../store/schema.ts';

/** True if the operator knows the workspace: anyone can register a free one; only the operator assigns another tier. */
export const isKnown = ({ tier }: { readonly tier: Tier }): boolean => tier !== 'free';

/**
 * Lines and SIP addresses are reserved for workspaces that the operator knows: they lead into the operator's own
 * network, and responses reveal what is there.
 * @throws HumanError 403 `numbers_only`
 */
export function assertKnown(workspace: { readonly tier: Tier }): void {
  if (isKnown(workspace)) return;
  throw new HumanError(
    "A workspace on the free tier can call only telephone numbers, and can't choose a line, a SIP address or a caller ID. Give a number such as +12025550101 and a profile that sets neither line nor callerId, or ask the operator of this service for a higher tier.",
    { status: 403, code: 'numbers_only' },
  );
}

const isAddress = (target: string): boolean => /^sips?:/i.test(target);

/** Only known workspaces may call an address, over a named line, or with a specific caller ID. */
export const isForKnown = (target: string, caller: Pick<CallerProfile, 'line' | 'callerId'>): boolean =>
  isAddress(target) || caller.line !== undefined || caller.callerId !== undefined;

export async function assertCallable(
  db: Kysely<Database>,
  workspaceId: string,
  target: string,
  caller: Pick<CallerProfile, 'line' | 'callerId'>,
): Promise<void> {
  if (isForKnown(target, caller))
    assertKnown(
      await db.selectFrom('workspaces').select('tier').where('id', '=', workspaceId).executeTakeFirstOrThrow(),
    );
}
