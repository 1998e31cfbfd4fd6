import assert from 'node:assert/strict';
import { McpServer } from '../../../../src/editor/agents/mcpServer.ts';
import { english } from '../fakes.ts';
import { fakeAgents } from './fakeAgents.ts';

describe('the MCP server offered to the editor', () => {
  let agents: ReturnType<typeof fakeAgents>, server: McpServer, told: number;
  beforeEach(() => {
    agents = fakeAgents();
    const { access, at } = agents;
    server = new McpServer({
      access,
      isRemote: () => at.settings.mode === 'remote',
      enabled: () => at.enabled,
      isTrusted: () => at.trusted,
      version: '1.2.3',
      l10n: english,
    });
    told = 0;
    server.onDidChange(() => (told += 1));
  });
  afterEach(() => {
    server.dispose();
    agents.access.dispose();
  });

  it('needs neither a process nor a key to be offered, and starts with both, for marked text only', async () => {
    const { embedded, secrets } = agents;
    const offered = server.offered;
    assert.deepEqual(
      [offered?.label, offered?.headers, offered?.version, embedded.starts],
      ['Dialtree', {}, '1.2.3', 0],
    );
    const started = await server.started();
    assert.deepEqual(started, {
      label: 'Dialtree',
      url: 'http://127.0.0.1:4001/mcp',
      headers: {
        'x-api-key': secrets.held.get('dialtree.agentKey http://localhost'),
        'x-dialtree-marked-text-only': 'true',
      },
      version: '1.2.3',
    });
    // A server that changed would be stopped immediately, and started again.
    assert.deepEqual([server.offered, told], [offered, 0]);
    await server.started();
    assert.equal(told, 0);
  });

  it('changes when a given address becomes invalid, so that the editor asks again', async () => {
    const { embedded, access } = agents;
    const before = server.offered?.url;
    await server.started();
    embedded.set({ kind: 'stopped' });
    assert.equal(told, 1);
    assert.notEqual(server.offered?.url, before);
    embedded.set({ kind: 'starting' });
    await embedded.start();
    assert.equal(told, 1, 'nobody was given anything since');
    assert.equal((await server.started()).url, 'http://127.0.0.1:4002/mcp');
    access.reset();
    assert.equal(told, 2, 'another service or key');
  });

  it('stays hidden if agents are turned off, and refuses to start in Restricted Mode', async () => {
    const { at, access, embedded } = agents;
    at.trusted = false;
    await assert.rejects(server.started(), { code: 'untrusted' });
    at.enabled = false;
    access.reset();
    assert.deepEqual([server.offered, told, embedded.starts], [undefined, 1, 0]);
  });
});
