import { HumanError } from '../../contract/errors.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { ApiKey } from '../../contract/workspace.ts';
import { isCode, unlessGone } from '../basics/errors.ts';
import type { L10n } from '../basics/localise.ts';
import type { ApiKeys } from '../host/apiKeys.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/** What agents may do: all but to administer and to change billing. */
export const agentScopes: readonly Scope[] = [
  'mapping:read',
  'mapping:write',
  'testing:read',
  'testing:write',
  'compliance:run',
  'workspace:read',
];
/** Until the person allows more: practice IVRs, and no more of them than a busy day takes. */
export const firstLimits: KeyLimits = { numbers: ['practice'], callsPerDay: 300, secondsPerDay: 5 * 3600 };
export const agentKeyName = "Editor's agent";
const datedName = /, \d{4}-\d{2}-\d{2}$/;
/** The name of a key for another client. */
export const agentKeyNameOn = (day: Date, client: string): string => `${client}, ${day.toISOString().slice(0, 10)}`;

export interface AgentKeyParts {
  /** Of the person, who may make keys. */
  readonly owner: Pick<ServiceClient, 'call'>;
  readonly keys: Pick<ApiKeys, 'read' | 'store' | 'clear'>;
  /** A web address that names the service in the secret storage: one that stays while its port changes. */
  readonly place: () => string;
  /** Nobody else makes keys of this name there: those that are found are this editor's own. */
  readonly isOwn: () => boolean;
  readonly l10n: L10n;
}

/**
 * The key that agents use in the person's stead: limited, made when it is first needed, revoked when it is no longer
 * wanted. It lies in the secret storage only; what it is limited to the service keeps.
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
   * A new key in the place of the one before, with the limits that it had.
   * @throws HumanError `agent_key` where the person's own key may not make any
   */
  async make(): Promise<string> {
    const { keys, place, isOwn } = this.#parts;
    const at = place();
    const before = await keys.read(at);
    // What another person lets their agents call is no word of this one.
    const own = (await this.#known()).filter(
      ({ keyPrefix }) => isOwn() || before?.startsWith(`${keyPrefix}_`) === true,
    );
    const { apiKey } = await this.create(agentKeyName, own[0]?.limits);
    await keys.store(at, apiKey);
    for (const { id } of own.filter(({ revokedAt }) => revokedAt === undefined)) await this.#revoke(id);
    return apiKey;
  }

  /** One more key for agents, under another name. */
  async create(name: string, limits: KeyLimits = firstLimits): Promise<ApiKey & { readonly apiKey: string }> {
    const { owner, l10n } = this.#parts;
    try {
      return await owner.call('createApiKey', { name, scopes: [...agentScopes], limits });
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

  /** What the service knows of the key; undefined where there is none, or it is revoked. */
  async find(): Promise<ApiKey | undefined> {
    const held = await this.read();
    return (await this.#known()).find(
      ({ keyPrefix, revokedAt }) => revokedAt === undefined && held?.startsWith(`${keyPrefix}_`) === true,
    );
  }

  /**
   * Changes what the key is limited to: one change after the other, each of what the one before left, so that none
   * undoes another.
   */
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
   * Further keys that agents were given, by their form: limited, with the scopes of agents, and a name with the day, as
   * `agentKeyNameOn` makes it.
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

  /** Ends them, and what goes on by them. */
  async revokeOthers(keys: readonly Pick<ApiKey, 'id'>[]): Promise<void> {
    for (const { id } of keys) await this.#revoke(id);
  }

  /** Agents that use it are refused at once, and their calls hung up. Without effect where there is none. */
  async revoke(): Promise<void> {
    const { keys, place } = this.#parts;
    const at = place();
    const held = await keys.read(at);
    const id = held === undefined ? undefined : /^dt_([0-9A-Za-z]{8})_/.exec(held)?.[1];
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
      // Whoever may not list keys may not make one either, and is told so there.
      if (isCode(error, 'missing_scope')) return [];
      throw error;
    }
  }

  async #revoke(id: string): Promise<void> {
    await unlessGone(this.#parts.owner.call('revokeApiKey', { id }));
  }
}
