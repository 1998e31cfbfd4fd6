import { scopes } from '../../contract/scopes.ts';
import type { DataFolder } from '../store/folder.ts';
import { writeFileWhole } from '../store/folder.ts';
import type { Store } from '../store/store.ts';
import { audit } from './audit.ts';
import { createApiKey, nobody, parseApiKey, sameHash } from './keyForm.ts';
import type { KeyParts } from './keyForm.ts';
import { recordUse, type Principal } from './principal.ts';

/** The workspace of an embedded service. There is one per store, so its id is the same in all of them. */
export const localWorkspaceId = '00000000-0000-4000-8000-000000000001';
export const localRights = { kind: 'local', tier: 'enterprise', unlimited: true } as const;

/**
 * The key of the local workspace. It is in a file that only its user can read, because later windows need it; the store
 * has its hash. It is recognised without the store, so that a service responds before its store is open.
 */
export class LocalKey {
  readonly key: string;
  readonly #parts: KeyParts;
  #recorded: Date | undefined;

  private constructor(key: string, parts: KeyParts) {
    this.key = key;
    this.#parts = parts;
  }

  static async read(folder: DataFolder): Promise<LocalKey | undefined> {
    const key = (await folder.readKey()) ?? '';
    const parts = parseApiKey(key);
    return parts && new LocalKey(key, parts);
  }

  static async readOrCreate(folder: DataFolder): Promise<LocalKey> {
    const existing = await LocalKey.read(folder);
    if (existing) return existing;
    const key = createApiKey();
    const parts = parseApiKey(key);
    if (!parts) throw new Error('a new key has the wrong form');
    await writeFileWhole(folder.keyFile, `${key}\n`, 0o600);
    return new LocalKey(key, parts);
  }

  get id(): string {
    return this.#parts.id;
  }

  principal(key: string): Principal | undefined {
    const parts = parseApiKey(key);
    const matches = sameHash(parts?.hash ?? nobody, this.#parts.hash) && parts?.id === this.#parts.id;
    return matches
      ? { workspaceId: localWorkspaceId, keyId: this.#parts.id, tier: 'enterprise', scopes: new Set(scopes) }
      : undefined;
  }

  /** Returns the principal of the key, and records the use if the store is open. */
  async use(given: string, store: Store | undefined, now: Date): Promise<Principal | undefined> {
    const principal = this.principal(given);
    if (principal && store) this.#recorded = await recordUse(store, this.id, this.#recorded, now);
    return principal;
  }

  /** Adds the local workspace and its key to the store. */
  async enrol(store: Store, newProfileId: string, now: Date): Promise<void> {
    const known = await store.db
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', this.#parts.id)
      .where('secret_sha256', '=', this.#parts.hash.toString('hex'))
      .executeTakeFirst();
    if (known) return;
    await store.write(async (transaction) => {
      await transaction
        .insertInto('workspaces')
        .values({
          id: localWorkspaceId,
          name: 'Local',
          ...localRights,
          default_profile_id: newProfileId,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      await transaction
        .insertInto('api_keys')
        .values({
          id: this.#parts.id,
          workspace_id: localWorkspaceId,
          secret_sha256: this.#parts.hash.toString('hex'),
          scopes: JSON.stringify(scopes),
          by_person: true,
          created_at: now,
          revoked_at: null,
        })
        .execute();
      await audit(transaction, localWorkspaceId, 'key.created', now, { keyId: this.#parts.id, by: 'service', scopes });
    });
    await store.sync();
  }
}
