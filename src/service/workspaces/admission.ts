import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { tiers } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import { cappedBudget, costOf } from '../../model/calls/callBudget.ts';
import type { CallBudget } from '../../model/calls/callBudget.ts';
import type { Database, SlotKind } from '../store/schema.ts';
import { assertBudget, readBudgets } from './budgets.ts';
import type { WantedCalls } from './budgets.ts';
import type { CapacityAdvice } from './capacity.ts';
import { assertCapacity, minSeconds, reservedForOthers, reservedOf } from './capacity.ts';
import { lockWorkspace } from './keys.ts';
import { unauthorized } from './principal.ts';
import type { Launcher } from './principal.ts';
import { readSettings } from './settings.ts';

/** The slot of a crashed process is free again after this time. */
const leaseMs = 25_000;
/** A waiting run needs no process to keep its slot; the queue drops it after this time. */
const waitingMs = 24 * 3_600_000;
export const renewEveryMs = 5_000;

interface Admitted {
  /** Seconds of calls that the run may use; undefined means no limit. */
  readonly budgetSeconds: number | undefined;
}

/** Which minutes the calls of a run use. */
export const poolOf: Readonly<Record<SlotKind, Pool>> = {
  mapping: 'mapping',
  tests: 'testing',
  load: 'loadTesting',
  echo: 'testing',
};

interface Asked extends CapacityAdvice {
  readonly pool: Pool;
  readonly wanted: WantedCalls;
  readonly now: Date;
  /** The owner of the calls. They count for the key, and for its own budgets if it has any. */
  readonly launcher?: Pick<Launcher, 'keyId' | 'limits'>;
}

/**
 * Admits a run in the transaction that creates it: a slot within the tier's ceiling, and reservations from the pool,
 * the workspace's budgets and the key's. The row lock on the workspace makes all of them exact, however many launches
 * run simultaneously.
 * @throws HumanError 401 `unauthorized` if the key was revoked, 402 `capacity_exhausted` or `budget_exceeded`, 429
 *   `concurrency_ceiling`
 */
export async function admit(
  transaction: Transaction<Database>,
  {
    workspaceId,
    runId,
    kind,
    ...asked
  }: Omit<Asked, 'pool'> & { readonly workspaceId: string; readonly runId: string; readonly kind: SlotKind },
): Promise<Admitted & { readonly workspace: Selectable<Database['workspaces']> }> {
  const workspace = await lockWorkspace(transaction, workspaceId);
  // The key may have been revoked since it was checked, and its runs ended.
  const key =
    asked.launcher &&
    (await transaction
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('id', '=', asked.launcher.keyId)
      .executeTakeFirst());
  if (key?.revoked_at) throw unauthorized();
  const admission = await checkAdmission(transaction, workspace, { ...asked, pool: poolOf[kind] });
  const {
    budgetSeconds,
    planned: { calls, seconds },
  } = admission;
  const {
    wanted: { costPerMinute },
    now,
    launcher,
  } = asked;
  await transaction
    .insertInto('slots')
    .values({
      run_id: runId,
      workspace_id: workspaceId,
      kind,
      pool: poolOf[kind],
      reserved_seconds: budgetSeconds ?? null,
      expires_at: new Date(now.getTime() + waitingMs),
      // Not limited to the remaining minutes: each run subtracts its planned usage from this.
      seconds_at_most: seconds,
      calls_at_most: calls,
      ...(costPerMinute !== undefined && { cost_per_minute: costPerMinute }),
      ...(launcher && { key_id: launcher.keyId }),
    })
    .execute();
  return { budgetSeconds, workspace };
}

/**
 * Returns what a run would be admitted with, or the refusal. Valid only while the workspace is locked. `secondsAtMost`:
 * of all its calls, as far as known; `planned`: even if there are fewer minutes.
 */
export async function checkAdmission(
  db: Kysely<Database>,
  workspace: Selectable<Database['workspaces']>,
  { pool, wanted: asked, now, launcher, contact, sendsCodes }: Asked,
): Promise<Admitted & { readonly secondsAtMost: number; readonly planned: CallBudget }> {
  const slots = await readSlots(db, workspace.id);
  const settings = await readSettings(db, workspace.id);
  // A load test isn't shortened, because it would measure something else.
  const wanted = pool === 'loadTesting' ? asked : cappedBudget(asked, settings.budgets.secondsPerRun);
  const unused = await assertCapacity(db, workspace, pool, { contact, sendsCodes });
  const available = unused === undefined ? Infinity : Math.max(0, unused - reservedOf(slots, pool));
  const secondsAtMost = Math.min(wanted.seconds, available);
  assertBudget(
    await readBudgets(db, workspace.id, settings, slots, now, launcher),
    { ...wanted, seconds: secondsAtMost, secondsOfRun: Math.min(wanted.secondsOfRun, secondsAtMost) },
    settings,
    now,
  );
  const ceiling = tiers[workspace.tier].runs;
  // Load tests have their own limit: one per workspace.
  if (pool !== 'loadTesting' && inFlight(slots, now).length >= ceiling) {
    throw new HumanError(
      `This workspace has ${String(ceiling)} runs in progress, which is the maximum for its tier. Wait for one to end.`,
      { status: 429, code: 'concurrency_ceiling' },
    );
  }
  if (available < minSeconds) throw reservedForOthers(pool);
  return {
    secondsAtMost,
    planned: wanted,
    budgetSeconds: boundsSeconds(workspace, settings, launcher?.limits) ? secondsAtMost : undefined,
  };
}

/** Returns the slots of all uncounted runs, also of crashed processes, because their possible usage stays reserved. */
export const readSlots = (db: Kysely<Database>, workspaceId: string): Promise<Selectable<Database['slots']>[]> =>
  db.selectFrom('slots').selectAll().where('workspace_id', '=', workspaceId).execute();

/** Returns the runs that count towards the tier's ceiling. */
export const inFlight = (slots: readonly Selectable<Database['slots']>[], now: Date): Selectable<Database['slots']>[] =>
  slots.filter((slot) => slot.pool !== 'loadTesting' && slot.expires_at > now);

/** Returns true if calls of this workspace, with this key, are ended when they have used their reservation. */
export const boundsSeconds = (
  { unlimited }: { readonly unlimited: boolean },
  { budgets }: WorkspaceSettings,
  limits?: KeyLimits,
): boolean =>
  !unlimited ||
  limits?.secondsPerDay !== undefined ||
  budgets.secondsPerRun !== undefined ||
  budgets.secondsPerDay !== undefined ||
  budgets.costPerDay !== undefined;

/** A run that a process owns. `attempt` distinguishes it from the same run in another process. */
export interface HeldRun {
  readonly workspaceId: string;
  readonly runId: string;
  readonly kind: SlotKind;
  readonly attempt: number;
}

/**
 * Takes a run's slot for this attempt, even if it expired or was freed. Returns the seconds that the run may use;
 * undefined means no limit.
 */
export async function takeSlot(
  transaction: Transaction<Database>,
  { workspaceId, runId, kind, attempt }: HeldRun,
  now: Date,
): Promise<number | undefined> {
  const leaseColumns = { attempt, expires_at: new Date(now.getTime() + leaseMs) };
  const slot = await transaction
    .insertInto('slots')
    .values({
      run_id: runId,
      workspace_id: workspaceId,
      kind,
      pool: poolOf[kind],
      reserved_seconds: null,
      ...leaseColumns,
    })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(leaseColumns))
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
    .set({ expires_at: new Date(now.getTime() + leaseMs) })
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
    .set({ attempt: 0, expires_at: new Date(now.getTime() + waitingMs) })
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
export async function settle(
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
