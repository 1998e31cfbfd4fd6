import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { ListMissionTestConfigs, MissionTestConfig, MissionTestConfigRow } from '../../contract/missionConfigs.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import { readPage } from '../lists/keyset.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { assertCreatedByKey } from '../workspaces/authors.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { changeOwn, demand, insertOwn } from '../workspaces/owned.ts';
import { profileOf } from '../workspaces/profiles.ts';
import { isTakenIn } from './testIds.ts';
import { assertVersion, differing, editedAt } from '../store/editedRow.ts';

type Row = Selectable<Database['mission_configs']>;
const what = 'mission test';

/** Saved mission tests. */
export class MissionConfigs {
  readonly #store: Store;
  readonly #signer: Signer;
  readonly #now: () => Date;

  constructor(store: Store, signer: Signer, now: () => Date) {
    this.#store = store;
    this.#signer = signer;
    this.#now = now;
  }

  async create(
    { workspaceId, keyId }: Launcher,
    input: OperationArguments<'createMissionTestConfig'>,
  ): Promise<MissionTestConfig> {
    const now = this.#now();
    const profileId = await profileOf(this.#store.db, workspaceId, input.profileId);
    const row = await insertOwn(
      this.#store,
      workspaceId,
      async (transaction) =>
        (await isTakenIn(transaction, 'test_configs', workspaceId, input.id))
          ? undefined
          : transaction
              .insertInto('mission_configs')
              .values({
                id: input.id ?? randomUUID(),
                workspace_id: workspaceId,
                made_by: keyId,
                name: input.name,
                description: input.description ?? null,
                phone_number: input.phoneNumber,
                sector: input.sector ?? null,
                mission: input.mission,
                acceptance: input.acceptance,
                profile_id: profileId,
                tags: JSON.stringify([...new Set(input.tags)]),
                created_at: now,
                updated_at: now,
                from_file: input.fromFile ?? false,
                votes: input.votes ?? null,
                max_turns: input.maxTurns ?? null,
                max_seconds: input.maxSeconds ?? null,
              })
              .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
              .returningAll()
              .executeTakeFirst(),
      () => ({ missionTests: 1 }),
    );
    return toConfig(row);
  }

  async get(workspaceId: string, id: string): Promise<MissionTestConfig> {
    return toConfig(
      demand(
        await this.#store.db
          .selectFrom('mission_configs')
          .selectAll()
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirst(),
        what,
      ),
    );
  }

  async list(workspaceId: string, input: ListMissionTestConfigs): Promise<OperationOutput<'listMissionTestConfigs'>> {
    let query = this.#store.db.selectFrom('mission_configs').selectAll().where('workspace_id', '=', workspaceId);
    // Not a wildcard: "position" compares character by character.
    if (input.name !== undefined) query = query.where(sql<boolean>`position(${input.name}::text in name) > 0`);
    if (input.phoneNumber !== undefined) query = query.where('phone_number', '=', input.phoneNumber);
    if (input.sector !== undefined) query = query.where('sector', '=', input.sector);
    if (input.profileId !== undefined) query = query.where('profile_id', '=', input.profileId);
    if (input.tag !== undefined) query = query.where(sql<boolean>`tags @> ${JSON.stringify([input.tag])}::jsonb`);
    if (input.createdAfter !== undefined) query = query.where('created_at', '>', new Date(input.createdAfter));
    if (input.createdBefore !== undefined) query = query.where('created_at', '<', new Date(input.createdBefore));
    const { rows, nextCursor } = await readPage<Row>(query, {
      signer: this.#signer,
      scope: `${workspaceId} missions ${input.sort}`,
      direction: input.sortDir,
      limit: input.limit,
      cursor: input.cursor,
      id: sql.ref('id'),
      ...(input.sort === 'name'
        ? { type: 'text' as const, key: sql.ref('name'), keyOf: (row: Row) => row.name }
        : { type: 'time' as const, key: sql.ref('created_at'), keyOf: (row: Row) => row.created_at.toISOString() }),
    });
    return {
      items: rows.map((row): MissionTestConfigRow => {
        const { mission: _mission, acceptance: _acceptance, ...slim } = toConfig(row);
        return slim;
      }),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  async update(
    author: Launcher,
    { id, expectedUpdatedAt, ...input }: OperationArguments<'updateMissionTestConfig'>,
  ): Promise<MissionTestConfig> {
    const { workspaceId } = author;
    const profileId =
      input.profileId === undefined ? undefined : await profileOf(this.#store.db, workspaceId, input.profileId);
    return toConfig(
      await changeOwn(this.#store, what, async (transaction) => {
        const storedRow = await transaction
          .selectFrom('mission_configs')
          .selectAll()
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .forUpdate()
          .executeTakeFirst();
        if (!storedRow) return undefined;
        assertCreatedByKey(author, storedRow.made_by);
        assertVersion(what, storedRow.updated_at, expectedUpdatedAt);
        const { tags, ...others } = differing(storedRow, {
          name: input.name,
          description: input.description,
          phone_number: input.phoneNumber,
          sector: input.sector,
          mission: input.mission,
          acceptance: input.acceptance,
          profile_id: profileId,
          tags: input.tags && [...new Set(input.tags)],
          votes: input.votes,
          max_turns: input.maxTurns,
          max_seconds: input.maxSeconds,
          from_file: input.fromFile,
        });
        const changes = { ...others, ...(tags && { tags: JSON.stringify(tags) }) };
        if (Object.keys(changes).length === 0) return storedRow;
        return transaction
          .updateTable('mission_configs')
          .set({ from_file: input.fromFile ?? false, ...changes, updated_at: editedAt(this.#now()) })
          .where('id', '=', id)
          .where('workspace_id', '=', workspaceId)
          .returningAll()
          .executeTakeFirst();
      }),
    );
  }

  async remove(author: Launcher, id: string): Promise<void> {
    await changeOwn(this.#store, what, async (transaction) => {
      const held = await transaction
        .selectFrom('mission_configs')
        .select('made_by')
        .where('id', '=', id)
        .where('workspace_id', '=', author.workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!held) return undefined;
      assertCreatedByKey(author, held.made_by);
      await transaction
        .deleteFrom('mission_configs')
        .where('id', '=', id)
        .where('workspace_id', '=', author.workspaceId)
        .execute();
      return held;
    });
  }
}

const toConfig = (row: Row): MissionTestConfig => ({
  id: row.id,
  name: row.name,
  phoneNumber: row.phone_number,
  mission: row.mission,
  acceptance: row.acceptance,
  profileId: row.profile_id,
  tags: row.tags,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.description !== null && { description: row.description }),
  ...(row.from_file && { fromFile: true }),
  ...(row.sector !== null && { sector: row.sector }),
  ...(row.votes !== null && { votes: row.votes }),
  ...(row.max_turns !== null && { maxTurns: row.max_turns }),
  ...(row.max_seconds !== null && { maxSeconds: row.max_seconds }),
});
