import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { gzipSync } from 'node:zlib';
import { operations } from '../../src/contract/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { sendHttp } from '../support/sendHttp.ts';
import type { HttpAnswer, HttpAsked } from '../support/sendHttp.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

interface RpcAnswer {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: Readonly<Record<string, unknown>>;
}
interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

/** Posts, if no other method is given. */
const send = (url: string, asked: HttpAsked): Promise<HttpAnswer> => sendHttp(url, { method: 'POST', ...asked });

const usual = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
};

describe('service: habits of MCP clients', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  before(async () => {
    service = await fixture.start();
  });
  after(() => fixture.close());

  const post = async (message: unknown, headers: object = usual, key = service.apiKey): Promise<HttpAnswer> =>
    await send(service.mcpUrl, {
      headers: { ...headers, ...(key !== '' && { 'x-api-key': key }) },
      body: JSON.stringify(message),
    });
  const rpc = async (message: unknown, headers: object = usual, key = service.apiKey): Promise<RpcAnswer> =>
    JSON.parse((await post(message, headers, key)).text.replace(/^event: message\ndata: /, '')) as RpcAnswer;
  const call = async (name: string, given: unknown): Promise<ToolAnswer> =>
    (await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }))
      .result as unknown as ToolAnswer;
  const toolsIn = (answer: RpcAnswer): number => ((answer.result?.['tools'] ?? []) as unknown[]).length;
  const offered = Object.values<Operation>(operations).filter(({ tool }) => tool !== undefined).length;

  it('answers in JSON whatever the client accepts, and without a type of content', async () => {
    for (const headers of [
      { accept: 'application/json' },
      { accept: 'text/event-stream' },
      { accept: '*/*' },
      { accept: 'Application/JSON;q=0.9, text/event-stream;q=0.1' },
      { accept: '' },
      {},
    ])
      for (const type of [
        'application/json; charset=utf-8',
        'APPLICATION/JSON;charset="UTF-8"',
        'application/json-rpc',
        'application/vnd.mcp+json',
        undefined,
      ]) {
        const answer = await post(list, { ...headers, ...(type !== undefined && { 'content-type': type }) });
        assert.equal(answer.status, 200, JSON.stringify([headers, type, answer.text]));
        assert.match(String(answer.headers['content-type']), /^application\/json/);
        assert.equal(toolsIn(JSON.parse(answer.text) as RpcAnswer), offered);
      }
  });

  it('refuses content that forms of web pages can send, and compressed bodies with the reason', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal((await post(list, { ...usual, 'content-type': type })).status, 415, type);
    for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
      const { status, text } = await send(service.mcpUrl, {
        headers: { ...usual, 'x-api-key': service.apiKey, 'content-encoding': encoding },
        body: gzipSync(JSON.stringify(list)),
      });
      assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [415, 'not_json'], encoding);
      assert.match(text, /without Content-Encoding/);
    }
    assert.equal((await post(list, { ...usual, 'content-encoding': 'identity' })).status, 200);
  });

  it('ignores event ids, cookies and headers of browsers, and accepts any session id', async () => {
    const headers = {
      ...usual,
      'mcp-session-id': 'a session of an earlier process',
      'last-event-id': '7',
      'mcp-method': 'tools/list',
      'mcp-name': 'x',
      cookie: 'a=b',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'accept-encoding': 'gzip, br',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    assert.equal(toolsIn(await rpc(list, headers)), offered);
    const answer = await post(initialize, headers);
    const session = String(answer.headers['mcp-session-id']);
    assert.match(session, /^[\x21-\x7e]{36,}$/);
    assert.notEqual((await post(initialize, headers)).headers['mcp-session-id'], session);
    assert.equal(toolsIn(await rpc(list, { ...usual, 'mcp-session-id': session })), offered);
  });

  it('refuses web pages: a foreign origin, and the question of a browser before its request', async () => {
    for (const origin of [
      'https://example.com',
      'null',
      'file://',
      'vscode-file://vscode-app',
      'http://localhost:6274',
    ])
      for (const method of ['POST', 'OPTIONS'] as const) {
        const { status, headers } = await send(service.mcpUrl, {
          method,
          headers: { ...usual, origin, 'x-api-key': service.apiKey, 'access-control-request-method': 'POST' },
          body: method === 'POST' ? JSON.stringify(list) : '',
        });
        assert.deepEqual([status, headers['access-control-allow-origin']], [403, undefined], `${method} ${origin}`);
      }
    const own = new URL(service.mcpUrl).origin;
    assert.equal((await post(list, { ...usual, origin: own })).status, 200);
  });

  it('answers methods other than POST with 405, and the address with a slash like the one without', async () => {
    for (const url of [service.mcpUrl, `${service.mcpUrl}/`]) {
      for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])
        for (const headers of [{ 'x-api-key': service.apiKey }, {}]) {
          const answer = await send(url, { method, headers: { ...headers, accept: 'text/event-stream' } });
          assert.deepEqual([answer.status, answer.headers['allow']], [405, 'POST'], `${method} ${url}`);
        }
      for (const key of [service.apiKey, '']) {
        const { status, text } = await send(url, {
          headers: { ...usual, ...(key !== '' && { 'x-api-key': key }) },
          body: JSON.stringify(list),
        });
        assert.equal(status, 200);
        assert.equal(toolsIn(JSON.parse(text) as RpcAnswer), offered);
      }
    }
  });

  it('negotiates each version of the protocol, and its latest for unknown ones', async () => {
    for (const [asked, given] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['DRAFT-2027', '2025-11-25'],
      ['', '2025-11-25'],
    ] as const)
      // Clients may send the header before they know which version was negotiated.
      for (const headers of [usual, { ...usual, 'mcp-protocol-version': asked === '' ? 'nonsense' : asked }]) {
        const { result } = await rpc(
          { ...initialize, params: { ...initialize.params, protocolVersion: asked } },
          headers,
        );
        assert.equal(result?.['protocolVersion'], given, asked);
      }
    for (const version of [undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
      assert.equal(toolsIn(await rpc(list, { ...usual, 'mcp-protocol-version': version ?? '2025-11-25' })), offered);
    assert.equal(toolsIn(await rpc(list)), offered, 'no version');
  });

  it('refuses a header with an unknown version, with an error after which clients use the old handshake', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    for (const key of [service.apiKey, ''])
      for (const message of [
        { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } },
        { ...list, params: { _meta: meta } },
      ]) {
        const { status, text } = await post(message, { ...usual, 'mcp-protocol-version': '2026-07-28' }, key);
        assert.equal(status, 400);
        // Codes from -32020 to -32022 would mean that this server speaks the new protocol.
        assert.deepEqual((JSON.parse(text) as RpcAnswer).error?.code, -32000);
        assert.match(text, /supported versions: 2025-11-25/);
      }
    const { error } = await rpc({ jsonrpc: '2.0', id: 1, method: 'server/discover' });
    assert.equal(error?.code, -32601);
  });

  it('accepts params that are null, empty, an empty list, or have members that are null', async () => {
    for (const params of [
      null,
      {},
      [],
      '',
      { cursor: null },
      { cursor: '' },
      { _meta: null },
      { _meta: { progressToken: null } },
    ]) {
      assert.equal(toolsIn(await rpc({ ...list, params })), offered, JSON.stringify(params));
      assert.deepEqual((await rpc({ ...list, method: 'ping', params })).result, {});
      const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized', params });
      assert.deepEqual([status, text], [202, '']);
    }
    const params = {
      ...initialize.params,
      capabilities: { roots: null, sampling: {}, elicitation: null, experimental: { x: null }, tasks: {} },
      clientInfo: { ...initialize.params.clientInfo, title: null, websiteUrl: null, icons: null, other: 1 },
      surprise: true,
    };
    assert.equal((await rpc({ ...initialize, params })).result?.['protocolVersion'], '2025-11-25');
  });

  it('accepts arguments that are missing, null, empty, an empty list or text', async () => {
    for (const params of [
      { name: 'listMappings' },
      { name: 'listMappings', arguments: null },
      { name: 'listMappings', arguments: '' },
      { name: 'listMappings', arguments: [] },
      { name: 'listMappings', arguments: '{}' },
      { name: 'listMappings', arguments: {}, _meta: { progressToken: 'a' }, task: null },
      { name: 'listMappings', arguments: {}, _meta: { progressToken: 7, 'vendor/x': { y: [1] } }, extra: 1 },
    ]) {
      const { result } = await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      assert.deepEqual(
        (result as unknown as ToolAnswer | undefined)?.structuredContent,
        { items: [] },
        JSON.stringify(params),
      );
    }
  });

  it('names a page for a person to a client that opens pages, and refuses as before for others', async () => {
    const live = { name: 'createMapping', arguments: { phoneNumber: 'sip:4711@127.0.0.1:9' } };
    const answers: unknown[] = [];
    for (const elicitation of [{ url: {} }, { form: {} }, undefined]) {
      const agent = new Client(
        { name: 'test', version: '1' },
        { capabilities: { ...(elicitation && { elicitation }) } },
      );
      await agent.connect(
        new StreamableHTTPClientTransport(new URL(service.mcpUrl), {
          requestInit: { headers: { 'x-api-key': service.apiKey } },
        }),
      );
      const { id } = (await agent.callTool(live)).structuredContent as { readonly id: string };
      const refused = await agent
        .callTool({ name: 'startMapping', arguments: { id } })
        .catch((error: unknown) => error as UrlElicitationRequiredError);
      answers.push(
        refused instanceof UrlElicitationRequiredError
          ? refused.elicitations.map(({ url, message }) => [
              new URL(url).pathname.split('/')[1],
              /consent/.test(message),
            ])
          : (refused.structuredContent as { readonly code: string }).code,
      );
      await service.client.call('deleteMapping', { id });
      await agent.close();
    }
    assert.deepEqual(answers, [[['account', true]], 'consent_required', 'consent_required']);
  });

  it('returns each id as it was sent: numbers, texts, zero and negative ones', async () => {
    for (const id of [0, 1, -1, '', '0', '1', 'a-b', 'ünï', 1774232524389, Number.MAX_SAFE_INTEGER, 'x'.repeat(1000)])
      for (const message of [
        { ...list, method: 'ping', id },
        { ...list, method: 'nothing', id },
        { ...list, method: 'tools/call', params: {}, id },
      ])
        assert.deepEqual((await rpc(message)).id, id);
    for (const id of ['18446744073709551615', '1.5', 'null', 'true', '{}']) {
      const { status } = await send(service.mcpUrl, {
        headers: { ...usual, 'x-api-key': service.apiKey },
        body: `{"jsonrpc":"2.0","method":"ping","id":${id}}`,
      });
      assert.equal(status, 400, `${id} can't be returned exactly, or isn't an id`);
    }
  });

  it('takes notifications and responses with 202, with a key and without', async () => {
    for (const key of [service.apiKey, ''])
      for (const message of [
        { method: 'notifications/initialized' },
        { method: 'notifications/cancelled', params: { requestId: 99, reason: 'x' } },
        { method: 'notifications/cancelled', params: { requestId: 'unknown' } },
        { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
        { method: 'notifications/roots/list_changed' },
        { method: 'notifications/unheard_of', params: { a: null } },
      ]) {
        const { status, text } = await post({ jsonrpc: '2.0', ...message }, usual, key);
        assert.deepEqual([status, text], [202, ''], message.method);
      }
    assert.equal((await post({ jsonrpc: '2.0', id: 5, result: { roots: [] } })).status, 202);
  });

  it('lists prompts and templates, and has no other methods, with a key and without', async () => {
    for (const key of [service.apiKey, '']) {
      for (const method of ['prompts/list', 'resources/templates/list'])
        assert.ok((await rpc({ ...list, method }, usual, key)).result, method);
      for (const [method, params] of [
        ['logging/setLevel', { level: 'debug' }],
        ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }],
        ['resources/subscribe', { uri: 'x:y' }],
        ['roots/list', {}],
        ['elicitation/create', {}],
        ['sampling/createMessage', {}],
        ['tasks/list', {}],
        ['toString', {}],
      ] as const)
        assert.deepEqual((await rpc({ ...list, method, params }, usual, key)).error, {
          code: -32601,
          message: 'Method not found',
        });
    }
    assert.deepEqual((await rpc(initialize)).result?.['capabilities'], { tools: {}, resources: {}, prompts: {} });
  });

  it('still demands a key for calls of tools, alone and in a batch, and for anything else than a message', async () => {
    const called = { ...list, method: 'tools/call', params: { name: 'listMappings', arguments: {} } };
    for (const body of [
      called,
      { ...called, params: { ...called.params, name: 'nothing' } },
      { ...called, params: null },
      [called],
      [list, called],
      [list],
      {},
      [],
      null,
      'tools/list',
      { ...list, method: ['tools/list'] },
    ])
      assert.equal((await post(body, usual, '')).status, 401, JSON.stringify(body));
  });

  it('leaves out what clients add to the arguments, and refuses other unknown members', async () => {
    const added = {
      toolCallId: 'call_0',
      tool: 'x',
      sessionId: 's',
      action: 'sendMessage',
      chatInput: 'hello',
      task_progress: '- [ ] a',
      random_string: 'dummy',
      _meta: { progressToken: 1 },
      _sessionID: 'x',
    };
    for (const name of ['listMappings', 'listLines', 'getWorkspaceSettings'])
      assert.notEqual((await call(name, added)).isError, true, name);
    for (const [name, value] of Object.entries(added))
      assert.deepEqual((await call('listMappings', { [name]: value })).structuredContent, { items: [] }, name);
    for (const name of ['surprise', 'limits', 'tools', 'cal_id', 'arguments']) {
      const { isError, structuredContent } = await call('listMappings', { [name]: 1 });
      assert.equal(isError, true, name);
      assert.match(String(structuredContent['message']), new RegExp(`Unknown member: “${name}”`));
    }
    const nested = await call('createMapping', { phoneNumber: '+12025550101', config: { toolCallId: 'x' } });
    assert.equal(nested.isError, true, 'nothing adds members to nested objects');
  });

  it('changes nothing that is null if the client names every argument, as in strict mode', async () => {
    const budgets = { secondsPerRun: 600, callsPerDay: 20 };
    const first = await call('updateWorkspaceSettings', { budgets, forbiddenKeys: '9', recordingDays: 30 });
    assert.notEqual(first.isError, true);
    const members = Object.keys(operations.updateWorkspaceSettings.input.shape);
    const none = Object.fromEntries(members.map((name) => [name, null]));
    const noBudgets = {
      secondsPerRun: null,
      secondsPerDay: null,
      callsPerDay: null,
      costPerDay: null,
      tokensPerDay: null,
    };
    const settings = async (): Promise<object> => (await call('getWorkspaceSettings', {})).structuredContent;
    const before = await settings();
    await call('updateWorkspaceSettings', none);
    assert.deepEqual(await settings(), before);
    await call('updateWorkspaceSettings', { ...none, budgets: noBudgets });
    assert.deepEqual(await settings(), before);
    await call('updateWorkspaceSettings', { ...none, currency: 'EUR', budgets: { ...noBudgets, callsPerDay: 30 } });
    assert.deepEqual(await settings(), { ...before, currency: 'EUR', budgets: { ...budgets, callsPerDay: 30 } });
    // A client that names single members removes them.
    await call('updateWorkspaceSettings', { recordingDays: null, budgets: { secondsPerRun: null } });
    const { recordingDays: _days, ...kept } = before as Readonly<Record<string, unknown>>;
    assert.deepEqual(await settings(), { ...kept, currency: 'EUR', budgets: { callsPerDay: 30 } });
    await call('updateWorkspaceSettings', { budgets: null, forbiddenKeys: null });
    assert.deepEqual(await settings(), { budgets: {}, forbiddenKeys: '', currency: 'EUR' });
  });

  it('plans arguments of other tools as JSON in text, as its schema says, and as objects', async () => {
    const mapping = { phoneNumber: 'sip:practice@127.0.0.1:5070' };
    const asObject = await call('planCalls', { mapping });
    assert.notEqual(asObject.isError, true);
    assert.deepEqual(
      (await call('planCalls', { mapping: JSON.stringify(mapping) })).structuredContent,
      asObject.structuredContent,
    );
    const wrong = await call('planCalls', { mapping: 'a bank' });
    assert.match(String(wrong.structuredContent['message']), /mapping: .*A string was sent that isn't the JSON of one/);
    const { id } = (await call('createMapping', { phoneNumber: '+12025550101' })).structuredContent;
    const changed = await call('updateMapping', { id, config: '{"maxDepth":3}' });
    assert.equal((changed.structuredContent['config'] as { maxDepth: number }).maxDepth, 3);
  });

  it('refuses names of tools in another case or with a prefix, and says how to find the right one', async () => {
    for (const name of [
      'createmapping',
      'create_mapping',
      'mcp__dialtree__createMapping',
      'dialtree.createMapping',
      '',
    ]) {
      const { error } = await rpc({ ...list, method: 'tools/call', params: { name, arguments: {} } });
      assert.equal(error?.code, -32602, name);
      assert.match(error?.message ?? '', /List the tools/);
    }
  });

  it('reads keys in either header, with the other one empty', async () => {
    for (const headers of [
      { 'x-api-key': '', authorization: `Bearer ${service.apiKey}` },
      { authorization: `bearer  ${service.apiKey} ` },
      { 'x-api-key': ` ${service.apiKey} `, authorization: 'Basic eDp5' },
    ])
      assert.equal((await post(list, { ...usual, ...headers }, '')).status, 200, JSON.stringify(headers));
  });
});
