import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { ListMissionTestConfigs, MissionTestConfig, MissionTestConfigRow } from '../../contract/missionConfigs.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import { defaultLanguage, testStepSchema } from '../../contract/testConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import { readPage } from '../store/keyset.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database, MissionContent, ScriptContent } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { assertCreatedByKey } from '../workspaces/authors.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { lockWorkspace, readWorkspace } from '../workspaces/keys.ts';
import { changeOwn, demand, idTaken } from '../workspaces/owned.ts';
import { assertQuota, assertRoom } from '../workspaces/meters.ts';
import type { Amounts } from '../workspaces/meters.ts';
import { profileOf } from '../workspaces/profiles.ts';
import { assertColumns } from './planValues.ts';
import { assertVersion, editedAt } from '../store/editedRow.ts';

type SavedTestRow = Selectable<Database['tests']>;
const byCreation = {
  type: 'time' as const,
  id: sql.ref('id'),
  key: sql.ref('created_at'),
  keyOf: (row: SavedTestRow) => row.created_at.toISOString(),
};

/** The two kinds of saved tests: what is saved, what creates it, and what edits it. */
export interface TestKinds {
  readonly script: {
    readonly saved: TestConfig;
    readonly input: OperationArguments<'createTestConfig'>;
    readonly edit: OperationArguments<'updateTestConfig'>;
  };
  readonly mission: {
    readonly saved: MissionTestConfig;
    readonly input: OperationArguments<'createMissionTestConfig'>;
    readonly edit: OperationArguments<'updateMissionTestConfig'>;
  };
}
type Kind = keyof TestKinds;
type Input = TestKinds[Kind]['input'];
/** New values of members: these, and those of the content. */
type Edit = {
  readonly [Member in 'name' | 'phoneNumber' | 'profileId' | 'tags' | 'fromFile']?: Input[Member] | undefined;
};

const names: Readonly<Record<Kind, string>> = { script: 'scripted test', mission: 'mission test' };
const quotas = { script: 'tests', mission: 'missionTests' } as const;
const contents: Readonly<Record<Kind, readonly string[]>> = {
  script: ['description', 'language', 'steps', 'rows'],
  mission: ['description', 'sector', 'mission', 'acceptance', 'checks', 'votes', 'maxTurns', 'maxSeconds'],
};

export interface LaunchedTest<Of extends Kind> {
  readonly id: string;
  readonly test: Pick<TestKinds[Of]['saved'], 'name' | 'phoneNumber'> & TestKinds[Of]['input'];
  /** When it was last edited. Absent if the launch brings the test. */
  readonly updatedAt?: string;
  /** Rejects with HumanError 403, 404 or 409 if `save` would be refused now. */
  readonly assertCurrent: () => Promise<void>;
  /** Saves the test that the launch brings, in the transaction of the launch. */
  readonly save: (transaction: Transaction<Database>) => Promise<void>;
}

/** A launch means a saved test by its id, or brings the test itself. */
interface Meant<Of extends Kind> {
  readonly configId?: string | undefined;
  readonly test?: TestKinds[Of]['input'] | undefined;
  readonly expectedUpdatedAt?: string | undefined;
}

/** The saved tests of both kinds. Ids are unique across kinds, because a run names its test only by id. */
export class SavedTests {
  readonly #store: Store;
  readonly #signer: Signer;
  readonly #now: () => Date;

  constructor(store: Store, signer: Signer, now: () => Date) {
    this.#store = store;
    this.#signer = signer;
    this.#now = now;
  }

  /** @throws HumanError 409 `id_taken` */
  async create<Of extends Kind>(
    author: Launcher,
    kind: Of,
    input: TestKinds[Of]['input'],
  ): Promise<TestKinds[Of]['saved']> {
    assertContent(input);
    await profileOf(this.#store.db, author.workspaceId, input.profileId);
    const row = await this.#store.write(async (transaction) => {
      await lockWorkspace(transaction, author.workspaceId);
      const { id = randomUUID() } = input;
      if (await find(transaction, author.workspaceId, id)) throw idTaken();
      return await this.#insert(transaction, author, kind, id, input);
    });
    await this.#store.sync();
    return shown(kind, row);
  }

  async get<Of extends Kind>(workspaceId: string, kind: Of, id: string): Promise<TestKinds[Of]['saved']> {
    const row = await find(this.#store.db, workspaceId, id);
    return shown(kind, demand(row?.kind === kind ? row : undefined, names[kind]));
  }

  /** Rejects with HumanError 404. */
  async kindOf(workspaceId: string, id: string): Promise<Kind> {
    return demand(await find(this.#store.db, workspaceId, id), names.script).kind;
  }

  /** Scripted tests, newest first; without a limit, all of them: no quota is as high. */
  async listScripts(
    workspaceId: string,
    { detail, limit = 1e6, cursor }: OperationArguments<'listTestConfigs'>,
  ): Promise<OperationOutput<'listTestConfigs'>> {
    const query = this.#store.db
      .selectFrom('tests')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'script');
    const { rows, nextCursor } = await readPage<SavedTestRow>(query, {
      signer: this.#signer,
      scope: `${workspaceId} scripts`,
      direction: 'desc',
      limit,
      cursor,
      ...byCreation,
    });
    return withoutUndefined({
      items: rows.map((row) => {
        const { steps, ...rest } = shown('script', row);
        return detail === 'rows' ? rest : { ...rest, steps };
      }),
      nextCursor,
    });
  }

  async listMissions(
    workspaceId: string,
    input: ListMissionTestConfigs,
  ): Promise<OperationOutput<'listMissionTestConfigs'>> {
    let query = this.#store.db
      .selectFrom('tests')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'mission');
    // Not a wildcard: "position" compares character by character.
    if (input.name !== undefined) query = query.where(sql<boolean>`position(${input.name}::text in name) > 0`);
    if (input.phoneNumber !== undefined) query = query.where('phone_number', '=', input.phoneNumber);
    if (input.sector !== undefined) query = query.where(sql<boolean>`content ->> 'sector' = ${input.sector}`);
    if (input.profileId !== undefined) query = query.where('profile_id', '=', input.profileId);
    if (input.tag !== undefined) query = query.where(sql<boolean>`tags @> ${JSON.stringify([input.tag])}::jsonb`);
    if (input.createdAfter !== undefined) query = query.where('created_at', '>', new Date(input.createdAfter));
    if (input.createdBefore !== undefined) query = query.where('created_at', '<', new Date(input.createdBefore));
    const { rows, nextCursor } = await readPage<SavedTestRow>(query, {
      signer: this.#signer,
      scope: `${workspaceId} missions ${input.sort}`,
      direction: input.sortDir,
      limit: input.limit,
      cursor: input.cursor,
      ...byCreation,
      ...(input.sort === 'name' && {
        type: 'text' as const,
        key: sql.ref('name'),
        keyOf: (row: SavedTestRow) => row.name,
      }),
    });
    return {
      items: rows.map((row): MissionTestConfigRow => {
        const { mission: _mission, acceptance: _acceptance, checks: _checks, ...slim } = shown('mission', row);
        return slim;
      }),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  /** Changes the members that the edit has; null removes one. */
  async update<Of extends Kind>(
    author: Launcher,
    kind: Of,
    { id, expectedUpdatedAt, ...edit }: TestKinds[Of]['edit'],
  ): Promise<TestKinds[Of]['saved']> {
    const row = await changeOwn(this.#store, names[kind], async (transaction) => {
      await lockWorkspace(transaction, author.workspaceId);
      if (edit.profileId !== undefined) await profileOf(transaction, author.workspaceId, edit.profileId);
      const held = await find(transaction, author.workspaceId, id);
      if (held?.kind !== kind) return undefined;
      assertCreatedByKey(author, held.made_by);
      assertVersion(names[kind], held.updated_at, expectedUpdatedAt);
      return await this.#change(transaction, held, edit);
    });
    return shown(kind, row);
  }

  async remove(author: Launcher, kind: Kind, id: string): Promise<void> {
    await changeOwn(this.#store, names[kind], async (transaction) => {
      const held = await find(transaction, author.workspaceId, id);
      if (held?.kind !== kind) return undefined;
      assertCreatedByKey(author, held.made_by);
      await transaction
        .deleteFrom('tests')
        .where('id', '=', id)
        .where('workspace_id', '=', author.workspaceId)
        .execute();
      return held;
    });
  }

  /** Returns the profile with which a launch that brings this test runs it: without one, that of its saved version. */
  async profileFor({ workspaceId }: Launcher, { id, profileId }: Input): Promise<string | undefined> {
    return profileId ?? (id === undefined ? undefined : (await find(this.#store.db, workspaceId, id))?.profile_id);
  }

  /** Returns the test that a launch runs. Rejects with HumanError 404. */
  async launched<Of extends Kind>(author: Launcher, kind: Of, meant: Meant<Of>): Promise<LaunchedTest<Of>> {
    const { workspaceId } = author;
    const { test, expectedUpdatedAt } = meant;
    const id = meant.configId ?? test?.id ?? randomUUID();
    const held = await find(this.#store.db, workspaceId, id);
    if (!test) {
      const saved = shown(kind, demand(held?.kind === kind ? held : undefined, names[kind]));
      return {
        id,
        test: saved,
        updatedAt: saved.updatedAt,
        assertCurrent: async () => assertMeant(kind, await find(this.#store.db, workspaceId, id), expectedUpdatedAt),
        async save(transaction) {
          assertMeant(kind, held, expectedUpdatedAt);
          // Before the row of the test, as an edit locks them.
          await lockWorkspace(transaction, workspaceId);
          // An edit since then would be launched in its earlier version.
          assertMeant(kind, await find(transaction, workspaceId, id), expectedUpdatedAt);
        },
      };
    }
    assertContent(test);
    const profileId = await profileOf(this.#store.db, workspaceId, await this.profileFor(author, { ...test, id }));
    return {
      id,
      test: { ...test, profileId },
      assertCurrent: async () => {
        const { db } = this.#store;
        assertMeant(kind, held, expectedUpdatedAt);
        if (held) changeBy(author, kind, held, { ...test, profileId });
        else await assertRoom(db, await readWorkspace(db, workspaceId), { [quotas[kind]]: 1 });
      },
      save: (transaction) => this.#replace(transaction, author, kind, id, test, expectedUpdatedAt),
    };
  }

  /**
   * Saves a test over its earlier version. If that version was edited on the service, and the new one comes from a
   * file, a copy of it stays.
   */
  async #replace(
    transaction: Transaction<Database>,
    author: Launcher,
    kind: Kind,
    id: string,
    input: Input,
    expectedUpdatedAt: string | undefined,
  ): Promise<void> {
    await lockWorkspace(transaction, author.workspaceId);
    const held = await find(transaction, author.workspaceId, id);
    assertMeant(kind, held, expectedUpdatedAt);
    if (!held) {
      await this.#insert(transaction, author, kind, id, input);
      return;
    }
    const profileId = await profileOf(transaction, author.workspaceId, input.profileId ?? held.profile_id);
    const change = changeBy(author, kind, held, { ...input, profileId });
    if (!change) return;
    if (!held.from_file && input.fromFile === true && Object.keys(change).some((column) => column !== 'from_file'))
      await this.#copy(transaction, author, held);
    await this.#change(transaction, held, wholeOf(kind, { ...input, profileId }));
  }

  async #copy(transaction: Transaction<Database>, author: Launcher, held: SavedTestRow): Promise<void> {
    const suffix = ' (edited on the service)';
    // The cut can be inside a character.
    const name = `${held.name.slice(0, limits.name.max - suffix.length).replace(/\p{Cs}$/u, '')}${suffix}`;
    await this.#insert(transaction, author, held.kind, randomUUID(), { ...shown(held.kind, held), name });
  }

  async #insert(
    transaction: Transaction<Database>,
    { workspaceId, keyId }: Launcher,
    kind: Kind,
    id: string,
    input: Input,
  ): Promise<SavedTestRow> {
    const now = this.#now();
    const row = await transaction
      .insertInto('tests')
      .values({
        id,
        workspace_id: workspaceId,
        kind,
        made_by: keyId,
        name: input.name,
        phone_number: input.phoneNumber,
        profile_id: await profileOf(transaction, workspaceId, input.profileId),
        tags: JSON.stringify([...new Set(input.tags)]),
        content: JSON.stringify(contentOf(kind, {}, wholeOf(kind, input))),
        created_at: now,
        updated_at: now,
        from_file: input.fromFile ?? false,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await this.#assertQuota(transaction, workspaceId, {
      [quotas[kind]]: 1,
      ...(kind === 'script' && { testBytes: row.bytes }),
    });
    return row;
  }

  /** Returns the row with the edit. An edit that changes nothing isn't one. */
  async #change(transaction: Transaction<Database>, held: SavedTestRow, edit: Edit): Promise<SavedTestRow> {
    const change = changeOf(held, edit);
    if (!change) return held;
    const { tags, content, ...columns } = change;
    const row = await transaction
      .updateTable('tests')
      .set({
        from_file: edit.fromFile ?? false,
        ...columns,
        ...(tags && { tags: JSON.stringify(tags) }),
        ...(content && { content: JSON.stringify(content) }),
        updated_at: editedAt(this.#now()),
      })
      .where('id', '=', held.id)
      .where('workspace_id', '=', held.workspace_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const grown = row.bytes - held.bytes;
    // A test that shrinks is always accepted, because it frees space.
    if (held.kind === 'script' && grown > 0)
      await this.#assertQuota(transaction, held.workspace_id, { testBytes: grown });
    return row;
  }

  async #assertQuota(transaction: Transaction<Database>, workspaceId: string, added: Amounts): Promise<void> {
    await assertQuota(transaction, await lockWorkspace(transaction, workspaceId), added);
  }
}

const find = (db: Kysely<Database>, workspaceId: string, id: string): Promise<SavedTestRow | undefined> =>
  db
    .selectFrom('tests')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .$if(db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();

/** @throws HumanError 404, or 409 `edited_since` */
function assertMeant(kind: Kind, held: SavedTestRow | undefined, expectedUpdatedAt: string | undefined): void {
  if (expectedUpdatedAt !== undefined)
    assertVersion(names[kind], demand(held, names[kind]).updated_at, expectedUpdatedAt);
}

/** Returns an edit that leaves nothing of an earlier version. */
function wholeOf(kind: Kind, input: Input): Edit {
  const given: Readonly<Record<string, unknown>> = { language: defaultLanguage, ...withoutUndefined(input) };
  return {
    ...input,
    ...Object.fromEntries(contents[kind].map((member) => [member, given[member] ?? null])),
    tags: input.tags ?? [],
  };
}

/** Returns the content with the members that the edit has. Null removes one. */
function contentOf(kind: Kind, held: object, edit: object): Record<string, unknown> {
  const given = Object.entries(edit).filter(
    ([member, value]) => contents[kind].includes(member) && value !== undefined,
  );
  return Object.fromEntries(
    Object.entries({ ...held, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  );
}

const checked: ReadonlySet<string> = new Set(['steps', 'rows', 'acceptance', 'checks']);

/** @throws HumanError 400 if a test can't be run as it is */
function assertContent(content: object): void {
  if ('steps' in content) return assertColumns(content as ScriptContent);
  const { acceptance, checks } = content as Partial<MissionContent>;
  if (!acceptance && !checks?.length)
    throw new HumanError('A mission needs checks, or acceptance. No call was placed.', {
      status: 400,
      code: 'invalid_request',
    });
}

type Change = Partial<Pick<SavedTestRow, 'name' | 'phone_number' | 'profile_id' | 'tags' | 'from_file'>> & {
  readonly content?: Record<string, unknown>;
};

/** Returns the columns that an edit changes, or undefined if it changes none. */
function changeOf(held: SavedTestRow, edit: Edit): Change | undefined {
  const content = contentOf(held.kind, held.content, edit);
  // Stored content stays as it is, even if a later version would refuse it.
  if (Object.keys(edit).some((member) => checked.has(member))) assertContent(content);
  const columns = {
    name: edit.name,
    phone_number: edit.phoneNumber,
    profile_id: edit.profileId,
    tags: edit.tags && [...new Set(edit.tags)],
    from_file: edit.fromFile,
    // As it is stored.
    content: JSON.parse(JSON.stringify(content)) as Record<string, unknown>,
  };
  const changed = Object.entries(columns).filter(
    ([column, value]) => value !== undefined && !isDeepStrictEqual(held[column as keyof SavedTestRow], value),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/**
 * Returns the columns that a test changes which is saved over this version.
 * @throws HumanError 409 `id_taken`, or 403 `limited_key`
 */
function changeBy(author: Launcher, kind: Kind, held: SavedTestRow, input: Input): Change | undefined {
  if (held.kind !== kind) throw idTaken();
  const change = changeOf(held, wholeOf(kind, input));
  if (change) assertCreatedByKey(author, held.made_by);
  return change;
}

function shown<Of extends Kind>(kind: Of, row: SavedTestRow): TestKinds[Of]['saved'] {
  const common = {
    id: row.id,
    name: row.name,
    phoneNumber: row.phone_number,
    profileId: row.profile_id,
    tags: row.tags,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.from_file && { fromFile: true }),
  };
  if (kind === 'mission')
    return {
      ...common,
      ...(row.content as MissionContent),
      acceptance: (row.content as MissionContent).acceptance ?? '',
    };
  const { steps, ...content } = row.content as ScriptContent;
  const type = content.rows === undefined ? 'standard' : 'param';
  return { ...common, ...content, type, steps: steps.map((step) => testStepSchema.parse(step)) } satisfies TestConfig;
}
