import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DialtreeClient } from '../../src/client/client.ts';
import { endProcess } from '../../src/editor/host/spawnNode.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { CliProcess, dialtree, repositoryFile } from '../unit/cli/dialtree.ts';

const main = repositoryFile('src/cli/dialtree.ts');

describe('dialtree mcp', () => {
  const fixture = new ServiceFixture();
  const clients: Client[] = [];
  let folder: string;
  beforeEach(async () => {
    folder = await fixture.folder();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await endService();
    await fixture.close();
  });

  const dataDir = (): string => path.join(folder, 'data');
  async function endService(): Promise<void> {
    const names = await readdir(dataDir()).catch(() => []);
    for (const [, pid] of names.join('\n').matchAll(/^lock-(\d+)-/gm)) await endProcess(Number(pid));
  }
  async function connect(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StdioClientTransport({ command, args: [...args], env }));
    return client;
  }

  it('serves a client that reads the configuration that agents init wrote, also after the service has ended', async () => {
    await dialtree(['agents', 'init', '--for', 'claude'], '', { cwd: folder });
    const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@" --data "${dataDir()}"\n`;
    await writeFile(path.join(folder, 'dialtree'), script, { mode: 0o755 });
    const { mcpServers } = JSON.parse(await readFile(path.join(folder, '.mcp.json'), 'utf8')) as {
      mcpServers: { dialtree: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.dialtree;
    const client = await connect(command, args, { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'startMapping'));
    const guides = await client.callTool({ name: 'listGuides', arguments: {} });
    assert.match(JSON.stringify(guides.content), /Connect an agent or a script/);
    assert.equal(guides.structuredContent, undefined, 'only the text has marks around words from calls');
    await endService();
    const [usage, other] = await Promise.all([
      client.callTool({ name: 'getWorkspaceUsage', arguments: {} }),
      connect(process.execPath, [main, 'mcp', '--data', dataDir()]),
    ]);
    assert.equal(usage.isError, undefined);
    assert.ok((await other.listTools()).tools.length > 20, 'two clients share a service');
  });

  it('uses the key in the environment instead of that of the data folder, and refuses an empty one', async () => {
    const withKey = async (apiKey: string): Promise<Client> =>
      connect(process.execPath, [main, 'mcp', '--data', dataDir()], { DIALTREE_API_KEY: apiKey });
    const owner = await connect(process.execPath, [main, 'mcp', '--data', dataDir()]);
    await owner.listTools();
    const { stdout } = await dialtree(['serve', '--data', dataDir()]);
    const own = new DialtreeClient(JSON.parse(stdout) as { baseUrl: string; apiKey: string });
    const limits = { numbers: ['practice'] };
    const { apiKey } = await own.call('createApiKey', { name: 'Agent', scopes: ['workspace:read'], limits });
    const usage = await (await withKey(apiKey)).callTool({ name: 'getWorkspaceUsage', arguments: {} });
    assert.match(JSON.stringify(usage), /practice/, 'a limited key sees its limits');
    await assert.rejects(withKey('KEY'), /key isn't valid/);
    const empty = await dialtree(['mcp', '--data', dataDir()], '', { env: { DIALTREE_API_KEY: ' ' } });
    assert.match(empty.stderr, /DIALTREE_API_KEY is empty/);
  });

  describe('with a service at --url', () => {
    type Reply = (message: { id?: number; method: string }, response: ServerResponse, request: IncomingMessage) => void;
    let reply: Reply;
    const seen: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        const message = JSON.parse(text) as { id?: number; method: string };
        seen.push(`${message.method} ${String(request.headers['x-api-key'])}`);
        reply(message, response, request);
      });
    });
    let url: string;
    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });
    const ask = async (...messages: object[]): Promise<Record<string, unknown>[]> => {
      const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
      const client = new CliProcess(['mcp', '--url', url], {
        input: lines,
        ends: false,
        env: { DIALTREE_API_KEY: 'dt_key' },
      });
      try {
        await client.firstLine();
        client.signal('SIGTERM');
        const { stdout } = await client.result();
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      } finally {
        await client.kill();
      }
    };

    it('passes on a stream as it arrives, with line separators in its texts', async () => {
      reply = ({ id }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const progress = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progress: 1, message: 'a\u2028b' },
        };
        response.write(`event: message\ndata: ${JSON.stringify(progress)}\n\n`);
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true } })}\n\n`);
      };
      const [progress, result] = await ask({ id: 7, method: 'tools/call' });
      assert.deepEqual(progress?.['params'], { progress: 1, message: 'a\u2028b' });
      assert.ok(result === undefined || result['id'] === 7);
      assert.deepEqual(seen.splice(0), ['tools/call dt_key']);
    });

    it('passes on what a batch and a request of many megabytes get, also after stdin has closed', async () => {
      const send = async (message: object): Promise<unknown[]> => {
        const env = { DIALTREE_API_KEY: 'dt_key' };
        const { stdout } = await dialtree(['mcp', '--url', url], `${JSON.stringify(message)}\n`, { env });
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
      };
      const long = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(8_000_000) } };
      reply = (_message, response) => response.end(JSON.stringify(long));
      assert.deepEqual(await send({ id: 1, method: 'tools/call' }), [long]);
      const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call' }));
      const answers = batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }));
      reply = (_message, response) => response.end(JSON.stringify(answers));
      assert.deepEqual(await send(batch), [answers]);
      reply = (_message, response) => response.writeHead(403).end();
      const errors = (await send(batch)) as { id: number; error: object }[];
      assert.deepEqual(
        errors.map(({ id, error }) => [id, typeof error]),
        [
          [1, 'object'],
          [2, 'object'],
        ],
      );
      seen.splice(0);
    });

    for (const [what, status, body, said] of [
      ['a refusal', 429, '{"message":"Wait a minute.","code":"x"}', /^Wait a minute\.$/],
      ['a refusal without a body', 403, '', /status 403/],
      ['an error without an id', 400, '{"jsonrpc":"2.0","id":null,"error":{"message":"Not so."}}', /^Not so\.$/],
      ['a stream that ends early', 200, 'event: message\n\n', /ended before its response/],
    ] as const)
      it(`turns ${what} into an error of the request, and sends it only once`, async () => {
        reply = ({ id }, response) =>
          response.writeHead(id === undefined ? 202 : status).end(id === undefined ? '' : body);
        const [error] = await ask({ method: 'notifications/cancelled' }, { id: 8, method: 'tools/call' });
        assert.equal(error?.['id'], 8);
        assert.match((error['error'] as { message: string }).message, said);
        assert.deepEqual(seen.splice(0).sort(), ['notifications/cancelled dt_key', 'tools/call dt_key']);
      });
  });
});
