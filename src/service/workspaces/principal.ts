import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import type { Tier } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { OperationName } from '../../contract/operations.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Store } from '../store/store.ts';
import { nobody, parseApiKey, sameHash } from './keyForm.ts';

/** The client: the workspace of its key, the key's scopes and limits. */
export interface Principal {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly tier: Tier;
  readonly scopes: ReadonlySet<Scope>;
  readonly limits?: KeyLimits;
}

/** The beginning of the `keyId` of a person in a browser, who has no key. */
export const personPrefix = 'person:';

export type Launcher = Pick<Principal, 'workspaceId' | 'keyId' | 'limits'>;

/** The last use is written at most this often. */
const usedEveryMs = 60_000;

/** Returns the principal of a stored key that isn't revoked. */
export async function findPrincipal(store: Store, key: string, now: Date): Promise<Principal | undefined> {
  const parts = parseApiKey(key);
  const row =
    parts &&
    (await store.db
      .selectFrom('api_keys')
      .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
      .select([
        'api_keys.id',
        'api_keys.workspace_id',
        'api_keys.secret_sha256',
        'api_keys.scopes',
        'api_keys.limits',
        'api_keys.last_used_at',
        'workspaces.tier',
      ])
      .where('api_keys.id', '=', parts.id)
      .where('api_keys.revoked_at', 'is', null)
      .executeTakeFirst());
  const matches = sameHash(parts?.hash ?? nobody, row ? Buffer.from(row.secret_sha256, 'hex') : Buffer.alloc(32, 1));
  if (!row || !matches) return undefined;
  await recordUse(store, row.id, row.last_used_at, now);
  return {
    workspaceId: row.workspace_id,
    keyId: row.id,
    tier: row.tier,
    scopes: new Set(scopes.filter((scope) => row.scopes.includes(scope))),
    ...(row.limits && { limits: row.limits }),
  };
}

/** Records the use of a key, at most once a minute. Returns the time of the recorded use. */
export async function recordUse(store: Store, keyId: string, last: Date | null | undefined, now: Date): Promise<Date> {
  if (last && now.getTime() - last.getTime() <= usedEveryMs) return last;
  await store.db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', keyId).execute();
  return now;
}

export const unauthorized = (): HumanError =>
  new HumanError("The API key isn't valid, or was revoked. Send a valid key in the header x-api-key.", {
    status: 401,
    code: 'unauthorized',
  });

/** Names the one operation that gives a key to a program without one. */
export const keyMissing = (): HumanError =>
  new HumanError(
    'This needs an API key. Send one in the header x-api-key. If you have none, registerWorkspace (POST /v1/workspace/register) creates a workspace without a key and returns its key.',
    { status: 401, code: 'unauthorized' },
  );

/** Rejects with HumanError 403 `limited_key` if a program tries to do what only a person may. */
export function assertUnlimitedKey({ limits }: Principal): void {
  if (limits)
    throw new HumanError(
      "This API key is limited, so it can't give consent on the user's behalf. Ask the user to give consent in the editor, or with their own key.",
      { status: 403, code: 'limited_key' },
    );
}

/** Rejects with HumanError 401 or 403 if the client may not use this operation. */
export function assertScope(name: OperationName, principal: Principal | undefined): void {
  const { scope }: Operation = operations[name];
  if (scope === 'open') return;
  if (!principal) throw keyMissing();
  if (!principal.scopes.has(scope))
    throw new HumanError(`This API key doesn't have the scope ${scope}. Use a key that has this scope.`, {
      status: 403,
      code: 'missing_scope',
      details: { scope },
    });
}
