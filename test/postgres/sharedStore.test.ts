import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DialtreeClient } from '../../src/client/client.ts';
import type { Store } from '../../src/service/store/store.ts';
import { grantPack, setTier } from '../../src/service/workspaces/operator.ts';
import { PostgresServer } from '../../src/service/store/postgresServer.ts';
import { RateLimit } from '../../src/service/workspaces/rateLimit.ts';
import { countInPostgres } from '../../src/service/workspaces/requestCounts.ts';
import { testStepSchema } from '../../src/contract/testConfigs.ts';
import { tiers } from '../../src/contract/limits.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { createDatabase } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { JsonProcess } from '../support/serviceProcess.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode, statsOf } from '../support/serviceScript.ts';
import { createReadyDatabase, openPostgres } from '../support/testStore.ts';
import { eventually } from '../support/eventually.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { takeStep } from '../support/takeStep.ts';

const lab = '+12025550101';

describe('several processes on one Postgres', function () {
  const fixture = new ServiceFixture();
  const children: JsonProcess[] = [];
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await createReadyDatabase();
    store = await openPostgres(database.url);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await fixture.close();
    await store.close();
    await database.drop();
  });

  const start = (role: 'all' | 'api' | 'worker', dataDir?: string) =>
    fixture.startShared({ databaseUrl: database.url, role, ...(dataDir !== undefined && { dataDir }) });

  /** Creates a workspace with a key, on this tier and with minutes to call. */
  async function newWorkspace(
    baseUrl: string,
    tier: 'free' | 'starter' = 'starter',
  ): Promise<{ readonly workspaceId: string; readonly apiKey: string }> {
    const registered = await new DialtreeClient({ baseUrl }).call('registerWorkspace', {});
    await setTier(store, registered.workspaceId, tier, new Date());
    await grantPack(store, registered.workspaceId, 'mapping', 10_000, new Date());
    return registered;
  }

  async function launchChild(
    plan: 'hang' | 'finish',
  ): Promise<{ readonly child: JsonProcess; readonly baseUrl: string }> {
    const child = new JsonProcess(new URL('../support/serviceChild.ts', import.meta.url), [
      await fixture.folder(),
      plan,
      database.url,
    ]);
    children.push(child);
    return { child, baseUrl: String((await child.line('ready'))['baseUrl']) };
  }

  const ledger = () => store.db.selectFrom('ledger').selectAll().execute();
  const runsInFlight = async (client: DialtreeClient): Promise<number> =>
    (await client.call('getWorkspaceUsage', {})).runsInFlight;

  it('admits exactly five of 200 simultaneous launches at a ceiling of five, over two processes', async () => {
    // The limit of requests per minute is separate and lower, so it is left out here.
    const parts = { rateLimit: { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) } };
    const start = () => fixture.startShared({ databaseUrl: database.url, role: 'api', parts });
    const [first, second] = [await start(), await start()];
    const { apiKey, workspaceId } = await newWorkspace(first.baseUrl);
    const jobs = Array.from({ length: 200 }, () => randomUUID());
    const profile = await store.db
      .selectFrom('workspaces')
      .select('default_profile_id')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const config = { mappingMode: 'hybrid', maxDepth: 2, maxCalls: 5, probeMode: 'off', concurrency: 1 };
    await store.write((transaction) =>
      transaction
        .insertInto('mapping_jobs')
        .values(
          jobs.map((id) => ({
            id,
            workspace_id: workspaceId,
            name: 'n',
            phone_number: lab,
            profile_id: profile.default_profile_id,
            tags: '[]',
            config: JSON.stringify(config),
            created_at: new Date(),
          })),
        )
        .execute(),
    );
    const answers = await Promise.all(
      jobs.map((id, index) =>
        fetch(`${(index % 2 === 0 ? first : second).baseUrl}/mapping/${id}/start`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    const count = (status: number): number => statuses.filter((one) => one === status).length;
    assert.equal(tiers.starter.runs, 5);
    assert.equal(count(202), 5);
    assert.equal(count(429), 195, `statuses: ${[...new Set(statuses)].join(', ')}`);
    assert.equal((await store.db.selectFrom('mapping_runs').selectAll().execute()).length, 5);
    assert.equal((await store.db.selectFrom('slots').selectAll().execute()).length, 5);
  });

  it('counts the requests of a minute over all processes, exactly', async () => {
    const servers = [new PostgresServer(database.url, silentLog), new PostgresServer(database.url, silentLog)];
    try {
      const limits = servers.map((server) => new RateLimit(countInPostgres(server)));
      const principal = { workspaceId: randomUUID(), keyId: 'k', tier: 'free' as const, scopes: new Set<never>() };
      const waits = await Promise.all(Array.from({ length: 200 }, (_, index) => limits[index % 2]!.take(principal)));
      assert.equal(waits.filter((wait) => wait === 0).length, tiers.free.requestsPerMinute);
    } finally {
      for (const { pool } of servers) await pool.end();
    }
  });

  it('starts a run in one process and performs it in another, and notifies listeners of both', async () => {
    const api = await start('api');
    const worker = await start('worker');
    const client = api.clientOf((await newWorkspace(api.baseUrl)).apiKey);
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    const watch = new EventWatch(client);
    await watch.ready;
    await client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode(), leafNode('1'));
    await watch.until(async () => (await client.call('getMappingTree', { id, format: 'flat' })).steps?.length === 2);
    run.end({ stats: statsOf({ callsPlaced: 1, callSeconds: 42 }) });
    await watch.until(async () => (await client.call('getMapping', { id })).status === 'idle');
    await watch.close();
    assert.deepEqual(
      (await ledger()).map(({ seconds }) => seconds),
      [42],
    );
    assert.equal(
      (await fetch(`${worker.baseUrl}/mapping`, { headers: { 'x-api-key': 'x' } })).status,
      404,
      'a worker serves no interface',
    );
    assert.equal((await fetch(worker.baseUrl.replace(/v1$/, 'readyz'))).status, 200);
  });

  it('cancels a run that another process performs, and resolves when it has ended', async () => {
    const api = await start('api');
    await start('worker');
    const client = api.clientOf((await newWorkspace(api.baseUrl)).apiKey);
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode());
    const cancelled = await client.call('cancelMapping', { id });
    assert.equal(run.options.signal.aborted, true);
    assert.deepEqual([cancelled.status, cancelled.currentRun?.status], ['idle', 'failed']);
    assert.match(cancelled.currentRun?.reason ?? '', /Cancelled/);
    assert.equal(await runsInFlight(client), 0);
  });

  it('guides a run that another process performs, even if a notice is lost', async () => {
    const calls = new ScriptedCalls();
    const parts = { perform: calls.perform };
    const [api, worker] = [
      await start('api'),
      fixture.startShared({ databaseUrl: database.url, role: 'worker', parts }),
    ];
    await worker;
    const { apiKey, workspaceId } = await newWorkspace(api.baseUrl);
    await grantPack(store, workspaceId, 'testing', 100, new Date());
    const client = api.clientOf(apiKey);
    const launched = await client.call('runTest', { configId: randomUUID(), test: scriptInput(lab), guided: true });
    const runId = launched.items[0]?.id ?? '';
    const call = await calls.next();
    for (const keys of ['1', '2', '3']) {
      await client.call('guideTestRun', { runId, step: { name: keys, action: { type: 'press', keys } } });
      if (keys !== '2') assert.equal((await takeStep(call)).name, keys === '1' ? '1' : '2');
    }
    assert.equal((await takeStep(call)).name, '3');
    const { plan } = await store.db.selectFrom('test_runs').select('plan').executeTakeFirstOrThrow();
    assert.ok(plan?.type === 'script');
    const given = [...(plan.given ?? []), testStepSchema.parse({ name: '4', action: { type: 'hangUp' } })];
    await store.db
      .updateTable('test_runs')
      .set({ plan: JSON.stringify({ ...plan, given }) })
      .execute();
    assert.equal((await takeStep(call)).name, '4');
    await client.call('cancelTestRun', { runId });
    assert.equal(call.options.signal.aborted, true);
    await assert.rejects(client.call('guideTestRun', { runId, step: { name: 'late', action: { type: 'hangUp' } } }), {
      status: 409,
      code: 'already_ended',
    });
  });

  it('ends runs and event streams of a key that another process revokes', async () => {
    const [first, second] = [await start('api'), await start('api')];
    await start('worker');
    const owner = first.clientOf((await newWorkspace(first.baseUrl)).apiKey);
    const { apiKey, id: keyId } = await owner.call('createApiKey', { name: 'agent' });
    const agent = second.clientOf(apiKey);
    const { id } = await agent.call('createMapping', { phoneNumber: lab });
    await agent.call('startMapping', { id });
    const run = await fixture.crawl.next();
    const listening = new EventWatch(agent);
    const refused = assert.rejects(listening.ended, { status: 401 });
    await listening.ready;
    await owner.call('revokeApiKey', { id: keyId });
    assert.equal(run.options.signal.aborted, true);
    assert.equal((await owner.call('getMapping', { id })).currentRun?.status, 'failed');
    assert.equal(await runsInFlight(owner), 0);
    await refused;
  });

  it('cancels a run that waits for a worker', async () => {
    const api = await start('api');
    const client = api.clientOf((await newWorkspace(api.baseUrl)).apiKey);
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    assert.equal(await runsInFlight(client), 1);
    await client.call('cancelMapping', { id });
    assert.equal(await runsInFlight(client), 0);
    const again = await client.call('startMapping', { id });
    assert.equal(again.currentRun?.runNumber, 2);
  });

  it('hands its runs to another process when it stops, which continues them', async () => {
    const dataDir = await fixture.folder();
    const first = await start('all', dataDir);
    const client = first.clientOf((await newWorkspace(first.baseUrl)).apiKey);
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    const begun = await fixture.crawl.next();
    const watch = new EventWatch(client);
    begun.found(rootNode(), leafNode('1'), leafNode('2', { status: 'exploring' }));
    begun.did({ callsPlaced: 2, callSeconds: 30 });
    await watch.until(async () => (await client.call('getMappingTree', { id, format: 'flat' })).steps?.length === 3);
    await watch.close();
    await start('all', dataDir);
    const [, resumed] = await Promise.all([first.close(), fixture.crawl.next()]);
    assert.equal(begun.options.signal.aborted, true);
    assert.deepEqual(
      resumed.options.resume?.map(({ id: node, status }) => [node, status]),
      [
        ['root', 'explored'],
        ['leaf-1', 'explored'],
        ['leaf-2', 'pending'],
      ],
    );
    resumed.end({ stats: statsOf({ callsPlaced: 1, callSeconds: 12 }) });
    const watched = (): Promise<{ readonly status: string } | undefined> =>
      store.db.selectFrom('mapping_runs').select('status').executeTakeFirst();
    while ((await watched())?.status === 'running')
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    assert.equal((await watched())?.status, 'completed');
    assert.deepEqual(
      (await ledger()).map(({ seconds }) => seconds),
      [42],
      'both parts, in one row',
    );
  });

  it('continues in another process after a SIGKILL, frees the slot, and counts the run exactly once', async () => {
    const api = await start('api');
    const client = api.clientOf((await newWorkspace(api.baseUrl)).apiKey);
    const { child } = await launchChild('hang');
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    await child.line('crawl');
    await eventually(client, async () => (await client.call('getMapping', { id })).currentRun?.stats.callsPlaced === 3);
    await child.kill();
    const { child: heir } = await launchChild('finish');
    const { resume } = await heir.line('crawl');
    assert.deepEqual(
      (resume as { id: string }[]).map((node) => node.id),
      ['root', 'leaf-1', 'leaf-2', 'leaf-3', 'leaf-4'],
    );
    const job = await client.waitForRun(id);
    assert.equal(job.currentRun?.status, 'completed');
    assert.equal(job.stats?.callsPlaced, 5);
    assert.equal(await runsInFlight(client), 0);
    assert.deepEqual(
      (await ledger()).map(({ seconds }) => seconds),
      [job.stats.callSeconds],
    );
  });

  it('frees the slots of a killed process within 30 seconds, with no worker left to continue', async () => {
    let now = new Date();
    const api = await fixture.startShared({ databaseUrl: database.url, role: 'api', parts: { now: () => now } });
    const { apiKey } = await newWorkspace(api.baseUrl);
    const client = api.clientOf(apiKey);
    const { child } = await launchChild('hang');
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    await child.line('crawl');
    await child.kill();
    assert.equal(await runsInFlight(client), 1);
    now = new Date(Date.now() + 30_000);
    assert.equal(await runsInFlight(client), 0);
    assert.equal((await client.call('getMapping', { id })).status, 'running', 'it waits for a worker');
  });

  it('creates the schema once if two processes start on an empty database at the same time', async () => {
    const empty = await createDatabase();
    try {
      const services = await Promise.all([1, 2].map(() => fixture.startShared({ databaseUrl: empty.url })));
      for (const { baseUrl } of services)
        assert.equal((await fetch(`${baseUrl}/workspace/register`, { method: 'POST' })).status, 201);
      await Promise.all(services.map((service) => service.close()));
    } finally {
      await empty.drop();
    }
  });

  it('reports what is wrong with an address, without its password', async () => {
    const url = new URL(database.url);
    const trials: readonly (readonly [Partial<URL>, RegExp])[] = [
      [{ port: '1' }, /Couldn't reach the database/],
      [{ pathname: '/nothing_here' }, /database "nothing_here" doesn't exist/],
      [{ password: 'swordfish' }, /rejected the user "\w+" or its password/],
      [{ protocol: 'mysql:' }, /Use the form postgres:/],
    ];
    for (const [change, message] of trials) {
      const wrong = new URL(url);
      if (change.protocol !== undefined)
        await assert.rejects(fixture.startShared({ databaseUrl: wrong.href.replace(/^postgres:/, 'mysql:') }), {
          message,
        });
      else
        await assert.rejects(
          fixture.startShared({ databaseUrl: Object.assign(wrong, change).href }),
          (error: Error) =>
            message.test(error.message) &&
            !error.message.includes('swordfish') &&
            !error.message.includes(url.password),
        );
    }
  });

  it("returns 503 while the database doesn't respond, and continues when it does", async () => {
    const api = await start('api');
    const { apiKey } = await newWorkspace(api.baseUrl);
    const client = api.clientOf(apiKey);
    const name = database.name;
    // Refuses new connections, and closes existing ones.
    const admin = new pg.Client({ connectionString: new URL('/postgres', database.url).href });
    await admin.connect();
    await store.close();
    try {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      const refused = await fetch(`${api.baseUrl}/mapping`, { headers: { 'x-api-key': apiKey } });
      assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [503, 'store_unreachable']);
      assert.equal((await fetch(api.baseUrl.replace(/v1$/, 'readyz'))).status, 503);
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      assert.deepEqual((await client.call('listMappings', {})).items, []);
      assert.equal((await fetch(api.baseUrl.replace(/v1$/, 'readyz'))).status, 200);
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
      store = await openPostgres(database.url);
    }
  });
});
