import assert from 'node:assert/strict';
import { ConnectionError, PermissionError } from '../../../../src/client/errors.ts';
import { agentKeyName, agentScopes, firstLimits } from '../../../../src/editor/agents/agentKey.ts';
import { fakeAgents } from './fakeAgents.ts';

describe("agents' access to the service", () => {
  let agents: ReturnType<typeof fakeAgents>;
  beforeEach(() => {
    agents = fakeAgents();
  });
  afterEach(() => agents.access.dispose());
  const held = (): string | undefined => agents.secrets.held.get('dialtree.agentKey http://localhost');

  it('starts the service at the first need, and gives agents a separate limited key, kept only in secret storage', async () => {
    const { access, ring, embedded } = agents;
    assert.equal(access.knownMcpUrl, undefined);
    const [one, other] = await Promise.all([access.endpoint(), access.endpoint()]);
    assert.deepEqual([one, embedded.starts, ring.keys.length], [other, 1, 1]);
    assert.equal(one.mcpUrl, 'http://127.0.0.1:4001/mcp');
    assert.equal(access.knownMcpUrl, one.mcpUrl);
    assert.equal(one.apiKey, held());
    assert.notEqual(one.apiKey, 'the-owner');
    const [key] = ring.keys;
    assert.deepEqual([key?.name, key?.scopes, key?.limits], [agentKeyName, agentScopes, firstLimits]);
    assert.ok(!agentScopes.includes('workspace:admin') && firstLimits.numbers?.join() === 'practice');
  });

  it('keeps the key over restarts of the service, and replaces a revoked one with the same limits', async () => {
    const { access, ring, embedded, key } = agents;
    const { apiKey } = await access.endpoint();
    await embedded.restart();
    assert.deepEqual(await access.endpoint(), { mcpUrl: 'http://127.0.0.1:4002/mcp', apiKey });
    await key.changeLimits(() => ({ numbers: ['practice', '+12025550101'], callsPerDay: 7 }));
    await ring.owner.call('revokeApiKey', { id: ring.keys[0]?.id ?? '' });
    const next = await access.endpoint();
    assert.notEqual(next.apiKey, apiKey);
    assert.deepEqual(
      [ring.live, ring.keys[0]?.limits],
      [[agentKeyName], { numbers: ['practice', '+12025550101'], callsPerDay: 7 }],
    );
  });

  it('continues with another key if it is revoked during use', async () => {
    const { access, ring, client } = agents;
    client.answers = { listGuides: () => ({ items: [] }) };
    await access.call('listGuides', {});
    await ring.owner.call('revokeApiKey', { id: ring.keys[0]?.id ?? '' });
    assert.deepEqual(await access.call('listGuides', {}), { items: [] });
    assert.equal(ring.live.length, 1);
  });

  it('revokes keys missing from the storage, but only on the embedded service', async () => {
    const { access, ring, secrets, at } = agents;
    await access.endpoint();
    secrets.held.clear();
    await access.endpoint();
    assert.deepEqual([ring.keys.length, ring.live], [2, [agentKeyName]]);
    at.settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    access.reset();
    await access.endpoint();
    assert.equal(ring.live.length, 2, 'a key of another machine stays');
  });

  it("doesn't inherit the limits of another person's agents at a remote service", async () => {
    const { access, ring, at } = agents;
    await ring.owner.call('createApiKey', {
      name: agentKeyName,
      scopes: [...agentScopes],
      limits: { numbers: ['+1*'] },
    });
    at.settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    access.reset();
    await access.endpoint();
    assert.deepEqual([ring.keys[0]?.limits, ring.live.length], [firstLimits, 2]);
  });

  it('finds the embedded service again if the window that ran it has closed', async () => {
    const { access, embedded, client, asked } = agents;
    await access.endpoint();
    client.answers = {
      getWorkspaceUsage: () => {
        if (asked.at(-1)?.baseUrl.includes(':4001') === true)
          throw new ConnectionError('nobody is there', { preFlight: true });
        return undefined as never;
      },
    };
    assert.equal((await access.endpoint()).mcpUrl, 'http://127.0.0.1:4002/mcp');
    assert.equal(embedded.starts, 2);
  });

  it('uses a remote service at its address, with a key for that one only', async () => {
    const { access, secrets, at, embedded } = agents;
    at.settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    assert.equal((await access.endpoint()).mcpUrl, 'https://dialtree.example.com/mcp');
    assert.deepEqual(
      [[...secrets.held.keys()], embedded.starts],
      [['dialtree.agentKey https://dialtree.example.com'], 0],
    );
    at.settings = { mode: 'remote', url: undefined };
    await assert.rejects(access.endpoint(), { code: 'service_url' });
  });

  it("never uses the person's key instead: if that can't make keys, it says what to do", async () => {
    const { access, ring } = agents;
    const lacking = (): never => {
      throw new PermissionError("This API key doesn't have the scope workspace:admin.", {
        status: 403,
        body: { code: 'missing_scope' },
      });
    };
    ring.owner.answers = { createApiKey: lacking, listApiKeys: lacking };
    await assert.rejects(access.endpoint(), { code: 'agent_key', message: /workspace:admin/ });
    assert.equal(held(), undefined);
  });

  it('refuses agents after the user turns them off, and removes the key now or when the service runs again', async () => {
    const { access, ring, at, embedded } = agents;
    const { apiKey } = await access.endpoint();
    await access.settle();
    assert.ok(ring.takes(apiKey), 'nothing is taken from who is let in');
    at.enabled = false;
    await assert.rejects(access.endpoint(), { code: 'agents_off', message: /Let Agents Use Dialtree/ });
    await assert.rejects(access.call('listGuides', {}), { code: 'agents_off' });
    embedded.set({ kind: 'stopped' });
    await access.settle();
    assert.equal(held(), apiKey, 'no process is started for it');
    await embedded.start();
    await access.settle();
    assert.deepEqual([held(), ring.live], [undefined, []]);
    await access.settle();
  });

  it('allows reading but no calls in an untrusted folder', async () => {
    const { access, at, client } = agents;
    at.trusted = false;
    client.answers = { listGuides: () => ({ items: [] }) };
    await access.call('listGuides', {});
    await assert.rejects(access.call('startMapping', { id: '00000000-0000-4000-8000-000000000001' }), {
      code: 'untrusted',
    });
  });

  it("reports every change of the service's address", async () => {
    const { access, embedded } = agents;
    let told = 0;
    access.onDidChange(() => (told += 1));
    await access.endpoint();
    const before = told;
    assert.ok(before > 0);
    embedded.set({ kind: 'stopped' });
    access.reset();
    assert.equal(told, before + 2);
  });
});
