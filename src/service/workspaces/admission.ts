import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { tiers } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { Database } from '../store/schema.ts';
import { lockWorkspace } from './keys.ts';

/** A slot of a process that died is free again after this. */
const leaseMs = 25_000;
/** A run that waits needs no process to keep its slot; the queue forgets it after this. */
const waitingMs = 24 * 3_600_000;
export const renewEveryMs = 5_000;

export interface Admitted {
  /** Seconds of calls that the run may use; undefined where nothing limits it. */
  readonly budgetSeconds: number | undefined;
}

/**
 * Lets a run in, in the transaction that creates it: a slot under the tier's ceiling, and seconds of the pool set aside for it. The row lock on
 * the workspace makes both exact under any number of launches at once.
 * @throws HumanError 402 `capacity_exhausted`, 429 `concurrency_ceiling`
 */
export async function admit(
  transaction: Transaction<Database>, { workspaceId, runId, pool, wantedSeconds, now }: {
    readonly workspaceId: string; readonly runId: string; readonly pool: Pool; readonly wantedSeconds: number; readonly now: Date;
  },
): Promise<Admitted> {
  const workspace = await lockWorkspace(transaction, workspaceId);
  const slots = await transaction.selectFrom('slots').selectAll().where('workspace_id', '=', workspaceId).where('expires_at', '>', now).execute();
  const ceiling = tiers[workspace.tier].runs;
  let budgetSeconds: number | undefined;
  if (!workspace.unlimited) {
    const balances = await transaction.selectFrom('balances').select(['seconds_granted', 'seconds_used']).where('workspace_id', '=', workspaceId).where('pool', '=', pool).execute();
    const left = balances.reduce((sum, row) => sum + row.seconds_granted - row.seconds_used, 0);
    const reserved = slots.reduce((sum, slot) => sum + (slot.pool === pool ? slot.reserved_seconds ?? 0 : 0), 0);
    if (left - reserved < leastSeconds) throw outOfCapacity(pool, workspace.kind === 'agent' && !workspace.claimed_at, reserved > 0);
    budgetSeconds = Math.min(wantedSeconds, left - reserved);
  }
  // A load test is bounded by itself: one a workspace.
  if (pool !== 'loadTesting' && slots.filter((slot) => slot.pool !== 'loadTesting').length >= ceiling) {
    throw new HumanError(`This workspace has ${String(ceiling)} runs in flight, the most of its tier. Wait for one to end.`, { status: 429, code: 'concurrency_ceiling' });
  }
  await transaction.insertInto('slots').values({ run_id: runId, workspace_id: workspaceId, pool, reserved_seconds: budgetSeconds ?? null, expires_at: new Date(now.getTime() + waitingMs) }).execute();
  return { budgetSeconds };
}

/** Less than this places no call worth placing. */
const leastSeconds = 1;

/** A run in the hands of a process. `attempt` tells it from the same run in the hands of another one, before or after. */
export interface HeldRun { readonly workspaceId: string; readonly runId: string; readonly pool: Pool; readonly attempt: number }

/** Takes a run's slot for this attempt, also one that ran out or was freed. Returns the seconds that the run may use; undefined where nothing limits it. */
export async function takeSlot(transaction: Transaction<Database>, { workspaceId, runId, pool, attempt }: HeldRun, now: Date): Promise<number | undefined> {
  const held = { attempt, expires_at: new Date(now.getTime() + leaseMs) };
  const slot = await transaction.insertInto('slots').values({ run_id: runId, workspace_id: workspaceId, pool, reserved_seconds: null, ...held })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(held)).returning('reserved_seconds').executeTakeFirstOrThrow();
  return slot.reserved_seconds ?? undefined;
}

/** Tells that the run goes on. `lost`: another attempt has it; `cancelled`: it shall end. */
export async function renewSlot(transaction: Transaction<Database>, { runId, attempt }: HeldRun, now: Date): Promise<'kept' | 'cancelled' | 'lost'> {
  const slot = await transaction.updateTable('slots').set({ expires_at: new Date(now.getTime() + leaseMs) })
    .where('run_id', '=', runId).where('attempt', '=', attempt).returning('cancelled').executeTakeFirst();
  return slot ? slot.cancelled ? 'cancelled' : 'kept' : 'lost';
}

/** Whether some process, this one or another, carries the run out just now. One that died does so until its lease has run out. */
export async function isHeld(db: Kysely<Database>, runId: string, now: Date): Promise<boolean> {
  const slot = await db.selectFrom('slots').select('run_id').where('run_id', '=', runId).where('attempt', '>', 0).where('expires_at', '>', now).executeTakeFirst();
  return slot !== undefined;
}

/** Gives the run back to the queue, where it waits for whoever takes it next. */
export async function handBack(transaction: Transaction<Database>, { runId, attempt }: HeldRun, now: Date): Promise<void> {
  await transaction.updateTable('slots').set({ attempt: 0, expires_at: new Date(now.getTime() + waitingMs) }).where('run_id', '=', runId).where('attempt', '=', attempt).execute();
}

interface Used { readonly workspaceId: string; readonly runId: string; readonly pool: Pool; readonly seconds: number; readonly now: Date }

/** Counts what a run used and frees its slot, in the transaction that ends it. A second time changes nothing. */
export async function settle(transaction: Transaction<Database>, used: Used): Promise<void> {
  await freeSlot(transaction, used.workspaceId, used.runId);
  await count(transaction, used);
}

/** Counts what one run of several used that share the slot of `slotOf`, in the transaction that ends it. A second time changes nothing. */
export async function meter(transaction: Transaction<Database>, { slotOf, ...used }: Used & { readonly slotOf: string }): Promise<void> {
  await lockWorkspace(transaction, used.workspaceId);
  // What is counted need not be set aside any more.
  await transaction.updateTable('slots').set({ reserved_seconds: sql<number>`greatest(0, reserved_seconds - ${used.seconds}::double precision)` }).where('run_id', '=', slotOf).where('reserved_seconds', 'is not', null).execute();
  await count(transaction, used);
}

export async function freeSlot(transaction: Transaction<Database>, workspaceId: string, runId: string): Promise<void> {
  await lockWorkspace(transaction, workspaceId);
  await transaction.deleteFrom('slots').where('run_id', '=', runId).execute();
}

async function count(transaction: Transaction<Database>, { workspaceId, runId, pool, seconds, now }: Used): Promise<void> {
  const written = await transaction.insertInto('ledger').values({ run_id: runId, workspace_id: workspaceId, pool, seconds, at: now })
    .onConflict((conflict) => conflict.column('run_id').doNothing()).returning('run_id').executeTakeFirst();
  if (!written) return;
  let left = seconds;
  // What was given is used before what was bought.
  const balances = await transaction.selectFrom('balances').selectAll().where('workspace_id', '=', workspaceId).where('pool', '=', pool).orderBy('source').orderBy('at').orderBy('id').execute();
  for (const [index, balance] of balances.entries()) {
    if (left <= 0) break;
    // A call that was being made when the pool ran dry is counted all the same, on the last one.
    const used = index === balances.length - 1 ? left : Math.min(left, Math.max(0, balance.seconds_granted - balance.seconds_used));
    if (used === 0) continue;
    await transaction.updateTable('balances').set({ seconds_used: balance.seconds_used + used }).where('id', '=', balance.id).execute();
    left -= used;
  }
}

export async function grantSeconds(transaction: Transaction<Database>, workspaceId: string, pool: Pool, source: 'grant' | 'pack', seconds: number, at: Date): Promise<void> {
  await transaction.insertInto('balances').values({ id: randomUUID(), workspace_id: workspaceId, pool, source, seconds_granted: seconds, at }).execute();
}

const poolNames: Readonly<Record<Pool, string>> = { testing: 'tests', loadTesting: 'load tests', mapping: 'mapping', s2s: 'speech to speech', s2stest: 'speech-to-speech tests' };

function outOfCapacity(pool: Pool, unclaimed: boolean, inUse: boolean): HumanError {
  const message = inUse
    ? `The minutes for ${poolNames[pool]} that are left are set aside for runs in flight. Wait for one to end, or add capacity.`
    : `This workspace has no minutes for ${poolNames[pool]} left. The key stays valid.${unclaimed ? ' Verify a person\'s mobile number (requestAnchorCode) for the free minutes, or have a person claim the workspace (getClaimLink) to buy some.' : ' A person can buy some.'}`;
  return new HumanError(message, { status: 402, code: 'capacity_exhausted', ...(unclaimed && { claim: { method: 'POST', path: '/claim', tool: 'getClaimLink' } }) });
}
