import type { Kysely } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { Database } from '../store/schema.ts';
import type { Launcher } from './principal.ts';

const limitedKey = (message: string): HumanError => new HumanError(message, { status: 403, code: 'limited_key' });

/** A limited key may change and delete only what it created. @throws HumanError 403 `limited_key` */
export function assertCreatedByKey({ keyId, limits }: Launcher, madeBy: string | null): void {
  if (limits && madeBy !== keyId)
    throw limitedKey(
      'This API key is limited, so it can change and delete only what it created itself. Create a copy, or ask the user to make the change.',
    );
}

/**
 * A limited key may end and delete only the runs that it launched. Active runs have a slot, which the runs of a launch
 * share; ended runs have an entry in the ledger. @throws HumanError 403 `limited_key`
 */
export async function assertLaunchedByKey(
  db: Kysely<Database>,
  { workspaceId, keyId, limits }: Launcher,
  runId: string,
  slotOf: string | null = runId,
): Promise<void> {
  if (!limits) return;
  const launched = async (table: 'slots' | 'ledger', id: string | null): Promise<boolean> =>
    (await db
      .selectFrom(table)
      .select('run_id')
      .where('run_id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('key_id', '=', keyId)
      .executeTakeFirst()) !== undefined;
  if (!(await launched('ledger', runId)) && !(await launched('slots', slotOf)))
    throw limitedKey(
      'This API key is limited, so it can cancel and delete only runs that it started itself. Ask the user to do this.',
    );
}

type Guard = Pick<MappingConfig, 'allowedLabels' | 'pressUnsure'>;

/** A limited key may not let a mapping press more than before. @throws HumanError 403 `limited_key` */
export function assertNoLooserRules({ limits }: Launcher, before: Guard, after: Guard): void {
  const isLooser =
    (after.pressUnsure && !before.pressUnsure) ||
    after.allowedLabels.some((label) => !before.allowedLabels.includes(label));
  if (limits && isLooser)
    throw limitedKey(
      "This API key is limited, so it can't allow a mapping to press more options (allowedLabels, pressUnsure). Ask the user to allow them.",
    );
}
