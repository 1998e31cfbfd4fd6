import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Pool } from '../../contract/workspace.ts';
import { costOf } from '../../model/calls/callBudget.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import { Account } from './account.ts';
import type { AccountOptions } from './account.ts';
import { lockWorkspace } from './keys.ts';
import { reserve } from './meters.ts';
import type { WantedCalls } from './meters.ts';
import { unauthorized } from './principal.ts';

/** After this time, the slot of a crashed process is free again, and another process may take its run. */
export const leaseMs = 15_000;
/** A waiting run needs no process to keep its slot. It stops counting towards the ceiling after this time. */
const waitingMs = 24 * 3_600_000;
export const renewEveryMs = 5_000;

/** Which minutes the calls of a run use. */
export const poolOf: Readonly<Record<SlotKind, Pool>> = {
  mapping: 'mapping',
  tests: 'testing',
  load: 'loadTesting',
  echo: 'testing',
};

interface AdmissionRequest extends AccountOptions {
  readonly workspaceId: string;
  readonly runId: string;
  readonly kind: SlotKind;
  /** The run only waits for an incoming call. */
  readonly waits?: boolean;
  readonly wanted: WantedCalls;
  readonly now: Date;
}

/**
 * Admits a run in the transaction that creates it: a slot within the tier's ceiling, which is also its place in the
 * queue, reservations from the pool, the workspace's budgets and the key's, and room for what the run stores. The row
 * lock on the workspace makes all of them exact, however many launches run simultaneously.
 * @throws HumanError 401 `unauthorized` if the key was revoked, or a refusal of `reserve`
 */
export async function admit(
  transaction: Transaction<Database>,
  { workspaceId, runId, kind, waits = false, wanted, now, ...options }: AdmissionRequest,
): Promise<{ readonly budgetSeconds: number | undefined }> {
  const { launcher } = options;
  const workspace = await lockWorkspace(transaction, workspaceId);
  // The key may have been revoked since it was checked, and its runs ended.
  const key =
    launcher &&
    (await transaction.selectFrom('api_keys').select('revoked_at').where('id', '=', launcher.keyId).executeTakeFirst());
  if (key?.revoked_at) throw unauthorized();
  const pool = poolOf[kind];
  const account = new Account(transaction, workspace, now, options);
  const { budgetSeconds, planned } = await reserve(account, pool, wanted);
  const { costPerMinute } = wanted;
  await transaction
    .insertInto('slots')
    .values({
      run_id: runId,
      workspace_id: workspaceId,
      kind,
      lane: kind === 'echo' ? null : waits ? 'wait' : kind,
      pool,
      reserved_seconds: budgetSeconds ?? null,
      expires_at: new Date(now.getTime() + waitingMs),
      // Not limited to the remaining minutes: each run subtracts its planned usage from this.
      seconds_at_most: planned.seconds,
      calls_at_most: planned.calls,
      ...(costPerMinute !== undefined && { cost_per_minute: costPerMinute }),
      ...(launcher && { key_id: launcher.keyId }),
    })
    .execute();
  return { budgetSeconds };
}

/** A run that a process owns. `attempt` distinguishes it from the same run in another process. */
export interface HeldRun {
  readonly runId: string;
  readonly attempt: number;
}

/** By the clock of the database, because the clocks of two processes can differ by more than a lease. */
const renewed = (now: Date) => ({
  expires_at: new Date(now.getTime() + leaseMs),
  taken_at: sql<Date>`clock_timestamp()`,
});

/**
 * Takes a run's slot for this attempt, even if it expired. Returns the seconds that the run may use; undefined means no
 * limit.
 */
export async function takeSlot(
  transaction: Transaction<Database>,
  { runId, attempt }: HeldRun,
  now: Date,
): Promise<number | undefined> {
  const slot = await transaction
    .updateTable('slots')
    .set({ attempt, ...renewed(now) })
    .where('run_id', '=', runId)
    .returning('reserved_seconds')
    .executeTakeFirstOrThrow();
  return slot.reserved_seconds ?? undefined;
}

/** Reports that the run is active. `lost`: another attempt owns it; `cancelled`: it should end. */
export async function renewSlot(
  transaction: Transaction<Database>,
  { runId, attempt }: HeldRun,
  now: Date,
): Promise<'kept' | 'cancelled' | 'lost'> {
  const slot = await transaction
    .updateTable('slots')
    .set(renewed(now))
    .where('run_id', '=', runId)
    .where('attempt', '=', attempt)
    .returning('cancelled')
    .executeTakeFirst();
  return slot ? (slot.cancelled ? 'cancelled' : 'kept') : 'lost';
}

/** Returns true if any process is performing the run. A crashed one counts until its lease expires. */
export async function isHeld(db: Kysely<Database>, runId: string, now: Date): Promise<boolean> {
  const slot = await db
    .selectFrom('slots')
    .select('run_id')
    .where('run_id', '=', runId)
    .where('attempt', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return slot !== undefined;
}

/**
 * Returns the latest time at which the run's process was alive; it renews its slot in these steps. Undefined if no
 * process has started it.
 */
export async function seenUntil(db: Kysely<Database>, runId: string, now: Date): Promise<Date | undefined> {
  const slot = await db
    .selectFrom('slots')
    .select('expires_at')
    .where('run_id', '=', runId)
    .where('attempt', '>', 0)
    .executeTakeFirst();
  return slot && new Date(Math.min(now.getTime(), slot.expires_at.getTime() - leaseMs + renewEveryMs));
}

/** Returns the run to the queue, where it waits for another process. */
export async function handBack(
  transaction: Transaction<Database>,
  { runId, attempt }: HeldRun,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('slots')
    .set({ attempt: 0, expires_at: new Date(now.getTime() + waitingMs), taken_at: null })
    .where('run_id', '=', runId)
    .where('attempt', '=', attempt)
    .execute();
}

export interface CallUsage {
  readonly seconds: number;
  readonly calls: number;
}

interface Used extends CallUsage {
  readonly workspaceId: string;
  readonly runId: string;
  readonly kind: SlotKind;
  readonly now: Date;
}

/**
 * Counts a run's usage in the transaction that ends it, and frees its slot. If other runs still use the slot, releases
 * only what was `planned` for this one. A second call changes nothing.
 */
export async function settleUsage(
  transaction: Transaction<Database>,
  { slotOf, planned, ...used }: Used & { readonly slotOf?: string; readonly planned?: CallUsage | undefined },
): Promise<void> {
  const { workspaceId, runId, seconds } = used;
  const slot = slotOf ?? runId;
  const counted = await countedFor(transaction, workspaceId, slot);
  await forgetDials(transaction, runId);
  if (planned)
    await transaction
      .updateTable('slots')
      .set({
        // Minutes that it didn't use are available to the runs after it.
        reserved_seconds: sql<number>`CASE WHEN reserved_seconds IS NOT NULL THEN greatest(0, reserved_seconds - ${seconds}::double precision) END`,
        seconds_at_most: sql<number>`greatest(0, seconds_at_most - ${planned.seconds}::double precision)`,
        calls_at_most: sql<number>`greatest(0, calls_at_most - ${planned.calls}::integer)`,
      })
      .where('run_id', '=', slot)
      .execute();
  else await freeSlot(transaction, workspaceId, slot);
  await count(transaction, used, counted);
}

/** From now on, the ledger counts them. */
const forgetDials = (transaction: Transaction<Database>, runId: string): Promise<unknown> =>
  transaction.deleteFrom('dials').where('run_id', '=', runId).execute();

/** The rate and the key, if its slot still has them. */
type CountedFor = Pick<Selectable<Database['slots']>, 'cost_per_minute' | 'key_id'> | undefined;

async function countedFor(transaction: Transaction<Database>, workspaceId: string, runId: string): Promise<CountedFor> {
  await lockWorkspace(transaction, workspaceId);
  return await transaction
    .selectFrom('slots')
    .select(['cost_per_minute', 'key_id'])
    .where('run_id', '=', runId)
    .executeTakeFirst();
}

export async function freeSlot(transaction: Transaction<Database>, workspaceId: string, runId: string): Promise<void> {
  await lockWorkspace(transaction, workspaceId);
  await transaction.deleteFrom('slots').where('run_id', '=', runId).execute();
}

async function count(
  transaction: Transaction<Database>,
  { workspaceId, runId, kind, seconds, calls, now }: Used,
  counted: CountedFor,
): Promise<void> {
  const pool = poolOf[kind];
  const written = await transaction
    .insertInto('ledger')
    .values({
      run_id: runId,
      workspace_id: workspaceId,
      pool,
      seconds,
      at: now,
      calls,
      cost: costOf(seconds, counted?.cost_per_minute),
      key_id: counted?.key_id ?? null,
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning('run_id')
    .executeTakeFirst();
  if (!written) return;
  let remainingSeconds = seconds;
  // The free minutes are used before those of packs.
  const balances = await transaction
    .selectFrom('balances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('pool', '=', pool)
    .orderBy('source')
    .orderBy('at')
    .orderBy('id')
    .execute();
  for (const [index, balance] of balances.entries()) {
    if (remainingSeconds <= 0) break;
    // A call during which the pool ran out is still counted, on the last balance.
    const used =
      index === balances.length - 1
        ? remainingSeconds
        : Math.min(remainingSeconds, Math.max(0, balance.seconds_granted - balance.seconds_used));
    if (used === 0) continue;
    await transaction
      .updateTable('balances')
      .set({ seconds_used: balance.seconds_used + used })
      .where('id', '=', balance.id)
      .execute();
    remainingSeconds -= used;
  }
}

export async function grantSeconds(
  transaction: Transaction<Database>,
  workspaceId: string,
  pool: Pool,
  source: 'grant' | 'pack',
  seconds: number,
  at: Date,
): Promise<void> {
  await transaction
    .insertInto('balances')
    .values({ id: randomUUID(), workspace_id: workspaceId, pool, source, seconds_granted: seconds, at })
    .execute();
}
