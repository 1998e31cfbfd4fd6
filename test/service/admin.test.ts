import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DialtreeClient } from '../../src/client/client.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { skipFor } from '../support/skipFor.ts';
import { onPostgres } from '../support/testStore.ts';

const main = new URL('../../src/cli/dialtree.ts', import.meta.url);

describe('dialtree admin', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('lists workspaces, sets a tier and adds minutes, and leaves a running service alone @engine', async () => {
    const dataDir = await fixture.folder();
    const { assetsDir } = await serviceAssets();
    const databaseUrl = onPostgres() ? (await fixture.databaseOf(dataDir)).url : undefined;
    const admin = (
      ...args: string[]
    ): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [
            // Each process compiles the store's WebAssembly again: the optimising compiler costs more than it saves.
            '--liftoff-only',
            fileURLToPath(main),
            'admin',
            ...args,
            '--data',
            dataDir,
            '--assets',
            assetsDir,
            ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
          ],
          (_error, out, errors) => resolve({ code: child.exitCode ?? -1, out, errors }),
        );
      });
    if (!onPostgres()) assert.match((await admin('workspaces')).errors, /doesn't contain a store/);
    const service = await fixture.start({ dataDir });
    const registered = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      workspaceId: string;
      apiKey: string;
    };
    if (!onPostgres()) {
      assert.match((await admin('workspaces')).errors, /Stop it, then try again/);
      await service.close();
    }

    assert.equal((await admin('tier', registered.workspaceId, 'team')).code, 0);
    assert.equal((await admin('grant', registered.workspaceId, 'mapping', '2.5')).code, 0);
    const listed = JSON.parse((await admin('workspaces', '--json')).out) as {
      id: string;
      tier: string;
      unlimited: boolean;
    }[];
    assert.deepEqual(listed.map(({ tier, unlimited }) => [tier, unlimited]).sort(), [
      ['enterprise', true],
      ['team', false],
    ]);
    for (const bad of [
      ['tier', registered.workspaceId, 'gold'],
      ['grant', registered.workspaceId, 'mapping', '-1'],
      ['grant', 'x', 'mapping', '1'],
      ['invite', 'ann'],
      ['owner', registered.workspaceId, 'ann'],
      ['dance'],
    ])
      assert.equal((await admin(...bad)).code, 2, bad.join(' '));
    assert.match((await admin('invite', ' Ann@Example.com')).out, /^[\w-]{43}\n$/);
    assert.match((await admin('owner', registered.workspaceId, 'ann@example.com')).errors, /has no account here/);
    assert.equal((await admin('tier', '11111111-1111-4111-8111-111111111111', 'team')).code, 1);

    const again = onPostgres() ? service : await fixture.start({ dataDir });
    const usage = await new DialtreeClient({ baseUrl: again.baseUrl, apiKey: registered.apiKey }).call(
      'getWorkspaceUsage',
      {},
    );
    assert.deepEqual(
      [usage.tier, usage.limits.runs, usage.packs.map(({ pool, remaining }) => [pool, remaining])],
      ['team', 20, [['mapping', 2.5]]],
    );
  });

  it('takes the database from the environment, and reports errors in it without its password @engine', async function () {
    if (!onPostgres()) skipFor(this, 'it needs a Postgres server');
    const { url } = await fixture.databaseOf(await fixture.folder());
    const admin = (address: string): Promise<{ readonly code: number; readonly text: string }> =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [fileURLToPath(main), 'admin', 'workspaces', '--json'],
          { env: { ...process.env, DIALTREE_DATABASE_URL: address } },
          (_error, out, errors) => resolve({ code: child.exitCode ?? -1, text: `${out}${errors}` }),
        );
      });
    assert.deepEqual(await admin(url), { code: 0, text: '[]\n' });
    const absent = await admin(url.replace(/\/t_\w+$/, '/absent'));
    assert.equal(absent.code, 1);
    assert.match(absent.text, /The database "absent" doesn't exist/);
    assert.ok(!absent.text.includes(new URL(url).password));
    assert.equal((await admin('mysql://here/there')).code, 2);
  });
});
