import type { Kysely, Selectable } from 'kysely';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { tiers } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { BudgetName, Budgets, WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import { costOf } from '../../model/calls/callBudget.ts';
import type { Database } from '../store/schema.ts';
import type { OperatorContact } from './operatorContact.ts';
import type { Launcher } from './principal.ts';
import { readWorkspaceSettings } from './settings.ts';

export type Workspace = Selectable<Database['workspaces']>;
type SlotRow = Selectable<Database['slots']>;

/** Whose limit it is. */
export type LimitOwner = 'workspace' | 'key' | 'tier';

/** What a limit allows, what has been used of it, and what active runs hold. */
export interface Reading {
  readonly limit: number;
  readonly used: number;
  readonly held: number;
}

/** What is neither used nor held. Nothing, if more was used than the limit allows. */
export const freeOf = ({ limit, used, held }: Reading): number => Math.max(0, limit - used - held);

/** A sum of parts can exceed the whole by this much. */
export const rounding = 1e-6;

export const dailyBudgets = ['secondsPerDay', 'callsPerDay', 'costPerDay', 'tokensPerDay'] as const;
type OfDay = Readonly<Record<Exclude<BudgetName, 'secondsPerRun'>, number>>;

/** How a workspace can get minutes on this server. */
export interface MinutesAdvice {
  /** The operator's contact. */
  readonly contact?: OperatorContact | undefined;
  /** Whether this server can verify people, who bring free minutes. */
  readonly sendsCodes?: boolean | undefined;
}

export interface AccountOptions extends MinutesAdvice {
  /** The owner of the calls. They count for the key, and for its own budgets if it has any. */
  readonly launcher?: Pick<Launcher, 'keyId' | 'limits'> | undefined;
}

/**
 * What a workspace, and the key of a launch, have used and hold. Reads each of them once, so an account is for one
 * request. The figures are exact while the workspace is locked.
 */
export class Account {
  readonly db: Kysely<Database>;
  readonly workspace: Workspace;
  readonly now: Date;
  readonly launcher: AccountOptions['launcher'];
  readonly advice: MinutesAdvice;
  readonly settings: () => Promise<WorkspaceSettings>;
  /** Returns the slots of all uncounted runs, also of crashed processes, because their possible usage stays held. */
  readonly slots: () => Promise<readonly SlotRow[]>;
  /** Returns what calls of this UTC day have used, and what active runs hold: of the workspace, or only of the key. */
  readonly today: () => Promise<Day>;
  readonly keyToday: () => Promise<Day>;

  constructor(
    db: Kysely<Database>,
    workspace: Workspace,
    now: Date,
    { launcher, contact, sendsCodes }: AccountOptions = {},
  ) {
    this.db = db;
    this.workspace = workspace;
    this.now = now;
    this.launcher = launcher;
    this.advice = { contact, sendsCodes };
    this.settings = once(() => readWorkspaceSettings(db, workspace.id));
    this.slots = once(() => db.selectFrom('slots').selectAll().where('workspace_id', '=', workspace.id).execute());
    this.today = once(() => this.#readDay());
    this.keyToday = once(() => this.#readDay(launcher?.keyId));
  }

  async budgetsOf(owner: LimitOwner): Promise<Budgets> {
    switch (owner) {
      case 'tier':
        // An unlimited workspace brings its own model.
        return this.workspace.unlimited ? {} : { tokensPerDay: tiers[this.workspace.tier].modelTokensPerDay };
      case 'workspace':
        return (await this.settings()).budgets;
      case 'key':
        return this.launcher?.limits ? budgetsOfKey(this.launcher.limits) : {};
    }
  }

  /** Returns the runs that count towards the tier's ceiling. */
  async activeRuns(): Promise<number> {
    return (await this.slots()).filter((slot) => slot.pool !== 'loadTesting' && slot.expires_at > this.now).length;
  }

  /** Returns the seconds of a pool that active runs hold. */
  async heldSeconds(pool: Pool): Promise<number> {
    return (await this.slots()).reduce((sum, slot) => sum + (slot.pool === pool ? (slot.reserved_seconds ?? 0) : 0), 0);
  }

  async #readDay(keyId?: string): Promise<Day> {
    const day = dayOf(this.now);
    let ledger = this.db
      .selectFrom('ledger')
      .select(({ fn }) => [
        fn.sum<number | string | null>('seconds').as('seconds'),
        fn.sum<number | string | null>('calls').as('calls'),
        fn.sum<number | string | null>('cost').as('cost'),
      ])
      .where('workspace_id', '=', this.workspace.id)
      .where('at', '>=', day);
    let questions = this.db
      .selectFrom('model_tokens')
      .select(({ fn }) => fn.sum<number | string | null>('tokens').as('tokens'))
      .where('workspace_id', '=', this.workspace.id)
      .where('day', '=', day);
    if (keyId !== undefined) {
      ledger = ledger.where('key_id', '=', keyId);
      questions = questions.where('key_id', '=', keyId);
    }
    const used = await ledger.executeTakeFirstOrThrow();
    const { tokens } = await questions.executeTakeFirstOrThrow();
    const slots = (await this.slots()).filter((slot) => keyId === undefined || slot.key_id === keyId);
    const sum = (held: (slot: SlotRow) => number): number => slots.reduce((total, slot) => total + held(slot), 0);
    return {
      used: {
        secondsPerDay: Number(used.seconds),
        callsPerDay: Number(used.calls),
        costPerDay: Number(used.cost),
        tokensPerDay: Number(tokens),
      },
      held: {
        secondsPerDay: sum(secondsHeldBy),
        callsPerDay: sum((slot) => slot.calls_at_most),
        costPerDay: sum((slot) => costOf(secondsHeldBy(slot), slot.cost_per_minute)),
        // A question is charged in full before it is asked.
        tokensPerDay: 0,
      },
    };
  }
}

interface Day {
  readonly used: OfDay;
  readonly held: OfDay;
}

function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= read());
}

/** A key that may place no calls may not ask the language model either, unless its limits allow it. */
function budgetsOfKey({ numbers, ...budgets }: KeyLimits): Budgets {
  const callsNothing = budgets.callsPerDay === 0 || budgets.secondsPerDay === 0 || numbers?.length === 0;
  return callsNothing ? { tokensPerDay: 0, ...budgets } : budgets;
}

/** The planned usage, limited to the available minutes. */
const secondsHeldBy = ({ seconds_at_most: planned, reserved_seconds: reserved }: SlotRow): number =>
  Math.min(planned, reserved ?? Infinity);

export const dayOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
