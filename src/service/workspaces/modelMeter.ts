import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { tiers } from '../../contract/limits.ts';
import type { WorkspaceSettings } from '../../contract/workspaceSettings.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { dayOf, assertTokenBudget } from './budgets.ts';
import { lockWorkspace } from './keys.ts';
import { readSettings } from './settings.ts';

/** Whose tokens a question uses. Without a key, it counts only for the workspace. */
interface Payer {
  readonly workspaceId: string;
  readonly keyId?: string | undefined;
}

/**
 * The only access from the service to the language model. Each request to the model's endpoint is charged to a
 * workspace and a key before it is sent, with its maximum usage, and corrected when its real size is known. After a
 * crash in between, the larger charge remains.
 */
export class ModelMeter {
  readonly #store: Store;
  readonly #model: LanguageModel;
  readonly #now: () => Date;

  constructor(store: Store, model: LanguageModel, now: () => Date) {
    this.#store = store;
    this.#model = model;
    this.#now = now;
  }

  /** Its asks reject with HumanError 402 `budget_exceeded` if the payer has too few tokens left. */
  for(payer: Payer): LanguageModel {
    const { name } = this.#model;
    return {
      name,
      ask: (ask) => this.#model.ask({ ...ask, charge: (tokens) => this.#charge(payer, tokens) }),
    };
  }

  /** For the key that launched a run, whether the run is active or has ended. */
  async forRun(workspaceId: string, runId: string): Promise<LanguageModel> {
    const { db } = this.#store;
    const row =
      (await db.selectFrom('slots').select('key_id').where('run_id', '=', runId).executeTakeFirst()) ??
      (await db.selectFrom('ledger').select('key_id').where('run_id', '=', runId).executeTakeFirst());
    return this.for({ workspaceId, keyId: row?.key_id ?? undefined });
  }

  /** Refuses a launch that couldn't ask anything. @throws HumanError 402 `budget_exceeded` */
  async assertTokensLeft(payer: Payer): Promise<void> {
    await demand(this.#store.db, payer, 1, this.#now());
  }

  async #charge(payer: Payer, tokens: number): Promise<(spent: number) => Promise<void>> {
    const now = this.#now();
    await this.#store.writeUnguarded(async (transaction) => {
      await lockWorkspace(transaction, payer.workspaceId);
      await demand(transaction, payer, tokens, now);
      await add(transaction, payer, tokens, now);
    });
    return (spent) =>
      this.#store.writeUnguarded(async (transaction) => {
        await add(transaction, payer, spent - tokens, now);
      });
  }
}

async function demand(db: Kysely<Database>, { workspaceId, keyId }: Payer, tokens: number, now: Date): Promise<void> {
  const workspace = await db
    .selectFrom('workspaces')
    .select(['tier', 'unlimited'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const key =
    keyId === undefined
      ? undefined
      : await db.selectFrom('api_keys').select('limits').where('id', '=', keyId).executeTakeFirst();
  await assertTokenBudget(db, {
    workspaceId,
    settings: await readSettings(db, workspaceId),
    tierTokens: tierTokens(workspace),
    ...(keyId !== undefined && key?.limits && { launcher: { keyId, limits: key.limits } }),
    tokens,
    now,
  });
}

/** An unlimited workspace brings its own model. */
const tierTokens = ({ tier, unlimited }: Pick<WorkspaceRow, 'tier' | 'unlimited'>): number | undefined =>
  unlimited ? undefined : tiers[tier].modelTokensPerDay;

interface WorkspaceRow {
  readonly tier: keyof typeof tiers;
  readonly unlimited: boolean;
}

/** Returns the tokens per UTC day that a workspace may use, by its tier and budget; undefined without a limit. */
export function tokensPerDay(workspace: WorkspaceRow, { budgets }: WorkspaceSettings): number | undefined {
  const bounds = [tierTokens(workspace), budgets.tokensPerDay].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

const add = (db: Kysely<Database>, { workspaceId, keyId }: Payer, tokens: number, now: Date): Promise<unknown> =>
  db
    .insertInto('model_tokens')
    .values({ workspace_id: workspaceId, key_id: keyId ?? '', day: dayOf(now), tokens })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'day', 'key_id'])
        .doUpdateSet({ tokens: sql<number>`greatest(0, model_tokens.tokens + excluded.tokens)` }),
    )
    .execute();
