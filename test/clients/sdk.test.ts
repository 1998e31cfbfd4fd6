import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ServiceFixture } from '../support/serviceFixture.ts';

describe('clients: the SDK', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  before(async () => {
    service = await fixture.start();
  });
  after(() => fixture.close());

  it('gets a 405 for the stream, with a key and without', async () => {
    for (const headers of [{ 'x-api-key': service.apiKey }, {}]) {
      let refuse: (status: number) => void;
      const refused = new Promise<number>((resolve) => {
        refuse = resolve;
      });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(service.mcpUrl), {
          requestInit: { headers },
          fetch: async (url, init) => {
            const response = await fetch(url, init);
            if (init?.method === 'GET') refuse(response.status);
            return response;
          },
        }),
      );
      // Any other status makes the client ask again every second, or sign in.
      assert.equal(await refused, 405);
      await client.close();
    }
    const ended = await fetch(service.mcpUrl, { method: 'DELETE', headers: { 'x-api-key': service.apiKey } });
    assert.deepEqual(
      [ended.status, ended.headers.get('allow'), ((await ended.json()) as { code: string }).code],
      [405, 'POST', 'method_not_allowed'],
    );
    assert.equal(
      (await fetch(service.mcpUrl, { headers: { 'x-api-key': 'dt_wrong' } })).status,
      401,
      'a wrong key is told first',
    );
  });

  it('shows that the key is wrong, also if it can sign in with OAuth', async () => {
    const provider = {
      redirectUrl: 'http://127.0.0.1/callback',
      clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
      clientInformation: () => undefined,
      saveClientInformation: () => undefined,
      tokens: () => undefined,
      saveTokens: () => undefined,
      redirectToAuthorization: () => undefined,
      saveCodeVerifier: () => undefined,
      codeVerifier: () => '',
    };
    for (const [headers, said] of [
      [{ 'x-api-key': 'dt_wrong' }, /The API key isn't valid, or was revoked/],
      [{ authorization: 'Bearer dt_wrong' }, /The API key isn't valid, or was revoked/],
    ] as const) {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(service.mcpUrl), {
        requestInit: { headers },
        authProvider: provider,
      });
      await assert.rejects(client.connect(transport), said);
      await client.close();
    }
  });

  it('receives results and errors that match the schemas of the list', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(service.mcpUrl), {
        requestInit: { headers: { 'x-api-key': service.apiKey } },
      }),
    );
    try {
      const { tools } = await client.listTools();
      assert.deepEqual(client.getServerCapabilities(), { tools: {} }, 'nothing is promised that is not kept');
      // One of several arguments names the subject, so none of them is required.
      const reading = tools.filter(
        ({ name, annotations, inputSchema }) =>
          annotations?.readOnlyHint === true &&
          (inputSchema.required ?? []).length === 0 &&
          name !== 'planCalls' &&
          name !== 'checkLine',
      );
      assert.ok(reading.length >= 8, `${String(reading.length)} tools`);
      for (const { name } of reading)
        assert.notEqual((await client.callTool({ name, arguments: {} })).isError, true, name);
      for (const { name } of tools) {
        const result = await client.callTool({ name, arguments: { surprise: 1 } });
        const { status, code, message } = result.structuredContent as Record<string, unknown>;
        assert.deepEqual(
          [result.isError, status, code, typeof message],
          [true, 400, 'invalid_request', 'string'],
          name,
        );
      }
      const job = await client.callTool({ name: 'createMapping', arguments: { phoneNumber: '+12025550101' } });
      const { id } = job.structuredContent as { id: string };
      assert.equal((await client.callTool({ name: 'getMappingTree', arguments: { id } })).isError, undefined);
      const absent = await client.callTool({
        name: 'getMapping',
        arguments: { id: '00000000-0000-4000-8000-000000000000' },
      });
      assert.equal((absent.structuredContent as { status: number }).status, 404);
    } finally {
      await client.close();
    }
  });
});
