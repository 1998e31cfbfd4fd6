import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../src/contract/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { clientsOrSkip, runClient } from './installClients.ts';
import type { Ended } from './installClients.ts';

/** The exit statuses of the Inspector: a key was refused, and a tool returned an error. */
const [refused, toolError] = [3, 5];

describe('clients: the MCP Inspector', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let home: string;
  before(async function () {
    await clientsOrSkip(this);
    home = await mkdtemp(join(tmpdir(), 'dialtree-inspector-'));
    service = await fixture.start();
  });
  after(async () => {
    await fixture.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  const inspect = async (key: string | undefined, ...args: readonly string[]): Promise<Ended> =>
    await runClient(
      '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      [
        '--cli',
        service.mcpUrl,
        '--transport',
        'http',
        '--stored-auth-only',
        '--format',
        'json',
        ...(key === undefined ? [] : ['--header', `x-api-key: ${key}`]),
        ...args,
      ],
      { HOME: home, USERPROFILE: home, MCP_CATALOG_PATH: join(home, 'catalog.json') },
    );
  const call = async (key: string | undefined, tool: string, input: object = {}): Promise<Ended> =>
    await inspect(key, '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input));
  const resultOf = ({
    stdout,
  }: Ended): { readonly isError?: boolean; readonly structuredContent: Readonly<Record<string, unknown>> } =>
    (JSON.parse(stdout) as { result: never }).result;

  it('lists every tool and reports no problem in a schema', async () => {
    const listed = await inspect(service.apiKey, '--method', 'tools/list', '--strict');
    assert.equal(listed.status, 0, listed.stderr);
    assert.doesNotMatch(listed.stderr, /Warning|Error/);
    const { tools } = resultOf(listed) as unknown as { tools: { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name).sort(),
      Object.entries<Operation>(operations)
        .filter(([, { tool }]) => tool !== undefined)
        .map(([name]) => name)
        .sort(),
    );
  });

  it('calls tools, and shows results and errors as the service returned them', async () => {
    const created = await call(service.apiKey, 'createMapping', {
      phoneNumber: '+12025550101',
      name: 'by the Inspector',
    });
    assert.equal(created.status, 0, created.stderr);
    const { id } = resultOf(created).structuredContent;
    assert.equal(
      resultOf(await call(service.apiKey, 'getMapping', { id })).structuredContent['name'],
      'by the Inspector',
    );
    const wrong = await call(service.apiKey, 'getMapping', { id: 'nonsense' });
    assert.equal(wrong.status, toolError, wrong.stderr);
    const { isError, structuredContent } = resultOf(wrong);
    assert.deepEqual(
      [isError, structuredContent['status'], structuredContent['code'], structuredContent['message']],
      [true, 400, 'invalid_request', 'id: Give an id (a UUID), such as 3f8e7a52-0c1d-4b6e-9a57-2d8c1e4f6b90.'],
    );
  });

  it('shows what is wrong with its key: a wrong one anywhere, a missing one for operations that need it', async () => {
    for (const { status, stderr } of [
      await inspect('dt_wrong', '--method', 'tools/list'),
      await call('dt_wrong', 'listMappings'),
    ]) {
      assert.equal(status, refused, stderr);
      assert.match(stderr, /The API key isn't valid, or was revoked\. Send a valid key in the header x-api-key\./);
    }
    const { status, stderr } = await call(undefined, 'listMappings');
    assert.equal(status, refused, stderr);
    assert.match(stderr, /registerWorkspace/);
  });

  it('sees the tools without a key, registers, and continues with the new key', async () => {
    assert.equal((await inspect(undefined, '--method', 'tools/list')).status, 0);
    const { apiKey } = resultOf(await call(undefined, 'registerWorkspace')).structuredContent as { apiKey: string };
    assert.deepEqual(resultOf(await call(apiKey, 'listMappings')).structuredContent, { items: [] });
  });
});
