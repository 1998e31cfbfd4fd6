import type { ApiKey } from '../../../../src/contract/workspace.ts';
import { AgentAccess } from '../../../../src/editor/agents/agentAccess.ts';
import { AgentKey } from '../../../../src/editor/agents/agentKey.ts';
import { Emitter } from '../../../../src/editor/basics/emitter.ts';
import { ApiKeys } from '../../../../src/editor/host/apiKeys.ts';
import type { EmbeddedState } from '../../../../src/editor/host/embeddedService.ts';
import type { ServiceAddress } from '../../../../src/editor/host/serviceClient.ts';
import type { ServiceSettings } from '../../../../src/editor/basics/settings.ts';
import { AuthenticationError, NotFoundError } from '../../../../src/client/errors.ts';
import { english, FakeClient, uuid } from '../fakes.ts';

/** A secret storage in one window's memory. */
export function fakeSecrets() {
  const held = new Map<string, string>();
  return {
    held,
    get: (name: string) => Promise.resolve(held.get(name)),
    store: (name: string, value: string) => {
      held.set(name, value);
      return Promise.resolve();
    },
    delete: (name: string) => {
      held.delete(name);
      return Promise.resolve();
    },
  };
}

/** A service's keys, and the answers to requests about them. */
export class FakeKeyring {
  readonly keys: (ApiKey & { readonly secret: string })[] = [];
  readonly owner = new FakeClient({
    createApiKey: ({ name, scopes = [], limits }) => {
      const id = String(this.keys.length + 1).padStart(8, '0');
      const key = {
        id,
        name,
        keyPrefix: `dt_${id}`,
        scopes: [...scopes],
        createdAt: '2026-03-01T00:00:00Z',
        ...(limits && { limits }),
      };
      const secret = `dt_${id}_${'s'.repeat(43)}`;
      this.keys.unshift({ ...key, secret });
      return { ...key, apiKey: secret };
    },
    listApiKeys: () => ({ items: this.keys.map(({ secret: _secret, ...key }) => key) }),
    updateApiKey: ({ id, limits }) => this.#change(id, { ...(limits && { limits }) }),
    revokeApiKey: ({ id }) => this.#change(id, { revokedAt: '2026-03-02T00:00:00Z' }),
  });

  get live(): string[] {
    return this.keys.filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name);
  }
  takes(apiKey: string): boolean {
    return this.keys.some(({ secret, revokedAt }) => secret === apiKey && revokedAt === undefined);
  }

  #change(id: string, change: Partial<ApiKey>): ApiKey {
    const at = this.keys.findIndex((key) => key.id === id);
    const key = this.keys[at];
    if (!key) throw new NotFoundError('There is no API key with this id.', { status: 404 });
    const changed = { ...key, ...change };
    this.keys[at] = changed;
    const { secret: _secret, ...shown } = changed;
    return shown;
  }
}

/** An embedded service that starts immediately, on another port each time. */
export class FakeEmbedded {
  readonly #changed = new Emitter<EmbeddedState>();
  readonly onDidChange = this.#changed.listen;
  state: EmbeddedState = { kind: 'stopped' };
  starts = 0;

  start(): Promise<ServiceAddress> {
    if (this.state.kind !== 'ready') {
      this.starts += 1;
      this.set({
        kind: 'ready',
        address: { baseUrl: `http://127.0.0.1:${String(4000 + this.starts)}/v1`, apiKey: 'the-owner' },
      });
    }
    return Promise.resolve(this.state.kind === 'ready' ? this.state.address : { baseUrl: '', apiKey: '' });
  }

  restart(): Promise<ServiceAddress> {
    this.set({ kind: 'stopped' });
    return this.start();
  }
  lost(): void {
    this.set({ kind: 'stopped' });
  }
  set(state: EmbeddedState): void {
    this.state = state;
    this.#changed.fire(state);
  }
}

/** Agents at a fake service; `answers` holds its answers to requests beyond their key. */
export function fakeAgents() {
  const secrets = fakeSecrets();
  const ring = new FakeKeyring();
  const embedded = new FakeEmbedded();
  const at = { settings: { mode: 'embedded', url: undefined } as ServiceSettings, enabled: true, trusted: true };
  const client = new FakeClient();
  const asked: ServiceAddress[] = [];
  const key = new AgentKey({
    owner: ring.owner,
    keys: new ApiKeys(secrets, 'agentKey'),
    place: () => at.settings.url ?? 'http://localhost',
    isOwn: () => at.settings.mode === 'embedded',
    l10n: english,
  });
  const access = new AgentAccess({
    settings: () => at.settings,
    enabled: () => at.enabled,
    isTrusted: () => at.trusted,
    embedded,
    key,
    l10n: english,
    createClient: (address) => ({
      events: () => Promise.reject(new Error('no events here')),
      fetchAudio: () => Promise.reject(new Error('no audio here')),
      fetchAudioPart: () => Promise.reject(new Error('no audio here')),
      sound: () => {
        throw new Error('no sound here');
      },
      call: async (name, input) => {
        asked.push(address);
        if (!ring.takes(address.apiKey))
          throw new AuthenticationError('The API key is missing or not valid.', {
            status: 401,
            body: { code: 'unauthorized' },
          });
        if (name === 'getWorkspaceUsage' && client.answers.getWorkspaceUsage === undefined) return undefined as never;
        return client.call(name, input);
      },
    }),
  });
  return { secrets, ring, embedded, at, client, asked, key, access };
}

export const workspaceId = uuid(1);
