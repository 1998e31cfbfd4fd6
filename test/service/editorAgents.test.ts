import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { DialtreeClient } from '../../src/client/client.ts';
import { AgentAccess } from '../../src/editor/agents/agentAccess.ts';
import { AgentKey, agentScopes, firstLimits } from '../../src/editor/agents/agentKey.ts';
import { McpServer } from '../../src/editor/agents/mcpServer.ts';
import { ApiKeys } from '../../src/editor/host/apiKeys.ts';
import type { EmbeddedState } from '../../src/editor/host/embeddedService.ts';
import { createServiceClient } from '../../src/editor/host/serviceClient.ts';
import { practiceAt } from '../support/practicePlaces.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { fakeSecrets } from '../unit/editor/agents/fakeAgents.ts';
import { english } from '../unit/editor/fakes.ts';

const lab = '+12025550101';
const practice = 'sip:harbour-bank@127.0.0.1:40112';

describe("service: access for the editor's agents", function () {
  const fixture = new ServiceFixture();
  let owner: DialtreeClient,
    access: AgentAccess,
    server: McpServer,
    enabled = true;

  beforeEach(async () => {
    enabled = true;
    const service = await fixture.start({ parts: { practices: practiceAt('127.0.0.1:5070', '127.0.0.1:40112') } });
    owner = service.client;
    const address = { baseUrl: service.baseUrl, apiKey: service.apiKey };
    const state: EmbeddedState = { kind: 'ready', address };
    const key = new AgentKey({
      owner,
      keys: new ApiKeys(fakeSecrets(), 'agentKey'),
      place: () => 'http://localhost',
      isOwn: () => true,
      l10n: english,
    });
    access = new AgentAccess({
      settings: () => ({ mode: 'embedded', url: undefined }),
      enabled: () => enabled,
      isTrusted: () => true,
      key,
      createClient: createServiceClient,
      l10n: english,
      embedded: {
        state,
        onDidChange: () => ({ dispose: () => undefined }),
        start: () => Promise.resolve(address),
        restart: () => Promise.resolve(address),
        lost: () => undefined,
      },
    });
    server = new McpServer({
      access,
      isRemote: () => false,
      enabled: () => enabled,
      isTrusted: () => true,
      version: '1',
      l10n: english,
    });
  });
  afterEach(async () => {
    server.dispose();
    access.dispose();
    await fixture.close();
  });

  async function connect(): Promise<Client> {
    const { url, headers } = await server.started();
    const mcp = new Client({ name: 'test', version: '1.0.0' });
    await mcp.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return mcp;
  }
  const call = async (mcp: Client, name: string, args: object) => {
    const { isError = false, structuredContent } = await mcp.callTool({ name, arguments: { ...args } });
    return {
      isError,
      content: structuredContent as { id?: string; code?: string; status?: number; currentRun?: { status: string } },
    };
  };

  it('is an MCP server that an agent can initialise, whose tools it can list, and with which it can call practice IVRs only', async () => {
    const mcp = await connect();
    const { tools } = await mcp.listTools();
    assert.ok(tools.length > 20 && tools.some(({ name }) => name === 'startMapping'));
    const [key] = (await owner.call('listApiKeys', {})).items;
    assert.deepEqual([key?.name, key?.scopes, key?.limits], ["Editor's agent", agentScopes, firstLimits]);
    const { content: job } = await call(mcp, 'createMapping', { phoneNumber: practice, config: { maxCalls: 5 } });
    assert.equal((await call(mcp, 'startMapping', { id: job.id })).isError, false);
    (await fixture.crawl.next()).end();
    const { content: other } = await call(mcp, 'createMapping', { phoneNumber: lab });
    const refused = await call(mcp, 'startMapping', { id: other.id });
    assert.deepEqual(
      [refused.isError, refused.content.status, refused.content.code],
      [true, 403, 'number_not_allowed'],
    );
    for (const [name, args] of [
      ['updateWorkspaceSettings', { forbiddenKeys: '' }],
      ['requestAnchorCode', { phoneNumber: '+447400123456' }],
    ] as const) {
      assert.equal((await call(mcp, name, args)).content.code, 'missing_scope');
    }
    await mcp.close();
  });

  it('rejects the key immediately after the user turns agents off, and makes another when they turn them on', async () => {
    const mcp = await connect();
    enabled = false;
    access.reset();
    await access.settle();
    await assert.rejects(
      mcp.listTools().then(() => call(mcp, 'listMappings', {})),
      /401|isn't valid/i,
    );
    assert.equal(server.offered, undefined);
    enabled = true;
    access.reset();
    const again = await connect();
    assert.equal((await call(again, 'listMappings', {})).isError, false);
    await Promise.allSettled([mcp.close(), again.close()]);
  });

  it("gives the editor's tools the same key, with the same limits on calls", async () => {
    assert.equal(
      (await access.call('planCalls', { mapping: { phoneNumber: practice, config: { maxCalls: 5 } } })).refusal,
      undefined,
    );
    assert.equal(
      (await access.call('planCalls', { mapping: { phoneNumber: lab } })).refusal?.code,
      'number_not_allowed',
    );
    assert.deepEqual((await access.call('getWorkspaceUsage', {})).key?.limits, firstLimits);
  });
});
