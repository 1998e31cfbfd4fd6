import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHeaderProxy } from '../support/headerProxy.ts';
import type { HeaderProxy } from '../support/headerProxy.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { clientsOrSkip, runClient } from './installClients.ts';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly message?: string };
}

/**
 * Why a scenario doesn't apply to this service, in the words of the document, and the expected output of its checks.
 */
const reasons: readonly (readonly [words: string, says: RegExp])[] = [
  [
    'needs a tool from the suite’s own test server',
    /The tool test_\w+ doesn't exist\.|Tool 'json_schema_2020_12_tool' not found/,
  ],
  ['needs a resource from the suite’s own test server', /This resource doesn't exist/],
  ['needs a prompt from the suite’s own test server', /This prompt doesn't exist/],
  ['no subscriptions', /-32601: Method not found/],
  ['no logging', /-32601: Method not found/],
  ['no completions', /-32601: Method not found/],
  ['no sessions and no streams', /did not provide session ID/],
];

describe('clients: the MCP conformance suite', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let proxy: HeaderProxy | undefined;
  let folder = '';
  let written: ReadonlyMap<string, string>;
  before(async function () {
    await clientsOrSkip(this);
    service = await fixture.start();
    // The suite doesn't send a key.
    proxy = await startHeaderProxy(service.mcpUrl, { 'x-api-key': service.apiKey });
    folder = await mkdtemp(join(tmpdir(), 'dialtree-conformance-'));
    const document = await readFile(join(import.meta.dirname, '../../docs/interface.md'), 'utf8');
    const section = /^## Conformance\n([^]*?)^## /m.exec(document)?.[1] ?? '';
    written = new Map(
      [...section.matchAll(/^\| (`.+) \| (.+) \|$/gm)].flatMap(([, names = '', outcome = '']) =>
        [...names.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [name, outcome]),
      ),
    );
  });
  after(async () => {
    await proxy?.close();
    await fixture.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const conformance = async (...args: readonly string[]) =>
    await runClient('@modelcontextprotocol/conformance/dist/index.js', args);
  const scenarios = async (): Promise<string[]> =>
    [...(await conformance('list', '--server')).stdout.matchAll(/^ +- ([\w-]+) \[/gm)].map(([, name = '']) => name);

  it('has only scenarios that the document lists', async () =>
    assert.deepEqual((await scenarios()).sort(), [...written.keys()].sort()));

  it('passes every scenario for a server of tools, and cleanly refuses the others', async () => {
    await conformance('server', '--url', proxy?.url ?? '', '--suite', 'all', '--output-dir', folder);
    const outcomes = new Map<string, Check[]>();
    for (const name of await readdir(folder)) {
      outcomes.set(
        /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name,
        JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[],
      );
    }
    assert.deepEqual([...outcomes.keys()].sort(), [...written.keys()].sort());
    for (const [name, checks] of outcomes) {
      const outcome = written.get(name) ?? '';
      const told = JSON.stringify(checks, undefined, 1);
      const passed = checks.length > 0 && checks.every(({ status }) => status === 'SUCCESS' || status === 'INFO');
      assert.equal(passed, outcome === 'passes', `${name}: ${told}`);
      if (passed) continue;
      const [, says] =
        reasons.find(([words]) => outcome.endsWith(words)) ?? assert.fail(`${name}: there is no reason “${outcome}”.`);
      for (const { status, errorMessage, details } of checks)
        if (status !== 'INFO') assert.match(errorMessage ?? details?.message ?? '', says, `${name}: ${told}`);
    }
  });

  it('passes without a key and without a proxy if no key is needed', async () => {
    for (const name of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
      const { status, stdout } = await conformance('server', '--url', service.mcpUrl, '--scenario', name);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/, name);
    }
  });
});
