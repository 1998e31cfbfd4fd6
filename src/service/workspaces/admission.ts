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
import { demandBudget, readBudgets } from './budgets.ts';
import type { WantedCalls } from './budgets.ts';
import type { CapacityAdvice } from './capacity.ts';
import { demandCapacity, minSeconds, reservedForOthers, reservedOf } from './capacity.ts';
import { lockWorkspace } from './keys.ts';
import { unauthorized } from './principal.ts';
import type { Launcher } from './principal.ts';
import { readSettings } from './settings.ts';

/** A slot of a process that died is free again after this. */
const leaseMs = 25_000;
/** A run that waits needs no process to keep its slot; the queue forgets it after this. */
const waitingMs = 24 * 3_600_000;
export const renewEveryMs = 5_000;

export interface Admitted {
  /** Seconds of calls that the run may use; undefined where nothing limits it. */
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
  /** Whose calls they are; they count for the key, and for its own budgets where it has some. */
  readonly launcher?: Pick<Launcher, 'keyId' | 'limits'>;
}

/**
 * Lets a run in, in the transaction that creates it: a slot under the tier's ceiling, with what is set aside for it of
 * the pool and of the workspace's budgets and of the key's. The row lock on the workspace makes all of them exact under
 * any number of launches at once.
 * @throws HumanError 401 `unauthorized` where the key was revoked, 402 `capacity_exhausted` or `budget_exceeded`, 429
 * `concurrency_ceiling`
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
  // Somebody may have revoked the key since it was looked at, and ended what it had begun.
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
      // Not cut to the minutes that are left: each of its runs takes what was planned for it off this.
      seconds_at_most: seconds,
      calls_at_most: calls,
      ...(costPerMinute !== undefined && { cost_per_minute: costPerMinute }),
      ...(launcher && { key_id: launcher.keyId }),
    })
    .execute();
  return { budgetSeconds, workspace };
}

/**
 * What a run would be let in with, or the refusal. It holds only for as long as the workspace is locked.
 * `secondsAtMost`: of all its calls, as far as one knows; `planned`: also where there are fewer minutes.
 */
export async function checkAdmission(
  db: Kysely<Database>,
  workspace: Selectable<Database['workspaces']>,
  { pool, wanted: asked, now, launcher, contact, sendsCodes }: Asked,
): Promise<Admitted & { readonly secondsAtMost: number; readonly planned: CallBudget }> {
  const slots = await readSlots(db, workspace.id);
  const settings = await readSettings(db, workspace.id);
  // A load test takes what it takes: cut short it would measure something else.
  const wanted = pool === 'loadTesting' ? asked : cappedBudget(asked, settings.budgets.secondsPerRun);
  const unused = await demandCapacity(db, workspace, pool, { contact, sendsCodes });
  const available = unused === undefined ? Infinity : Math.max(0, unused - reservedOf(slots, pool));
  const secondsAtMost = Math.min(wanted.seconds, available);
  demandBudget(
    await readBudgets(db, workspace.id, settings, slots, now, launcher),
    { ...wanted, seconds: secondsAtMost, secondsOfRun: Math.min(wanted.secondsOfRun, secondsAtMost) },
    settings,
    now,
  );
  const ceiling = tiers[workspace.tier].runs;
  // A load test is bounded by itself: one a workspace.
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

/**
 * Of all runs that have not been counted yet, also those of processes that died: what they may have dialled stays set
 * aside.
 */
export const readSlots = (db: Kysely<Database>, workspaceId: string): Promise<Selectable<Database['slots']>[]> =>
  db.selectFrom('slots').selectAll().where('workspace_id', '=', workspaceId).execute();

/** The runs that the tier's ceiling counts. */
export const inFlight = (slots: readonly Selectable<Database['slots']>[], now: Date): Selectable<Database['slots']>[] =>
  slots.filter((slot) => slot.pool !== 'loadTesting' && slot.expires_at > now);

/** Whether calls of this workspace, with this key, are ended when they have taken what was set aside for them. */
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

/**
 * A run in the hands of a process. `attempt` tells it from the same run in the hands of another one, before or after.
 */
export interface HeldRun {
  readonly workspaceId: string;
  readonly runId: string;
  readonly kind: SlotKind;
  readonly attempt: number;
}

/**
 * Takes a run's slot for this attempt, also one that ran out or was freed. Returns the seconds that the run may use;
 * undefined where nothing limits it.
 */
export async function takeSlot(
  transaction: Transaction<Database>,
  { workspaceId, runId, kind, attempt }: HeldRun,
  now: Date,
): Promise<number | undefined> {
  const held = { attempt, expires_at: new Date(now.getTime() + leaseMs) };
  const slot = await transaction
    .insertInto('slots')
    .values({ run_id: runId, workspace_id: workspaceId, kind, pool: poolOf[kind], reserved_seconds: null, ...held })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(held))
    .returning('reserved_seconds')
    .executeTakeFirstOrThrow();
  return slot.reserved_seconds ?? undefined;
}

/** Tells that the run goes on. `lost`: another attempt has it; `cancelled`: it shall end. */
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

/**
 * Whether some process, this one or another, carries the run out just now. One that died does so until its lease has
 * run out.
 */
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
 * Until when the process that carries the run out, or did, was alive at the latest: it renews its slot in these steps.
 * Undefined where none has begun it.
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

/** Gives the run back to the queue, where it waits for whoever takes it next. */
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

interface Used {
  readonly workspaceId: string;
  readonly runId: string;
  readonly kind: SlotKind;
  readonly seconds: number;
  readonly calls: number;
  readonly now: Date;
}

/** Counts what a run used and frees its slot, in the transaction that ends it. A second time changes nothing. */
export async function settle(transaction: Transaction<Database>, used: Used): Promise<void> {
  const counted = await countedFor(transaction, used.workspaceId, used.runId);
  await forgetDials(transaction, used.runId);
  await freeSlot(transaction, used.workspaceId, used.runId);
  await count(transaction, used, counted);
}

/**
 * Counts what one run of several used that share the slot of `slotOf`, in the transaction that ends it: what was
 * `planned` for it is not set aside any more. A second time changes nothing.
 */
export async function meter(
  transaction: Transaction<Database>,
  {
    slotOf,
    planned,
    ...used
  }: Used & { readonly slotOf: string; readonly planned: { readonly calls: number; readonly seconds: number } },
): Promise<void> {
  const counted = await countedFor(transaction, used.workspaceId, slotOf);
  await forgetDials(transaction, used.runId);
  await transaction
    .updateTable('slots')
    .set({
      // Of minutes, what it left over is there for those behind it.
      reserved_seconds: sql<number>`CASE WHEN reserved_seconds IS NOT NULL THEN greatest(0, reserved_seconds - ${used.seconds}::double precision) END`,
      seconds_at_most: sql<number>`greatest(0, seconds_at_most - ${planned.seconds}::double precision)`,
      calls_at_most: sql<number>`greatest(0, calls_at_most - ${planned.calls}::integer)`,
    })
    .where('run_id', '=', slotOf)
    .execute();
  await count(transaction, used, counted);
}

/** The ledger counts them from now on. */
const forgetDials = (transaction: Transaction<Database>, runId: string): Promise<unknown> =>
  transaction.deleteFrom('dials').where('run_id', '=', runId).execute();

/** At which rate, and for which key: where its slot still tells. */
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
  let left = seconds;
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
    if (left <= 0) break;
    // A call that was being made when the pool ran dry is counted all the same, on the last one.
    const used =
      index === balances.length - 1
        ? left
        : Math.min(left, Math.max(0, balance.seconds_granted - balance.seconds_used));
    if (used === 0) continue;
    await transaction
      .updateTable('balances')
      .set({ seconds_used: balance.seconds_used + used })
      .where('id', '=', balance.id)
      .execute();
    left -= used;
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
