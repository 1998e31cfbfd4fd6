import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { BudgetName, WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import { costOf } from '../../model/callBudget.ts';
import type { CallBudget } from '../../model/callBudget.ts';
import type { Database } from '../store/schema.ts';

/** What calls may take at most, with the rate of their route where it has one. */
export interface WantedCalls extends CallBudget { readonly costPerMinute?: number | undefined }

/** One budget of the workspace: seconds, calls, or money. */
interface BudgetState { readonly budget: BudgetName; readonly limit: number; readonly used: number; readonly setAside: number; readonly left: number }

/** The budgets that are set, with what this UTC day has used of them and what runs in flight may still take. */
export async function readBudgets(db: Kysely<Database>, workspaceId: string, { budgets }: WorkspaceSettings, slots: readonly Selectable<Database['slots']>[], now: Date): Promise<BudgetState[]> {
  const { secondsPerRun, ...daily } = budgets;
  const states: BudgetState[] = secondsPerRun === undefined ? [] : [{ budget: 'secondsPerRun', limit: secondsPerRun, used: 0, setAside: 0, left: secondsPerRun }];
  if (Object.keys(daily).length === 0) return states;
  const used = await db.selectFrom('ledger').select(({ fn }) => [fn.sum<number | string | null>('seconds').as('seconds'), fn.sum<number | string | null>('calls').as('calls'), fn.sum<number | string | null>('cost').as('cost')])
    .where('workspace_id', '=', workspaceId).where('at', '>=', dayOf(now)).executeTakeFirstOrThrow();
  const add = (budget: BudgetName, spent: number | string | null, reserved: (slot: Selectable<Database['slots']>) => number): void => {
    const limit = budgets[budget];
    if (limit === undefined) return;
    const setAside = slots.reduce((sum, slot) => sum + reserved(slot), 0);
    states.push({ budget, limit, used: Number(spent), setAside, left: limit - Number(spent) - setAside });
  };
  add('secondsPerDay', used.seconds, secondsSetAside);
  add('callsPerDay', used.calls, (slot) => slot.calls_at_most);
  add('costPerDay', used.cost, (slot) => costOf(secondsSetAside(slot), slot.cost_per_minute));
  return states;
}

/** Of what was planned, no more than there are minutes for. */
const secondsSetAside = ({ seconds_at_most: planned, reserved_seconds: reserved }: Selectable<Database['slots']>): number => Math.min(planned, reserved ?? Infinity);

const wantedOf = ({ calls, seconds, secondsOfRun, costPerMinute }: WantedCalls): Readonly<Record<BudgetName, number>> => ({
  secondsPerRun: secondsOfRun, secondsPerDay: seconds, callsPerDay: calls, costPerDay: costOf(seconds, costPerMinute),
});

/** A sum of parts may come out so much above the whole. */
const rounding = 1e-6;

/** Refuses what might take more than some budget has left. @throws HumanError 402 `budget_exceeded` */
export function demandBudget(states: readonly BudgetState[], wanted: WantedCalls, { currency }: WorkspaceSettings, now: Date): void {
  for (const state of states) {
    const asked = wantedOf(wanted)[state.budget];
    if (asked > 0 && asked > state.left + rounding) throw exceeded(state, asked, currency, now);
  }
}

const dayOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

function exceeded({ budget, limit, used, setAside, left }: BudgetState, wanted: number, currency: string, now: Date): HumanError {
  const amount = (value: number): string => `${String(Math.round(Math.max(0, value) * 100) / 100)} ${budget === 'costPerDay' ? currency : budget === 'callsPerDay' ? 'calls' : 's of calls'}`;
  const tomorrow = new Date(dayOf(now).getTime() + 86_400_000);
  const daily = budget !== 'secondsPerRun';
  const places = budget === 'costPerDay' ? 100 : 1;
  const ways = [
    ...(setAside > 0 && wanted <= limit - used ? ['wait for them to end'] : []), ...(daily && wanted <= limit ? ['run it tomorrow'] : []),
    `raise the budget to ${amount(Math.ceil((used + setAside + wanted - rounding) * places) / places)} or more (updateWorkspaceSettings)`,
  ];
  const message = `${daily
    ? `This may take ${amount(wanted)}, and of the budget ${budget} of this workspace (${amount(limit)}) ${amount(left)} are left: ${amount(used)} are used today (UTC), ${amount(setAside)} set aside for runs in flight.`
    : `A run of this may take ${amount(wanted)}, and the budget ${budget} of this workspace is ${amount(limit)}.`} You can ${ways.join(', or ')}.`;
  return new HumanError(message, { status: 402, code: 'budget_exceeded', details: { budget, limit, used, setAside, left, wanted, ...(daily && { renewedAt: tomorrow.toISOString() }) } });
}
