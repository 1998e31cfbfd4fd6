import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { OperationArguments } from '../../contract/operations.ts';
import { callerSchema, defaultCaller } from '../../contract/profiles.ts';
import type { CallerProfile, Profile } from '../../contract/profiles.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { assertCreatedByKey } from './authors.ts';
import { lockWorkspace } from './keys.ts';
import { assertKnown } from './known.ts';
import { assertUnlimitedKey } from './principal.ts';
import type { Principal } from './principal.ts';
import { withoutNull } from './settings.ts';

type ProfileRow = Selectable<Database['profiles']>;

/** Returns the id of the named or default profile. Rejects with HumanError 404 `profile_not_found`. */
export async function profileOf(
  db: Kysely<Database>,
  workspaceId: string,
  profileId: string | undefined,
): Promise<string> {
  return (await readProfile(db, workspaceId, profileId)).id;
}

/**
 * Returns the current settings of this profile, or of the workspace's default, with another line if a launch names one.
 * Rejects like `profileOf`.
 */
export async function readCaller(
  db: Kysely<Database>,
  workspaceId: string,
  profileId: string | undefined,
  line?: string,
): Promise<CallerProfile> {
  return { ...(await readProfile(db, workspaceId, profileId)).caller, ...(line !== undefined && { line }) };
}

export class Profiles {
  readonly #store: Store;
  readonly #lines: Pick<LineBook, 'assertPresents'>;
  readonly #now: () => Date;

  constructor(store: Store, lines: Pick<LineBook, 'assertPresents'>, now: () => Date) {
    this.#store = store;
    this.#lines = lines;
    this.#now = now;
  }

  /** The default profile, then the others by name. */
  async list(workspaceId: string): Promise<Profile[]> {
    const { db } = this.#store;
    const first = await readProfile(db, workspaceId, undefined);
    const others = await db
      .selectFrom('profiles')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '!=', first.id)
      .execute();
    return [first, ...others.sort((one, other) => one.caller.name.localeCompare(other.caller.name))].map((row) =>
      toProfile(row, first.id),
    );
  }

  async get(workspaceId: string, id: string): Promise<Profile> {
    const { db } = this.#store;
    return toProfile(await readProfile(db, workspaceId, id), await defaultOf(db, workspaceId));
  }

  async create(principal: Principal, input: OperationArguments<'createProfile'>): Promise<Profile> {
    const { workspaceId } = principal;
    const caller = callerSchema.parse(input);
    if (input.line !== undefined || input.callerId !== undefined) this.#assertLineAllowed(principal, caller);
    const now = this.#now();
    const row: ProfileRow = {
      id: randomUUID(),
      workspace_id: workspaceId,
      caller,
      created_at: now,
      updated_at: now,
      made_by: principal.keyId,
    };
    await this.#store.write(async (transaction) => {
      await lockWorkspace(transaction, workspaceId);
      const { held } = await transaction
        .selectFrom('profiles')
        .select((select) => select.fn.countAll<string>().as('held'))
        .where('workspace_id', '=', workspaceId)
        .where('id', '!=', await defaultOf(transaction, workspaceId))
        .executeTakeFirstOrThrow();
      if (Number(held) >= limits.profiles.most)
        throw new HumanError(
          `A workspace can have up to ${String(limits.profiles.most)} profiles besides the default one. Delete one that no mapping or test uses.`,
          { status: 409, code: 'too_many_profiles' },
        );
      await transaction
        .insertInto('profiles')
        .values({ ...row, caller: JSON.stringify(caller) })
        .execute();
    });
    await this.#store.sync();
    return toProfile(row, undefined);
  }

  async update(principal: Principal, { id, ...changes }: OperationArguments<'updateProfile'>): Promise<Profile> {
    const { workspaceId } = principal;
    const updated = await this.#store.write(async (transaction) => {
      await lockWorkspace(transaction, workspaceId);
      const before = await readProfile(transaction, workspaceId, id);
      assertCreatedByKey(principal, before.made_by);
      const caller = callerSchema.parse(withoutNull({ ...before.caller, ...changes }));
      if (changes.line !== undefined || changes.callerId !== undefined) this.#assertLineAllowed(principal, caller);
      const row: ProfileRow = { ...before, caller, updated_at: this.#now() };
      const values = { ...row, caller: JSON.stringify(caller) };
      const stored = await transaction
        .insertInto('profiles')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ caller: values.caller, updated_at: values.updated_at })
            .where('profiles.workspace_id', '=', workspaceId),
        )
        .returning('id')
        .executeTakeFirst();
      // The id of a default profile comes with an imported workspace, and can belong to a profile elsewhere.
      if (!stored) throw noProfile();
      return toProfile(row, await defaultOf(transaction, workspaceId));
    });
    await this.#store.sync();
    return updated;
  }

  async remove(principal: Principal, id: string): Promise<void> {
    const { workspaceId } = principal;
    await this.#store.write(async (transaction) => {
      await lockWorkspace(transaction, workspaceId);
      assertCreatedByKey(principal, (await readProfile(transaction, workspaceId, id)).made_by);
      if (id === (await defaultOf(transaction, workspaceId)))
        throw new HumanError(
          "The default profile can't be deleted, because everything without a profile uses it. Change it instead.",
          {
            status: 409,
            code: 'profile_default',
          },
        );
      const users = await usersOf(transaction, workspaceId, id);
      if (users.length > 0) {
        const named = users
          .slice(0, 5)
          .map((name) => `“${name}”`)
          .join(', ');
        throw new HumanError(
          `${named}${users.length > 5 ? ` and ${String(users.length - 5)} more` : ''} ${users.length === 1 ? 'uses' : 'use'} this profile. Give ${users.length === 1 ? 'it' : 'them'} another profile (profileId), then delete this one.`,
          {
            status: 409,
            code: 'profile_used',
            details: { users: users.slice(0, limits.list.max) },
            quotes: users.slice(0, limits.list.max),
          },
        );
      }
      await transaction.deleteFrom('profiles').where('id', '=', id).execute();
    });
    await this.#store.sync();
  }

  /** Only a person may choose the caller ID and the line, in a workspace that the operator knows. */
  #assertLineAllowed(principal: Principal, caller: CallerProfile): void {
    assertUnlimitedKey(principal);
    if (caller.callerId === undefined && caller.line === undefined) return;
    assertKnown(principal);
    this.#lines.assertPresents(caller);
  }
}

async function readProfile(
  db: Kysely<Database>,
  workspaceId: string,
  profileId: string | undefined,
): Promise<ProfileRow> {
  const workspace = await db
    .selectFrom('workspaces')
    .select(['default_profile_id', 'created_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const id = profileId ?? workspace.default_profile_id;
  const row = await db
    .selectFrom('profiles')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (row) return row;
  if (id !== workspace.default_profile_id) {
    throw noProfile();
  }
  // An unchanged default profile has no row.
  return {
    id,
    workspace_id: workspaceId,
    caller: defaultCaller,
    created_at: workspace.created_at,
    updated_at: workspace.created_at,
    made_by: null,
  };
}

const noProfile = (): HumanError =>
  new HumanError(
    "This profile doesn't exist. List the profiles to find the right one, or leave profileId out to use the workspace's default profile.",
    { status: 404, code: 'profile_not_found' },
  );

const defaultOf = async (db: Kysely<Database>, workspaceId: string): Promise<string> =>
  (
    await db
      .selectFrom('workspaces')
      .select('default_profile_id')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow()
  ).default_profile_id;

/** Returns the names of the mappings and tests that use a profile. */
async function usersOf(db: Kysely<Database>, workspaceId: string, profileId: string): Promise<string[]> {
  const inTable = (table: 'mapping_jobs' | 'tests') =>
    db.selectFrom(table).select('name').where('workspace_id', '=', workspaceId).where('profile_id', '=', profileId);
  const users = await inTable('mapping_jobs').unionAll(inTable('tests')).execute();
  return users.map(({ name }) => name).sort();
}

const toProfile = (
  { id, caller, created_at: createdAt, updated_at: updatedAt }: ProfileRow,
  defaultId: string | undefined,
): Profile => ({
  id,
  isDefault: id === defaultId,
  ...caller,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
