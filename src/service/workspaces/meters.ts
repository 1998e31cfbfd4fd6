import type { Kysely } from 'kysely';
import type { PlannedCalls } from '../../contract/callPlan.ts';
import type { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { quotas, tiers } from '../../contract/limits.ts';
import type { Quota } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { BudgetName, WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import { cappedBudget, costOf } from '../../model/calls/callBudget.ts';
import type { CallBudget } from '../../model/calls/callBudget.ts';
import type { Database } from '../store/schema.ts';
import { dailyBudgets, freeOf, rounding } from './account.ts';
import type { Account, LimitOwner, Reading, Workspace } from './account.ts';
import { budgetExceeded, minutesExhausted, minutesHeld, quotaExceeded, tooManyRuns } from './refusals.ts';
import { readStored } from './stored.ts';

/** How much a request stores. 0: something whose size isn't known yet, which needs only some space. */
export type Amounts = Partial<Readonly<Record<Quota, number>>>;

/** What the runs of a launch store. */
export const storedBy = {
  tests: (runs: number): Amounts => ({ testRuns: runs, recordingBytes: 0 }),
  mapping: (): Amounts => ({ mappingRuns: 1, recordingBytes: 0 }),
  load: ({ records }: { readonly records: boolean }): Amounts => ({
    loadTests: 1,
    ...(records && { recordingBytes: 0 }),
  }),
} as const;

/** The maximum usage of calls, with the rate of their route if it has one. */
export interface WantedCalls extends CallBudget {
  readonly costPerMinute?: number | undefined;
  /** Tokens of the language model. A launch that asks it needs at least one. */
  readonly tokens?: number;
  readonly stored?: Amounts;
}

/** What a request wants of all meters. */
interface Wanted extends Partial<WantedCalls> {
  readonly pool?: Pool;
  /** The store already contains what the request stores. */
  readonly isStored?: boolean;
}

/** One limit, and for how long what is used counts. `Payer`: what its reading needs. */
interface Meter<Payer = Account> {
  readonly name: BudgetName | Quota | 'minutes' | 'freeMinutes' | 'activeRuns';
  readonly of: LimitOwner;
  readonly window: 'run' | 'now' | 'day' | 'ever';
  /** 0: the request needs nothing of this. */
  readonly amount: (wanted: Wanted) => number;
  /** Undefined if nothing is limited. */
  readonly read: (payer: Payer, wanted: Wanted) => Promise<Reading | undefined>;
  readonly refusal: (payer: Payer, reading: Reading, wanted: Wanted) => HumanError | Promise<HumanError>;
}

/** A call with less isn't worth placing. */
const minSeconds = 1;

async function readMinutes({ db, workspace }: Account, pool: Pool | undefined): Promise<Reading | undefined> {
  if (workspace.unlimited || pool === undefined) return undefined;
  const balances = await db
    .selectFrom('balances')
    .select(['seconds_granted', 'seconds_used'])
    .where('workspace_id', '=', workspace.id)
    .where('pool', '=', pool)
    .execute();
  return {
    limit: balances.reduce((sum, row) => sum + row.seconds_granted, 0),
    used: balances.reduce((sum, row) => sum + row.seconds_used, 0),
    held: 0,
  };
}

async function readFreeMinutes(account: Account, pool: Pool | undefined): Promise<Reading | undefined> {
  const minutes = await readMinutes(account, pool);
  return minutes && pool && { ...minutes, held: await account.heldSeconds(pool) };
}

/** Minutes, including those that active runs hold. If there are none, waiting for a run's end doesn't help. */
const minutesMeter: Meter = {
  name: 'minutes',
  of: 'workspace',
  window: 'ever',
  amount: ({ pool }) => (pool ? minSeconds : 0),
  read: (account, { pool }) => readMinutes(account, pool),
  refusal: ({ workspace, advice }, _reading, { pool = 'testing' }) => minutesExhausted(workspace, pool, advice),
};

const freeMinutesMeter: Meter = {
  ...minutesMeter,
  name: 'freeMinutes',
  window: 'now',
  read: (account, { pool }) => readFreeMinutes(account, pool),
  refusal: (_account, _reading, { pool = 'testing' }) => minutesHeld(pool),
};

const activeRunsMeter: Meter = {
  name: 'activeRuns',
  of: 'tier',
  window: 'now',
  // Load tests have their own limit: one per workspace.
  amount: ({ pool }) => (pool === 'loadTesting' ? 0 : 1),
  read: async (account) => ({
    limit: tiers[account.workspace.tier].runs,
    used: 0,
    held: await account.activeRuns(),
  }),
  refusal: (_account, { limit }) => tooManyRuns(limit),
};

const amountsOf: Readonly<Record<BudgetName, (wanted: Wanted) => number>> = {
  secondsPerRun: ({ secondsOfRun = 0 }) => secondsOfRun,
  secondsPerDay: ({ seconds = 0 }) => seconds,
  callsPerDay: ({ calls = 0 }) => calls,
  costPerDay: ({ seconds = 0, costPerMinute }) => costOf(seconds, costPerMinute),
  tokensPerDay: ({ tokens = 0 }) => tokens,
};

function budgetMeter(of: LimitOwner, name: BudgetName): Meter & { readonly name: BudgetName } {
  const window = name === 'secondsPerRun' ? 'run' : 'day';
  return {
    name,
    of,
    window,
    amount: amountsOf[name],
    async read(account) {
      const limit = (await account.budgetsOf(of))[name];
      if (limit === undefined) return undefined;
      if (name === 'secondsPerRun') return { limit, used: 0, held: 0 };
      const { used, held } = await (of === 'key' ? account.keyToday() : account.today());
      return { limit, used: used[name], held: held[name] };
    },
    async refusal({ now, settings }, reading, wanted) {
      const { currency } = await settings();
      return budgetExceeded({ of, name, window }, reading, amountsOf[name](wanted), { currency, now });
    },
  };
}

/** The budgets that a person sets. */
const ownBudgetMeters = [
  budgetMeter('workspace', 'secondsPerRun'),
  ...dailyBudgets.map((name) => budgetMeter('workspace', name)),
  ...dailyBudgets.map((name) => budgetMeter('key', name)),
];
const budgetMeters: readonly Meter[] = [budgetMeter('tier', 'tokensPerDay'), ...ownBudgetMeters];

interface Keeper {
  readonly db: Kysely<Database>;
  readonly workspace: Pick<Workspace, 'id' | 'tier'>;
}

const quotaMeters = quotas.map((name): Meter<Keeper> => {
  const added = ({ stored = {} }: Wanted): number => stored[name] ?? 0;
  return {
    name,
    of: 'tier',
    window: 'ever',
    amount: (wanted) => (wanted.stored?.[name] === undefined ? 0 : Math.max(1, added(wanted))),
    read: async ({ db, workspace }, wanted) => ({
      limit: tiers[workspace.tier].stored[name],
      used: (await readStored(db, workspace.id, [name]))[name] - (wanted.isStored ? added(wanted) : 0),
      held: 0,
    }),
    refusal: (_keeper, reading, wanted) => quotaExceeded(name, reading, added(wanted)),
  };
});

/** All limits that refuse a launch, in the order of their refusals. */
const launchMeters: readonly Meter[] = [
  minutesMeter,
  ...budgetMeters,
  activeRunsMeter,
  freeMinutesMeter,
  ...quotaMeters,
];

/** Throws the refusal of the first meter with less than is wanted. */
async function assertFree<Payer>(meters: readonly Meter<Payer>[], payer: Payer, wanted: Wanted): Promise<void> {
  for (const meter of meters) {
    const amount = meter.amount(wanted);
    const reading = amount > 0 ? await meter.read(payer, wanted) : undefined;
    if (reading && amount > freeOf(reading) + rounding) throw await meter.refusal(payer, reading, wanted);
  }
}

/** Refuses a launch if no minutes are left, before its target is read. @throws HumanError 402 `capacity_exhausted` */
export const assertMinutes = (account: Account, pool: Pool): Promise<void> =>
  assertFree([minutesMeter], account, { pool });

/**
 * Refuses a question to the language model that might use more tokens than the tier, the workspace or the key has left.
 * @throws HumanError 402 `budget_exceeded`
 */
export const assertTokens = (account: Account, tokens: number): Promise<void> =>
  assertFree(budgetMeters, account, { tokens });

/**
 * Refuses what was just stored if it exceeds the tier's quota; the transaction then undoes it. Exact, however many
 * requests store simultaneously, because the workspace is locked (`lockWorkspace`) before anything is stored.
 * @throws HumanError 409 `quota_exceeded`
 */
export const assertQuota = (db: Kysely<Database>, workspace: Keeper['workspace'], stored: Amounts): Promise<void> =>
  assertFree(quotaMeters, { db, workspace }, { stored, isStored: true });

/** The same, before anything is stored. */
export const assertRoom = (db: Kysely<Database>, workspace: Keeper['workspace'], stored: Amounts): Promise<void> =>
  assertFree(quotaMeters, { db, workspace }, { stored });

/** What a launch gets. */
interface Reservation {
  /** The seconds of all its calls: as planned, or as many as are left. */
  readonly secondsAtMost: number;
  /** Seconds of calls that its runs may use; undefined means no limit. */
  readonly budgetSeconds: number | undefined;
  /** Its usage even if there are fewer minutes. */
  readonly planned: CallBudget;
}

/**
 * Returns what a launch gets, for a launch and for its plan. Valid only while the workspace is locked.
 * @throws HumanError 402 `capacity_exhausted` or `budget_exceeded`, 429 `concurrency_ceiling`, 409 `quota_exceeded`
 */
export async function reserve(account: Account, pool: Pool, asked: WantedCalls): Promise<Reservation> {
  const { workspace, launcher } = account;
  const settings = await account.settings();
  // A load test isn't shortened, because it would measure something else.
  const planned = pool === 'loadTesting' ? asked : cappedBudget(asked, settings.budgets.secondsPerRun);
  const minutes = await readFreeMinutes(account, pool);
  const seconds = Math.min(planned.seconds, minutes ? freeOf(minutes) : Infinity);
  const wanted = { ...planned, pool, seconds, secondsOfRun: Math.min(planned.secondsOfRun, seconds) };
  await assertFree(launchMeters, account, wanted);
  return {
    secondsAtMost: seconds,
    budgetSeconds: boundsSeconds(workspace, settings, launcher?.limits) ? seconds : undefined,
    planned,
  };
}

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

/** Returns the free minutes of a pool, if they are limited, and the lowest remainder of each budget of the workspace and the key. */
export async function leftFor(account: Account, pool: Pool): Promise<Omit<PlannedCalls['budget'], 'fits'>> {
  const minutes = await readFreeMinutes(account, pool);
  const left: Partial<Record<BudgetName, number>> = {};
  for (const meter of ownBudgetMeters) {
    const reading = await meter.read(account, {});
    if (reading) left[meter.name] = Math.min(freeOf(reading), left[meter.name] ?? Infinity);
  }
  return { ...(minutes && { minutesLeft: freeOf(minutes) / 60 }), left };
}
