import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findInstallation } from '../../src/service/basics/installation.ts';
import { startService } from '../../src/service/service.ts';
import type { RunningService } from '../../src/service/service.ts';
import { PracticeLab } from '../practice/practiceCalls.ts';
import { testLog } from '../support/secretRegistry.ts';
import { strictArguments, strictSchema } from '../support/strictMode.ts';
import { clientsOrSkip, installed, runClient } from './installClients.ts';

type Members = Readonly<Record<string, unknown>>;
interface ListedTool {
  readonly name: string;
  readonly inputSchema: Members;
  readonly outputSchema?: Members | undefined;
}
/** A client of another project, as far as these tests use it. */
interface ForeignClient {
  listTools(): Promise<readonly ListedTool[]>;
  /** Resolves with the structured content. */
  call(tool: string, given: Members): Promise<Members>;
  close(): Promise<void>;
}

/** Each reading waits for the end, up to the longest wait. */
async function untilEnded(read: () => Promise<Members>): Promise<Members> {
  for (;;) {
    const run = await read();
    if (run['status'] !== 'running') return run;
  }
}

const transcripts = join(import.meta.dirname, '../.artifacts/clients');
const ivr = {
  name: 'Flowers',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the flower shop. For opening hours, press 1.',
      keys: { '1': 'hours' },
    },
    hours: { prompt: 'We are open from nine to five. Goodbye.', end: 'hangup' },
  },
};

/** Real calls over SIP on this machine, with synthesis and recognition. */
describe('clients: calls to a practice IVR', function () {
  let lab: PracticeLab | undefined;
  let service: RunningService | undefined;
  let folder = '';
  let target = '';
  before(async function () {
    await clientsOrSkip(this);
    folder = await mkdtemp(join(tmpdir(), 'dialtree-client-calls-'));
    await mkdir(transcripts, { recursive: true });
    lab = await PracticeLab.open();
    const { targets } = await lab.serve({ 'flowers.ivr.json': ivr });
    target = targets[0]?.uri ?? '';
    service = await startService({ dataDir: join(folder, 'data'), installation: findInstallation(), log: testLog });
  });
  after(async () => {
    await service?.close(() => true);
    await lab?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const key = (): { 'x-api-key': string } => ({ 'x-api-key': service?.apiKey ?? '' });
  const url = (): URL => new URL(service?.mcpUrl ?? '');
  const over = async (transport: Transport): Promise<ForeignClient> => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return {
      listTools: async () => (await client.listTools()).tools,
      async call(name, given) {
        const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...given } });
        assert.notEqual(isError, true, JSON.stringify(content));
        return structuredContent as Members;
      },
      close: () => client.close(),
    };
  };

  /** Lists the tools, then maps the practice IVR and tests it. Leaves a transcript in `test/.artifacts/clients`. */
  const mapAndTest = async (name: string, client: ForeignClient): Promise<void> => {
    const lines: string[] = [];
    const call = async (tool: string, given: Members): Promise<Members> => {
      const answer = await client.call(tool, given);
      lines.push(JSON.stringify({ tool, arguments: given, answer }));
      return answer;
    };
    try {
      const tools = await client.listTools();
      lines.push(JSON.stringify({ listed: tools.map((tool) => tool.name) }));
      assert.ok(tools.length > 40);
      const { id } = await call('createMapping', { phoneNumber: target, name, config: { maxDepth: 2, maxCalls: 5 } });
      const planned = await call('planCalls', { mappingId: id });
      assert.equal(planned['refusal'], undefined, JSON.stringify(planned));
      await call('startMapping', { id, waitSeconds: 45 });
      const { tree, status } = await untilEnded(() => call('getMappingTree', { id, waitSeconds: 45 }));
      assert.equal(status, 'completed');
      assert.match(JSON.stringify(tree), /opening hours/i);
      const config = await call('createTestConfig', {
        name,
        phoneNumber: target,
        steps: [
          { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome to the flower shop.' },
          { name: 'Hours', action: { type: 'press', keys: '1' }, expectedTranscript: 'We are open from nine to five.' },
        ],
      });
      const launched = await call('runTest', { configId: config['id'], waitSeconds: 45 });
      const runId = (launched['items'] as readonly { id: string }[])[0]?.id;
      const run = await untilEnded(() => call('getRunResults', { runId, waitSeconds: 45 }));
      // A busy machine can be too late to decide.
      assert.match(String(run['outcome']), /^(?:PASS|INCONCLUSIVE)$/, JSON.stringify(run));
    } finally {
      await client.close();
      await writeFile(join(transcripts, `${name}.jsonl`), `${lines.join('\n')}\n`);
    }
  };

  it("work from the Inspector's command line", async () => {
    const inspect = async (...args: readonly string[]): Promise<Members> => {
      const { status, stdout, stderr } = await runClient(
        '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
        [
          ...['--cli', url().href, '--transport', 'http', '--stored-auth-only', '--format', 'json'],
          ...['--header', `x-api-key: ${key()['x-api-key']}`],
          ...args,
        ],
        { HOME: folder, USERPROFILE: folder, MCP_CATALOG_PATH: join(folder, 'catalog.json') },
      );
      assert.equal(status, 0, stderr);
      return (JSON.parse(stdout) as { result: Members }).result;
    };
    await mapAndTest('inspector', {
      listTools: async () => (await inspect('--method', 'tools/list'))['tools'] as ListedTool[],
      call: async (tool, given) =>
        (await inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given)))[
          'structuredContent'
        ] as Members,
      close: () => Promise.resolve(),
    });
  });

  it('work with the SDK and an auth provider', async () => {
    const unused = (): never => assert.fail('a valid key needs no sign-in');
    await mapAndTest(
      'sdk-auth-provider',
      await over(
        new StreamableHTTPClientTransport(url(), {
          requestInit: { headers: key() },
          authProvider: {
            redirectUrl: 'http://127.0.0.1/callback',
            clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
            clientInformation: () => undefined,
            tokens: () => undefined,
            saveTokens: unused,
            redirectToAuthorization: unused,
            saveCodeVerifier: unused,
            codeVerifier: unused,
          },
        }),
      ),
    );
  });

  it('work with the second SDK, which asks for the newest protocol first', async () => {
    interface SecondSdk {
      readonly Client: new (
        info: object,
        options: object,
      ) => {
        connect(transport: object): Promise<void>;
        listTools(): Promise<{ tools: ListedTool[] }>;
        callTool(call: object): Promise<{ isError?: boolean; structuredContent: Members }>;
        close(): Promise<void>;
      };
      readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
    }
    const file = pathToFileURL(installed('@modelcontextprotocol/client/dist/index.mjs')).href;
    const sdk = (await import(file)) as SecondSdk;
    const client = new sdk.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new sdk.StreamableHTTPClientTransport(url(), { requestInit: { headers: key() } }));
    await mapAndTest('second-sdk', {
      listTools: async () => (await client.listTools()).tools,
      async call(name, given) {
        const { isError, structuredContent } = await client.callTool({ name, arguments: given });
        assert.notEqual(isError, true, JSON.stringify(structuredContent));
        return structuredContent;
      },
      close: () => client.close(),
    });
  });

  it('work through mcp-remote, which local clients start', async () => {
    await mapAndTest(
      'mcp-remote',
      await over(
        new StdioClientTransport({
          command: process.execPath,
          args: [
            installed('mcp-remote/dist/proxy.js'),
            `${url().href}/`,
            ...['--allow-http', '--header', `x-api-key:${key()['x-api-key']}`],
          ],
          env: { HOME: folder, USERPROFILE: folder, MCP_REMOTE_CONFIG_DIR: folder },
          stderr: 'ignore',
        }),
      ),
    );
  });

  it('work with a client that validates arguments and results with Ajv in strict mode', async () => {
    const client = await over(new StreamableHTTPClientTransport(url(), { requestInit: { headers: key() } }));
    const tools = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
    const assertValid = (schema: Members | undefined, value: unknown): void => {
      const validate = new Ajv2020({ strict: true, strictRequired: true }).compile(schema ?? assert.fail());
      assert.ok(validate(value), JSON.stringify([value, validate.errors]));
    };
    await mapAndTest('ajv-strict', {
      ...client,
      async call(name, given) {
        assertValid(tools.get(name)?.inputSchema, given);
        const answer = await client.call(name, given);
        assertValid(tools.get(name)?.outputSchema, answer);
        return answer;
      },
    });
  });

  it("work with a client in OpenAI's strict mode, which gives every argument", async () => {
    const client = await over(new StreamableHTTPClientTransport(url(), { requestInit: { headers: key() } }));
    const schemas = new Map((await client.listTools()).map(({ name, inputSchema }) => [name, inputSchema]));
    const strict: string[] = [];
    await mapAndTest('openai-strict', {
      ...client,
      async call(name, given) {
        const schema = schemas.get(name) ?? assert.fail(name);
        const changed = strictSchema(schema);
        if (!changed) return await client.call(name, given);
        strict.push(name);
        const all = strictArguments(schema, given) as Members;
        const validate = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes: true }).compile(changed);
        assert.ok(validate(all), JSON.stringify([all, validate.errors]));
        return await client.call(name, all);
      },
    });
    for (const name of ['createMapping', 'startMapping', 'getMapping', 'getMappingTree', 'getRunResults'])
      assert.ok(strict.includes(name), name);
  });
});
