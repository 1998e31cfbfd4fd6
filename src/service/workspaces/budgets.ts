import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import type { BudgetName, Budgets, WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import { costOf } from '../../model/calls/callBudget.ts';
import type { CallBudget } from '../../model/calls/callBudget.ts';
import type { Database } from '../store/schema.ts';
import type { Launcher } from './principal.ts';

/** The maximum usage of calls, with the rate of their route if it has one. */
export interface WantedCalls extends CallBudget {
  readonly costPerMinute?: number | undefined;
}

/** One budget of the workspace, its tier, or the key: seconds, calls, money, or tokens. */
export interface BudgetState {
  readonly of: 'workspace' | 'key' | 'tier';
  readonly budget: BudgetName;
  readonly limit: number;
  readonly used: number;
  readonly setAside: number;
  readonly left: number;
}

type Slot = Selectable<Database['slots']>;

/** Returns the budgets of the workspace and of `launcher`'s key, with this UTC day's usage and reservations. */
export async function readBudgets(
  db: Kysely<Database>,
  workspaceId: string,
  { budgets }: WorkspaceSettings,
  slots: readonly Slot[],
  now: Date,
  launcher?: Pick<Launcher, 'keyId' | 'limits'>,
): Promise<BudgetState[]> {
  const { secondsPerRun, ...daily } = budgets;
  return [
    ...(secondsPerRun === undefined
      ? []
      : [
          {
            of: 'workspace',
            budget: 'secondsPerRun',
            limit: secondsPerRun,
            used: 0,
            setAside: 0,
            left: secondsPerRun,
          } as const,
        ]),
    ...(await readDaily(db, { of: 'workspace', budgets: daily, workspaceId, slots, now })),
    ...(launcher?.limits
      ? await readDaily(db, {
          of: 'key',
          budgets: keyBudgets(launcher.limits),
          workspaceId,
          keyId: launcher.keyId,
          slots,
          now,
        })
      : []),
  ];
}

/** A key that may place no calls may not ask the language model either, unless its limits allow it. */
function keyBudgets({ numbers, ...budgets }: KeyLimits): Budgets {
  const callsNothing = budgets.callsPerDay === 0 || budgets.secondsPerDay === 0 || numbers?.length === 0;
  return callsNothing ? { tokensPerDay: 0, ...budgets } : budgets;
}

interface Daily {
  readonly of: BudgetState['of'];
  readonly budgets: Omit<Budgets, 'secondsPerRun'>;
  readonly workspaceId: string;
  readonly keyId?: string;
  readonly slots: readonly Slot[];
  readonly now: Date;
}

async function readDaily(
  db: Kysely<Database>,
  { of, budgets, workspaceId, keyId, slots, now }: Daily,
): Promise<BudgetState[]> {
  if (Object.keys(budgets).length === 0) return [];
  const { used, setAside } = await readDay(db, { workspaceId, ...(keyId !== undefined && { keyId }), slots, now });
  return (['secondsPerDay', 'callsPerDay', 'costPerDay', 'tokensPerDay'] as const).flatMap((budget) => {
    const limit = budgets[budget];
    return limit === undefined
      ? []
      : [
          {
            of,
            budget,
            limit,
            used: used[budget],
            setAside: setAside[budget],
            left: Math.max(0, limit - used[budget] - setAside[budget]),
          },
        ];
  });
}

type OfDay = Readonly<Record<Exclude<BudgetName, 'secondsPerRun'>, number>>;

/** Returns the usage of calls on this UTC day and the reservations of active ones, for the workspace or one key. */
export async function readDay(
  db: Kysely<Database>,
  { workspaceId, keyId, slots, now }: Pick<Daily, 'workspaceId' | 'keyId' | 'slots' | 'now'>,
): Promise<{ readonly used: OfDay; readonly setAside: OfDay }> {
  let query = db
    .selectFrom('ledger')
    .select(({ fn }) => [
      fn.sum<number | string | null>('seconds').as('seconds'),
      fn.sum<number | string | null>('calls').as('calls'),
      fn.sum<number | string | null>('cost').as('cost'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('at', '>=', dayOf(now));
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  const used = await query.executeTakeFirstOrThrow();
  let asked = db
    .selectFrom('model_tokens')
    .select(({ fn }) => fn.sum<number | string | null>('tokens').as('tokens'))
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', dayOf(now));
  if (keyId !== undefined) asked = asked.where('key_id', '=', keyId);
  const { tokens } = await asked.executeTakeFirstOrThrow();
  const own = keyId === undefined ? slots : slots.filter((slot) => slot.key_id === keyId);
  const sum = (reserved: (slot: Slot) => number): number => own.reduce((total, slot) => total + reserved(slot), 0);
  return {
    used: {
      secondsPerDay: Number(used.seconds),
      callsPerDay: Number(used.calls),
      costPerDay: Number(used.cost),
      tokensPerDay: Number(tokens),
    },
    setAside: {
      secondsPerDay: sum(secondsSetAside),
      callsPerDay: sum((slot) => slot.calls_at_most),
      costPerDay: sum((slot) => costOf(secondsSetAside(slot), slot.cost_per_minute)),
      // A question is charged in full before it is asked.
      tokensPerDay: 0,
    },
  };
}

/** The planned usage, limited to the available minutes. */
const secondsSetAside = ({ seconds_at_most: planned, reserved_seconds: reserved }: Slot): number =>
  Math.min(planned, reserved ?? Infinity);

const wantedOf = ({
  calls,
  seconds,
  secondsOfRun,
  costPerMinute,
}: WantedCalls): Readonly<Record<BudgetName, number>> => ({
  secondsPerRun: secondsOfRun,
  secondsPerDay: seconds,
  callsPerDay: calls,
  costPerDay: costOf(seconds, costPerMinute),
  tokensPerDay: 0,
});

/** A sum of parts can exceed the whole by this much. */
const rounding = 1e-6;

interface WantedTokens extends Pick<Daily, 'workspaceId' | 'now'> {
  readonly settings: WorkspaceSettings;
  /** The tier's limit per day. */
  readonly tierTokens: number | undefined;
  readonly launcher?: Pick<Launcher, 'keyId' | 'limits'>;
  readonly tokens: number;
}

/**
 * Refuses a question to the language model that might use more tokens than the tier, the workspace or the key has left.
 * @throws HumanError 402 `budget_exceeded`
 */
export async function assertTokenBudget(
  db: Kysely<Database>,
  { workspaceId, settings, tierTokens, launcher, tokens, now }: WantedTokens,
): Promise<void> {
  const ofTier = await readDaily(db, {
    of: 'tier',
    budgets: { ...(tierTokens !== undefined && { tokensPerDay: tierTokens }) },
    workspaceId,
    slots: [],
    now,
  });
  const states = [...ofTier, ...(await readBudgets(db, workspaceId, settings, [], now, launcher))];
  const short = states.find(({ budget, left }) => budget === 'tokensPerDay' && tokens > left);
  if (short) throw exceeded(short, tokens, settings.currency, now);
}

/** Refuses usage that might exceed a budget. @throws HumanError 402 `budget_exceeded` */
export function assertBudget(
  states: readonly BudgetState[],
  wanted: WantedCalls,
  { currency }: WorkspaceSettings,
  now: Date,
): void {
  for (const state of states) {
    const asked = wantedOf(wanted)[state.budget];
    if (asked > 0 && asked > state.left + rounding) throw exceeded(state, asked, currency, now);
  }
}

export const dayOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

const units: Readonly<Record<Exclude<BudgetName, 'costPerDay'>, string>> = {
  secondsPerRun: 's of call time',
  secondsPerDay: 's of call time',
  callsPerDay: 'calls',
  tokensPerDay: 'tokens of the language model',
};
const owners: Readonly<Record<BudgetState['of'], string>> = {
  workspace: 'workspace',
  key: 'API key',
  tier: "workspace's tier",
};

function exceeded(
  { of, budget, limit, used, setAside, left }: BudgetState,
  wanted: number,
  currency: string,
  now: Date,
): HumanError {
  const amount = (value: number): string => {
    const shown = Math.round(value * 100) / 100;
    const unit = budget === 'costPerDay' ? currency : units[budget];
    return `${String(shown)} ${shown === 1 ? unit.replace(/^(call|token)s/, '$1') : unit}`;
  };
  const tomorrow = new Date(dayOf(now).getTime() + 86_400_000);
  const daily = budget !== 'secondsPerRun';
  const places = budget === 'costPerDay' ? 100 : 1;
  const ways = [
    ...(setAside > 0 && wanted <= limit - used ? ['wait for runs in progress to end'] : []),
    ...(daily && wanted <= limit ? ['try again tomorrow'] : []),
    of === 'tier'
      ? 'ask the operator of this server for another tier'
      : `${of === 'key' ? 'ask the person responsible for its calls to ' : ''}raise the budget to ${amount(Math.ceil((used + setAside + wanted - rounding) * places) / places)} or more (${of === 'key' ? 'updateApiKey' : 'updateWorkspaceSettings'})`,
  ];
  const message = `${
    daily
      ? `This request may use up to ${amount(wanted)}, but the budget ${budget} of this ${owners[of]} (${amount(limit)}) has only ${amount(left)} left: ${amount(used)} used today (UTC), ${amount(setAside)} reserved for runs in progress.`
      : `A run may use up to ${amount(wanted)}, but the budget ${budget} of this workspace is ${amount(limit)}.`
  } You can ${ways.join(', or ')}.`;
  return new HumanError(message, {
    status: 402,
    code: 'budget_exceeded',
    details: { of, budget, limit, used, setAside, left, wanted, ...(daily && { renewedAt: tomorrow.toISOString() }) },
  });
}
