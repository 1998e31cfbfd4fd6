import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { OperationArguments } from '../../contract/operations.ts';
import { administers, scopes as allScopes } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { ApiKey } from '../../contract/workspace.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { createApiKey, keyPrefix, parseApiKey } from './keyForm.ts';
import { localWorkspaceId } from './localKey.ts';
import { personPrefix, unauthorized } from './principal.ts';
import type { Principal } from './principal.ts';

/** The API keys of a workspace. A key is shown once, when it is created; the store keeps a hash of its secret. */
export class Keys {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #localKeyId: string | undefined;
  readonly #onRevoked: (workspaceId: string, keyId: string) => Promise<void>;

  /** `onRevoked` ends what a revoked key started; revoking waits for that. */
  constructor(
    store: Store,
    now: () => Date,
    localKeyId: string | undefined,
    onRevoked: (workspaceId: string, keyId: string) => Promise<void>,
  ) {
    this.#store = store;
    this.#now = now;
    this.#localKeyId = localKeyId;
    this.#onRevoked = onRevoked;
  }

  async list(workspaceId: string): Promise<ApiKey[]> {
    const rows = await this.#store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(toApiKey);
  }

  async create(
    principal: Principal,
    { name, scopes, limits: bounds }: OperationArguments<'createApiKey'>,
  ): Promise<ApiKey & { readonly apiKey: string }> {
    const wanted = allScopes.filter((scope) =>
      (scopes ?? [...principal.scopes].filter((own) => !bounds || !administers(own))).includes(scope),
    );
    const beyond = wanted.filter((scope) => !principal.scopes.has(scope));
    if (beyond.length > 0)
      throw new HumanError(
        `Your key doesn't have these scopes, so the new key can't have them: ${beyond.join(', ')}. Leave them out.`,
        {
          status: 403,
          code: 'missing_scope',
          details: { scopes: beyond },
        },
      );
    return await this.#store
      .write(async (transaction) => {
        await lockFor(transaction, principal);
        const live = await transaction
          .selectFrom('api_keys')
          .select((row) => row.fn.countAll<string>().as('count'))
          .where('workspace_id', '=', principal.workspaceId)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (Number(live.count) >= serverLimits.keys.max)
          throw new HumanError(
            `A workspace can have up to ${String(serverLimits.keys.max)} keys. Revoke one that you no longer use.`,
            { status: 409, code: 'too_many_keys' },
          );
        await forgetRevoked(transaction, principal.workspaceId);
        const newKey = await insertKey(transaction, principal.workspaceId, name, wanted, this.#now(), {
          bounds,
          byPerson: await isByPerson(transaction, principal),
        });
        await audit(transaction, principal.workspaceId, 'key.created', this.#now(), {
          keyId: newKey.row.id,
          by: principal.keyId,
          scopes: wanted,
          ...(bounds && { limits: countsOf(bounds) }),
        });
        return { ...toApiKey(newKey.row), apiKey: newKey.key };
      })
      .then(async (created) => {
        await this.#store.sync();
        return created;
      });
  }

  /** For another workspace it doesn't exist, like any other key. */
  #isLocal({ workspaceId }: Principal, id: string): boolean {
    return workspaceId === localWorkspaceId && id === this.#localKeyId;
  }

  async update(
    principal: Principal,
    { id, name, limits: bounds }: OperationArguments<'updateApiKey'>,
  ): Promise<ApiKey> {
    if (bounds && this.#isLocal(principal, id)) throw localKey('limited');
    const row = await this.#store.write(async (transaction) => {
      const key = assertKey(
        (await lockedKeys(transaction, principal)).filter(({ revoked_at: revoked }) => !revoked),
        id,
      );
      await assertOwner(transaction, principal, key);
      if (bounds && key.scopes.some(administers)) {
        throw new HumanError(
          "You can't limit this key, because it can administer the workspace and could remove its own limits. Create a key without the scopes workspace:admin and billing:write, set its limits, and then revoke this key.",
          { status: 409, code: 'admin_key' },
        );
      }
      const renamed = name !== undefined && name !== key.name;
      const limited = bounds !== undefined && !isDeepStrictEqual(bounds, key.limits);
      if (!renamed && !limited) return key;
      await audit(transaction, principal.workspaceId, 'key.changed', this.#now(), {
        keyId: id,
        by: principal.keyId,
        ...(renamed && { renamed }),
        ...(limited && { limits: bounds && countsOf(bounds) }),
      });
      return await transaction
        .updateTable('api_keys')
        .set({ ...(renamed && { name }), ...(limited && { limits: bounds && JSON.stringify(bounds) }) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    await this.#store.sync();
    return toApiKey(row);
  }

  async revoke(principal: Principal, id: string): Promise<ApiKey> {
    // It is in a file of the data folder and known without the store, so that this machine's windows find the service.
    if (this.#isLocal(principal, id)) throw localKey('revoked');
    const row = await this.#store.write(async (transaction) => {
      const keys = await lockedKeys(transaction, principal);
      const key = assertKey(keys, id);
      await assertOwner(transaction, principal, key);
      if (key.revoked_at) return key;
      const isAdministrator = (one: KeyRow): boolean => !one.revoked_at && one.scopes.includes('workspace:admin');
      if (isAdministrator(key) && keys.filter(isAdministrator).length === 1) {
        throw new HumanError('This is the last key that can administer the workspace. Create another one first.', {
          status: 409,
          code: 'last_key',
        });
      }
      await audit(transaction, principal.workspaceId, 'key.revoked', this.#now(), { keyId: id, by: principal.keyId });
      return await transaction
        .updateTable('api_keys')
        .set({ revoked_at: this.#now() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    await this.#store.sync();
    await this.#onRevoked(principal.workspaceId, id);
    return toApiKey(row);
  }
}

type KeyRow = Selectable<Database['api_keys']>;

/** The audit contains no numbers. */
const countsOf = ({ numbers, ...budgets }: KeyLimits): object => ({
  ...budgets,
  ...(numbers && { numbers: numbers.length }),
});

const localKey = (done: string): HumanError =>
  new HumanError(`This is the key of the service itself, stored in its data folder. It can't be ${done}.`, {
    status: 409,
    code: 'local_key',
  });

async function lockedKeys(transaction: Transaction<Database>, principal: Principal): Promise<KeyRow[]> {
  const { id } = await lockFor(transaction, principal);
  return await transaction.selectFrom('api_keys').selectAll().where('workspace_id', '=', id).execute();
}

/** The program that registered the workspace may not change or revoke what a person created. */
async function assertOwner(transaction: Transaction<Database>, principal: Principal, key: KeyRow): Promise<void> {
  if (key.by_person && !(await isByPerson(transaction, principal)))
    throw new HumanError(
      "The owner of this workspace created this key, so a key of the program that registered the workspace can't change or revoke it. Ask the owner.",
      { status: 403, code: 'program_key' },
    );
}

/** Keeps only the newest revoked keys; the audit contains all of them. */
async function forgetRevoked(transaction: Transaction<Database>, workspaceId: string): Promise<void> {
  const revoked = transaction
    .selectFrom('api_keys')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is not', null);
  await transaction
    .deleteFrom('api_keys')
    .where('id', 'in', revoked.orderBy('revoked_at', 'desc').orderBy('id').offset(serverLimits.kept.revokedKeys))
    .execute();
}

function assertKey(keys: readonly KeyRow[], id: string): KeyRow {
  const key = keys.find((one) => one.id === id);
  if (!key)
    throw new HumanError("This API key doesn't exist. List the keys to find the right one.", {
      status: 404,
      code: 'not_found',
    });
  return key;
}

export const readWorkspace = (db: Kysely<Database>, workspaceId: string): Promise<Selectable<Database['workspaces']>> =>
  db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirstOrThrow();

/** Serialises changes of a workspace's keys, slots and balances. */
export async function lockWorkspace(
  transaction: Transaction<Database>,
  workspaceId: string,
): Promise<Selectable<Database['workspaces']>> {
  const row = await transaction
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new HumanError('This workspace no longer exists.', { status: 404, code: 'not_found' });
  return row;
}

/**
 * `lockWorkspace` for changes that give someone permissions. A key that was revoked since it was checked, even while
 * this waited for the lock, can't make them. @throws HumanError 401 `unauthorized`
 */
export async function lockFor(
  transaction: Transaction<Database>,
  { workspaceId, keyId }: Pick<Principal, 'workspaceId' | 'keyId'>,
): Promise<Selectable<Database['workspaces']>> {
  const workspace = await lockWorkspace(transaction, workspaceId);
  if (keyId.startsWith(personPrefix)) return workspace;
  const key = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!key) throw unauthorized();
  return workspace;
}

/** True for a person, or a person's key, but not for keys of the program that registered the workspace. */
export async function isByPerson(
  transaction: Transaction<Database>,
  { workspaceId, keyId }: Pick<Principal, 'workspaceId' | 'keyId'>,
): Promise<boolean> {
  if (keyId.startsWith(personPrefix)) return true;
  const key = await transaction
    .selectFrom('api_keys')
    .select('by_person')
    .where('id', '=', keyId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return key?.by_person === true;
}

export async function insertKey(
  transaction: Transaction<Database>,
  workspaceId: string,
  name: string,
  scopes: readonly Scope[],
  now: Date,
  { bounds, byPerson = false }: { readonly bounds?: KeyLimits | undefined; readonly byPerson?: boolean } = {},
): Promise<{ readonly key: string; readonly row: KeyRow }> {
  const key = createApiKey();
  const parts = parseApiKey(key);
  if (!parts) throw new Error('a new key has the wrong form');
  const row = await transaction
    .insertInto('api_keys')
    .values({
      id: parts.id,
      workspace_id: workspaceId,
      name,
      secret_sha256: parts.hash.toString('hex'),
      scopes: JSON.stringify(scopes),
      created_at: now,
      revoked_at: null,
      by_person: byPerson,
      ...(bounds && { limits: JSON.stringify(bounds) }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { key, row };
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    keyPrefix: keyPrefix(row.id),
    scopes: allScopes.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.created_at.toISOString(),
    ...(row.limits && { limits: row.limits }),
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
    ...(row.revoked_at && { revokedAt: row.revoked_at.toISOString() }),
  };
}
