import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { Account, dayOf } from './account.ts';
import { lockWorkspace } from './keys.ts';
import { assertTokens } from './meters.ts';
import type { Launcher } from './principal.ts';

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

  async #charge(payer: Payer, tokens: number): Promise<(spent: number) => Promise<void>> {
    const now = this.#now();
    await this.#store.writeUnguarded(async (transaction) => {
      const workspace = await lockWorkspace(transaction, payer.workspaceId);
      const launcher = await launcherOf(transaction, payer);
      await assertTokens(new Account(transaction, workspace, now, { launcher }), tokens);
      await add(transaction, payer, tokens, now);
    });
    return (spent) =>
      this.#store.writeUnguarded(async (transaction) => {
        await add(transaction, payer, spent - tokens, now);
      });
  }
}

async function launcherOf(
  db: Kysely<Database>,
  { keyId }: Payer,
): Promise<Pick<Launcher, 'keyId' | 'limits'> | undefined> {
  if (keyId === undefined) return undefined;
  const key = await db.selectFrom('api_keys').select('limits').where('id', '=', keyId).executeTakeFirst();
  return { keyId, ...(key?.limits && { limits: key.limits }) };
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
