import type { Kysely } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Tier } from '../../contract/limits.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { Database } from '../store/schema.ts';

/**
 * Whether the operator of the service knows whose workspace this is: anybody may register one of the tier free, and
 * only the operator gives another.
 */
export const isKnown = ({ tier }: { readonly tier: Tier }): boolean => tier !== 'free';

/**
 * Lines and SIP addresses are for workspaces that the operator knows: they lead into the operator's own network, and
 * what comes back tells what is there.
 * @throws HumanError 403 `numbers_only`
 */
export function demandKnown(workspace: { readonly tier: Tier }): void {
  if (isKnown(workspace)) return;
  throw new HumanError(
    "A workspace on the free tier can call only telephone numbers, and can't choose a line, a SIP address or a caller ID. Give a number such as +12025550101 and a profile that sets neither line nor callerId, or ask the operator of this service for a higher tier.",
    { status: 403, code: 'numbers_only' },
  );
}

export const isAddress = (target: string): boolean => /^sips?:/i.test(target);

/**
 * Whether a call leads where only workspaces go that the operator knows: to an address, over a line by its name, or as
 * somebody in particular.
 */
export const isForKnown = (target: string, caller: Pick<CallerProfile, 'line' | 'callerId'>): boolean =>
  isAddress(target) || caller.line !== undefined || caller.callerId !== undefined;

export async function demandCallable(
  db: Kysely<Database>,
  workspaceId: string,
  target: string,
  caller: Pick<CallerProfile, 'line' | 'callerId'>,
): Promise<void> {
  if (isForKnown(target, caller))
    demandKnown(
      await db.selectFrom('workspaces').select('tier').where('id', '=', workspaceId).executeTakeFirstOrThrow(),
    );
}
