import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { Database } from '../store/schema.ts';
import { grantsMinutes } from './operatorContact.ts';
import type { OperatorContact } from './operatorContact.ts';

type Workspace = Selectable<Database['workspaces']>;

/** How a workspace can get minutes on this server. */
export interface CapacityAdvice {
  /** The operator's contact. */
  readonly contact?: OperatorContact | undefined;
  /** Whether this server can verify people, who bring free minutes. */
  readonly sendsCodes?: boolean | undefined;
}

/** A call with less isn't worth placing. */
export const minSeconds = 1;

/** Returns the seconds of a pool that active runs have reserved. */
export const reservedOf = (slots: readonly Selectable<Database['slots']>[], pool: Pool): number =>
  slots.reduce((sum, slot) => sum + (slot.pool === pool ? (slot.reserved_seconds ?? 0) : 0), 0);

/**
 * Returns the unused minutes, including reserved ones; undefined means no limit.
 * @throws HumanError 402 `capacity_exhausted`
 */
export async function assertCapacity(
  db: Kysely<Database>,
  workspace: Workspace,
  pool: Pool,
  advice: CapacityAdvice = {},
): Promise<number | undefined> {
  if (workspace.unlimited) return undefined;
  const balances = await db
    .selectFrom('balances')
    .select(['seconds_granted', 'seconds_used'])
    .where('workspace_id', '=', workspace.id)
    .where('pool', '=', pool)
    .execute();
  const unused = balances.reduce((sum, row) => sum + row.seconds_granted - row.seconds_used, 0);
  if (unused < minSeconds) throw exhausted(workspace, pool, advice);
  return unused;
}

const poolNames: Readonly<Record<Pool, string>> = {
  testing: 'tests',
  loadTesting: 'load tests',
  mapping: 'mapping',
  s2s: 'speech to speech',
  s2stest: 'speech-to-speech tests',
};

function exhausted(
  { kind, claimed_at: claimedAt, tier }: Workspace,
  pool: Pool,
  { contact, sendsCodes = false }: CapacityAdvice,
): HumanError {
  const unclaimed = kind === 'agent' && !claimedAt;
  const verify =
    sendsCodes && tier === 'free'
      ? " Verify a person's mobile number (requestAnchorCode) to get free minutes, once per number."
      : '';
  const claim = unclaimed ? ' A person can claim the workspace (getClaimLink).' : '';
  return new HumanError(
    `This workspace has no minutes left for ${poolNames[pool]}. The key stays valid.${verify}${claim} ${grantsMinutes(contact)}`,
    {
      status: 402,
      code: 'capacity_exhausted',
      ...(unclaimed && { claim: { method: 'POST', path: '/claim', tool: 'getClaimLink' } }),
    },
  );
}

/** For a run that will fit once active runs release what they don't use. */
export const reservedForOthers = (pool: Pool): HumanError =>
  new HumanError(
    `The remaining minutes for ${poolNames[pool]} are reserved for runs in progress. Wait for one to end.`,
    {
      status: 429,
      code: 'concurrency_ceiling',
    },
  );
