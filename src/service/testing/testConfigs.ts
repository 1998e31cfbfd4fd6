import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { OperationArguments } from '../../contract/operations.ts';
import { testStepSchema } from '../../contract/testConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { changeOwn, demand, insertOwn, profileOf } from '../workspaces/owned.ts';
import { isTakenIn } from './testIds.ts';
import { demandVersion, editedAt, lockVersion } from './version.ts';

type Row = Selectable<Database['test_configs']>;
const what = 'scripted test';
const defaultLanguage = 'en-US';

/** Saved scripted tests. */
export class TestConfigs {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  async create(workspaceId: string, input: OperationArguments<'createTestConfig'>): Promise<TestConfig> {
    const now = this.#now();
    const profileId = await profileOf(this.#store, workspaceId, input.profileId);
    const row = await insertOwn(this.#store, async (transaction) =>
      (await isTakenIn(transaction, 'mission_configs', input.id))
        ? undefined
        : transaction
            .insertInto('test_configs')
            .values({
              id: input.id ?? randomUUID(),
              workspace_id: workspaceId,
              name: input.name,
              description: input.description ?? null,
              phone_number: input.phoneNumber,
              language: input.language ?? defaultLanguage,
              steps: JSON.stringify(input.steps),
              rows: input.rows ? JSON.stringify(input.rows) : null,
              profile_id: profileId,
              tags: JSON.stringify([...new Set(input.tags)]),
              created_at: now,
              updated_at: now,
              from_file: input.fromFile ?? false,
            })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .returningAll()
            .executeTakeFirst(),
    );
    return toConfig(row);
  }

  async get(workspaceId: string, id: string): Promise<TestConfig> {
    return toConfig(
      demand(
        await this.#store.db
          .selectFrom('test_configs')
          .selectAll()
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirst(),
        what,
      ),
    );
  }

  /** As it stands, which is the version that the caller means. */
  async getVersion(workspaceId: string, id: string, expectedUpdatedAt: string | undefined): Promise<TestConfig> {
    const config = await this.get(workspaceId, id);
    demandVersion(what, new Date(config.updatedAt), expectedUpdatedAt);
    return config;
  }

  async list(workspaceId: string): Promise<TestConfig[]> {
    const rows = await this.#store.db
      .selectFrom('test_configs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toConfig);
  }

  async update(
    workspaceId: string,
    { id, expectedUpdatedAt, ...input }: OperationArguments<'updateTestConfig'>,
  ): Promise<TestConfig> {
    const profileId =
      input.profileId === undefined ? undefined : await profileOf(this.#store, workspaceId, input.profileId);
    return toConfig(
      await changeOwn(this.#store, what, async (transaction) => {
        await lockVersion(transaction, 'test_configs', what, { workspaceId, id, expected: expectedUpdatedAt });
        return transaction
          .updateTable('test_configs')
          .set({
            ...(input.name !== undefined && { name: input.name }),
            ...(input.description !== undefined && { description: input.description }),
            ...(input.phoneNumber !== undefined && { phone_number: input.phoneNumber }),
            ...(input.language !== undefined && { language: input.language }),
            ...(input.steps && { steps: JSON.stringify(input.steps) }),
            ...(input.rows !== undefined && { rows: input.rows && JSON.stringify(input.rows) }),
            ...(profileId !== undefined && { profile_id: profileId }),
            ...(input.tags && { tags: JSON.stringify([...new Set(input.tags)]) }),
            updated_at: editedAt(this.#now()),
            from_file: input.fromFile ?? false,
          })
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .returningAll()
          .executeTakeFirst();
      }),
    );
  }

  async remove(workspaceId: string, id: string): Promise<void> {
    await changeOwn(this.#store, what, (transaction) =>
      transaction
        .deleteFrom('test_configs')
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .returning('id')
        .executeTakeFirst(),
    );
  }
}

const toConfig = (row: Row): TestConfig => ({
  id: row.id,
  name: row.name,
  phoneNumber: row.phone_number,
  language: row.language,
  type: row.rows === null ? 'standard' : 'param',
  steps: row.steps.map((step) => testStepSchema.parse(step)),
  profileId: row.profile_id,
  tags: row.tags,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.description !== null && { description: row.description }),
  ...(row.from_file && { fromFile: true }),
  ...(row.rows !== null && { rows: row.rows }),
});
