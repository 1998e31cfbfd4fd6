import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { scopes } from '../contract/operations.ts';
import type { Scope } from '../contract/operations.ts';
import type { DataFolder } from './store/folder.ts';
import { writeFileWhole } from './store/folder.ts';
import type { Store } from './store/store.ts';

/** Who calls: the workspace of the key and what the key may do. */
export interface Principal { readonly workspaceId: string; readonly scopes: ReadonlySet<Scope> }

/** A key is `dt_`, its public id of 8 characters, `_`, and a secret of 43: 32 random bytes in base 62. Only the secret's hash is stored. */
const keyForm = /^dt_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})$/;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

export const createApiKey = (): string => `dt_${base62(randomBytes(8), 8)}_${base62(randomBytes(32), 43)}`;

interface KeyParts { readonly id: string; readonly hash: Buffer }

export function parseApiKey(key: string): KeyParts | undefined {
  const [, id, secret] = keyForm.exec(key) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, hash: createHash('sha256').update(secret).digest() };
}

const sameHash = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
const nobody = Buffer.alloc(32);

/** The workspace of an embedded service. There is one a store, so its id is the same in all of them. */
export const localWorkspaceId = '00000000-0000-4000-8000-000000000001';

/**
 * The key of the local workspace. It lies in a file that only its user can read, since later windows need it; the store has its hash.
 * It is recognised without the store, so that a service answers before its store is open.
 */
export class LocalKey {
  readonly key: string;
  readonly #parts: KeyParts;

  private constructor(key: string, parts: KeyParts) {
    this.key = key;
    this.#parts = parts;
  }

  static async read(folder: DataFolder): Promise<LocalKey | undefined> {
    const key = (await readFile(folder.keyFile, 'utf8').catch(() => '')).trim();
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

  principal(key: string): Principal | undefined {
    const parts = parseApiKey(key);
    const matches = sameHash(parts?.hash ?? nobody, this.#parts.hash) && parts?.id === this.#parts.id;
    return matches ? { workspaceId: localWorkspaceId, scopes: new Set(scopes) } : undefined;
  }

  /** Makes the local workspace and its key known to the store. */
  async enrol(store: Store, newProfileId: string, now: Date): Promise<void> {
    const known = await store.db.selectFrom('api_keys').select('id')
      .where('id', '=', this.#parts.id).where('secret_sha256', '=', this.#parts.hash.toString('hex')).executeTakeFirst();
    if (known) return;
    await store.write(async (transaction) => {
      await transaction.insertInto('workspaces')
        .values({ id: localWorkspaceId, kind: 'local', name: 'Local', default_profile_id: newProfileId, created_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing()).execute();
      await transaction.insertInto('api_keys')
        .values({ id: this.#parts.id, workspace_id: localWorkspaceId, secret_sha256: this.#parts.hash.toString('hex'), scopes: JSON.stringify(scopes), created_at: now, revoked_at: null })
        .execute();
    });
    await store.sync();
  }
}

/** The principal of any key that the store knows. */
export async function findPrincipal(store: Store, key: string): Promise<Principal | undefined> {
  const parts = parseApiKey(key);
  const row = parts && await store.db.selectFrom('api_keys').selectAll().where('id', '=', parts.id).where('revoked_at', 'is', null).executeTakeFirst();
  const matches = sameHash(parts?.hash ?? nobody, row ? Buffer.from(row.secret_sha256, 'hex') : Buffer.alloc(32, 1));
  return row && matches ? { workspaceId: row.workspace_id, scopes: new Set(scopes.filter((scope) => row.scopes.includes(scope))) } : undefined;
}
