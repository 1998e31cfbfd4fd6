import { randomUUID } from 'node:crypto';
import type { Selectable, Updateable } from 'kysely';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import { defaultLanguage, testStepSchema } from '../../contract/testConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { assertCreatedByKey } from '../workspaces/authors.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { changeOwn, demand, insertOwn } from '../workspaces/owned.ts';
import { assertQuota } from '../workspaces/quotas.ts';
import { profileOf } from '../workspaces/profiles.ts';
import { isTakenIn } from './testIds.ts';
import { assertColumns } from './planValues.ts';
import { assertVersion, differing, editedAt } from '../store/editedRow.ts';

type Row = Selectable<Database['test_configs']>;
const what = 'scripted test';

/** Saved scripted tests. */
export class TestConfigs {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  async create({ workspaceId, keyId }: Launcher, input: OperationArguments<'createTestConfig'>): Promise<TestConfig> {
    assertColumns(input);
    const now = this.#now();
    const profileId = await profileOf(this.#store.db, workspaceId, input.profileId);
    const row = await insertOwn(
      this.#store,
      workspaceId,
      async (transaction) =>
        (await isTakenIn(transaction, 'mission_configs', workspaceId, input.id))
          ? undefined
          : transaction
              .insertInto('test_configs')
              .values({
                id: input.id ?? randomUUID(),
                workspace_id: workspaceId,
                made_by: keyId,
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
              .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
              .returningAll()
              .executeTakeFirst(),
      ({ bytes }) => ({ tests: 1, testBytes: bytes }),
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

  /** All of them, newest first. */
  async list(workspaceId: string): Promise<OperationOutput<'listTestConfigs'>> {
    const rows = await this.#store.db
      .selectFrom('test_configs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return { items: rows.map(toConfig) };
  }

  async update(
    author: Launcher,
    { id, expectedUpdatedAt, ...input }: OperationArguments<'updateTestConfig'>,
  ): Promise<TestConfig> {
    const { workspaceId } = author;
    const profileId =
      input.profileId === undefined ? undefined : await profileOf(this.#store.db, workspaceId, input.profileId);
    return toConfig(
      await changeOwn(this.#store, what, async (transaction) => {
        const workspace = await lockWorkspace(transaction, workspaceId);
        const storedRow = await transaction
          .selectFrom('test_configs')
          .selectAll()
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .forUpdate()
          .executeTakeFirst();
        if (!storedRow) return undefined;
        assertCreatedByKey(author, storedRow.made_by);
        assertVersion(what, storedRow.updated_at, expectedUpdatedAt);
        if (input.steps || input.rows !== undefined)
          assertColumns({
            steps: input.steps ?? toConfig(storedRow).steps,
            rows: (input.rows === undefined ? storedRow.rows : input.rows) ?? undefined,
          });
        const changes = changesTo(storedRow, input, profileId);
        if (Object.keys(changes).length === 0) return storedRow;
        const row = await transaction
          .updateTable('test_configs')
          .set({ from_file: input.fromFile ?? false, ...changes, updated_at: editedAt(this.#now()) })
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .returningAll()
          .executeTakeFirst();
        const grown = row ? row.bytes - storedRow.bytes : 0;
        // A test that shrinks is always accepted, because it frees space.
        if (grown > 0) await assertQuota(transaction, workspace, { testBytes: grown });
        return row;
      }),
    );
  }

  async remove(author: Launcher, id: string): Promise<void> {
    await changeOwn(this.#store, what, async (transaction) => {
      const held = await transaction
        .selectFrom('test_configs')
        .select('made_by')
        .where('id', '=', id)
        .where('workspace_id', '=', author.workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!held) return undefined;
      assertCreatedByKey(author, held.made_by);
      await transaction
        .deleteFrom('test_configs')
        .where('id', '=', id)
        .where('workspace_id', '=', author.workspaceId)
        .execute();
      return held;
    });
  }
}

/** Returns the columns that an edit changes, as they are written. */
function changesTo(
  held: Row,
  input: Omit<OperationArguments<'updateTestConfig'>, 'id' | 'expectedUpdatedAt'>,
  profileId: string | undefined,
): Updateable<Database['test_configs']> {
  const { steps, rows, tags, ...others } = differing(held, {
    name: input.name,
    description: input.description,
    phone_number: input.phoneNumber,
    language: input.language,
    steps: input.steps,
    rows: input.rows,
    profile_id: profileId,
    tags: input.tags && [...new Set(input.tags)],
    from_file: input.fromFile,
  });
  return {
    ...others,
    ...withoutUndefined({
      steps: steps && JSON.stringify(steps),
      rows: rows && JSON.stringify(rows),
      tags: tags && JSON.stringify(tags),
    }),
  };
}

const toConfig = (row: Row): TestConfig => ({
  id: row.id,
  name: row.name,
  phoneNumber: row.phone_number,
  language: row.language,
  type: row.rows === null ? 'standard' : 'param',
  profileId: row.profile_id,
  tags: row.tags,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  steps: row.steps.map((step) => testStepSchema.parse(step)),
  ...(row.description !== null && { description: row.description }),
  ...(row.from_file && { fromFile: true }),
  ...(row.rows !== null && { rows: row.rows }),
});
