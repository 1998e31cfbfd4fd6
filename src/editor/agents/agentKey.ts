import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { administers, scopes, type Scope } from '../../contract/scopes.ts';
import type { ApiKey } from '../../contract/workspace.ts';
import { isCode, unlessGone } from '../basics/errors.ts';
import type { L10n } from '../basics/localise.ts';
import type { ApiKeys } from '../host/apiKeys.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/** Agents may do everything except administration and billing. */
export const agentScopes: readonly Scope[] = scopes.filter((scope) => !administers(scope));
/** Until the user allows more, agents may call practice IVRs, as often as a busy day needs. */
export const firstLimits: KeyLimits = { numbers: ['practice'], callsPerDay: 300, secondsPerDay: 5 * 3600 };
export const agentKeyName = "Editor's agent";
const datedName = /, \d{4}-\d{2}-\d{2}$/;
export const agentKeyNameOn = (day: Date, client: string): string => `${client}, ${day.toISOString().slice(0, 10)}`;

interface AgentKeyParts {
  /** The user's client, which may create keys. */
  readonly owner: Pick<ServiceClient, 'call'>;
  readonly keys: Pick<ApiKeys, 'read' | 'store' | 'clear'>;
  /** A URL that identifies the service in the secret storage. It stays the same if the port changes. */
  readonly place: () => string;
  /** Only this editor creates keys with this name there, so keys that exist belong to it. */
  readonly isOwn: () => boolean;
  readonly l10n: L10n;
}

/**
 * The key that agents use instead of the user's: limited, created when it is first needed, and revoked when it is no
 * longer wanted. The editor keeps it only in the secret storage. The service stores its limits.
 */
export class AgentKey {
  readonly #parts: AgentKeyParts;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(parts: AgentKeyParts) {
    this.#parts = parts;
  }

  read(): Promise<string | undefined> {
    return this.#parts.keys.read(this.#parts.place());
  }

  /**
   * Creates a key that replaces the previous one and keeps its limits.
   * @throws HumanError `agent_key` if the user's own key may not create keys
   */
  async make(): Promise<string> {
    const { keys, place, isOwn } = this.#parts;
    const at = place();
    const before = await keys.read(at);
    // What another person allows their agents to call doesn't count for this user.
    const own = (await this.#known()).filter(
      ({ keyPrefix }) => isOwn() || before?.startsWith(`${keyPrefix}_`) === true,
    );
    const { apiKey } = await this.create(agentKeyName, own[0]?.limits);
    await keys.store(at, apiKey);
    for (const { id } of own.filter(({ revokedAt }) => revokedAt === undefined)) await this.#revoke(id);
    return apiKey;
  }

  async create(
    name: string,
    limits: KeyLimits = firstLimits,
    scopes: readonly Scope[] = agentScopes,
  ): Promise<ApiKey & { readonly apiKey: string }> {
    const { owner, l10n } = this.#parts;
    try {
      return await owner.call('createApiKey', { name, scopes: [...scopes], limits });
    } catch (error) {
      if (!isCode(error, 'missing_scope')) throw error;
      throw new HumanError(
        l10n.t(
          "Agents need their own limited key, but your API key isn't allowed to create one. Set an API key that has the workspace:admin scope.",
        ),
        { status: 403, code: 'agent_key', cause: error },
      );
    }
  }

  /** Returns the service's record of the key, or undefined if there is none or it is revoked. */
  async find(): Promise<ApiKey | undefined> {
    const storedKey = await this.read();
    return (await this.#known()).find(
      ({ keyPrefix, revokedAt }) => revokedAt === undefined && storedKey?.startsWith(`${keyPrefix}_`) === true,
    );
  }

  /** Changes the limits of the key. Changes run one after the other, so that none undoes another. */
  changeLimits(change: (limits: KeyLimits) => KeyLimits): Promise<void> {
    const changed = this.#changing.then(async () => {
      const key = await this.find();
      if (!key)
        throw new HumanError(this.#parts.l10n.t("Agents don't have a key for this service yet. Try again."), {
          status: 404,
          code: 'agent_key',
        });
      const before = key.limits ?? {};
      const limits = change(before);
      if (limits !== before) await this.#parts.owner.call('updateApiKey', { id: key.id, limits });
    });
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /**
   * Returns the other keys that agents were given, recognised by their form: limited, with the scopes of agents, and
   * with a name from `agentKeyNameOn`.
   */
  async others(): Promise<ApiKey[]> {
    return (await this.#all()).filter(
      ({ name, revokedAt, limits, scopes }) =>
        revokedAt === undefined &&
        limits &&
        datedName.test(name) &&
        scopes.every((scope) => agentScopes.includes(scope)),
    );
  }

  /** Revokes the keys and ends the runs that they started. */
  async revokeOthers(keys: readonly Pick<ApiKey, 'id'>[]): Promise<void> {
    for (const { id } of keys) await this.#revoke(id);
  }

  /**
   * Revokes the key. Agents that use it are refused immediately, and their calls are hung up. Does nothing if there is
   * no key.
   */
  async revoke(): Promise<void> {
    const { keys, place } = this.#parts;
    const at = place();
    const currentKey = await keys.read(at);
    const id = currentKey === undefined ? undefined : /^dt_([0-9A-Za-z]{8})_/.exec(currentKey)?.[1];
    if (id !== undefined) await this.#revoke(id);
    await keys.clear(at);
  }

  /** Newest first. */
  async #known(): Promise<ApiKey[]> {
    return (await this.#all()).filter(({ name }) => name === agentKeyName);
  }

  async #all(): Promise<ApiKey[]> {
    try {
      return [...(await this.#parts.owner.call('listApiKeys', {})).items];
    } catch (error) {
      // A key that may not list keys may not create one either; that error is reported there.
      if (isCode(error, 'missing_scope')) return [];
      throw error;
    }
  }

  async #revoke(id: string): Promise<void> {
    await unlessGone(this.#parts.owner.call('revokeApiKey', { id }));
  }
}
