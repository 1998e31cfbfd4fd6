import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { DialtreeClient } from '../../src/client/client.ts';
import { limits, quotas, serverLimits, tiers } from '../../src/contract/limits.ts';
import type { Quota } from '../../src/contract/limits.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { Signer } from '../../src/service/basics/signing.ts';
import { openEmbeddedStore } from '../../src/service/store/embeddedStore.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import type { Store } from '../../src/service/store/store.ts';
import { Claims, claimHash } from '../../src/service/people/claims.ts';
import { localWorkspaceId } from '../../src/service/workspaces/localKey.ts';
import { registerWorkspace } from '../../src/service/workspaces/registration.ts';
import { Sessions } from '../../src/service/people/sessions.ts';
import { keysOf } from '../support/keysOf.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { FormBrowser, throughMail } from '../support/formBrowser.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { onPostgres, openTestStore } from '../support/testStore.ts';
import { postJson } from '../support/postJson.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { silentSecond } from '../support/silentAudio.ts';

const lab = '+12025550101';
const steps = [{ name: 'dial', action: { type: 'dial' as const } }];
const free = tiers.free.stored;
/** Requests per minute are another limit. */
const rateLimit = { take: () => Promise.resolve(0), takeVisit: () => Promise.resolve(0) };
const exceeded =
  (quota: Quota, more: object = {}) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Error && 'status' in error && 'code' in error && 'details' in error);
    const { quota: told, used, limit } = error.details as { quota: string; used: number; limit: number };
    assert.deepEqual(
      { status: error.status, code: error.code, quota: told, limit, ...more },
      { status: 409, code: 'quota_exceeded', quota, limit: free[quota], ...more },
    );
    assert.ok(used <= limit && /Delete|Leave/.test(error.message), error.message);
    return true;
  };

describe('service: storage quotas of a workspace', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  const storedOf = async (client: DialtreeClient, quota: Quota): Promise<number | undefined> =>
    (await client.call('getWorkspaceUsage', {})).stored[quota]?.used;

  it('allow exactly what the tier says, under simultaneous creation, and deleting makes room @engine', async () => {
    const service = await fixture.start({ parts: { rateLimit } });
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const client = service.clientOf(apiKey);
    const creates = {
      mappings: () => client.call('createMapping', { phoneNumber: lab }),
      missionTests: () =>
        client.call('createMissionTestConfig', { name: 'm', phoneNumber: lab, mission: 'm', acceptance: 'a' }),
      tests: () => client.call('createTestConfig', { name: 't', phoneNumber: lab, steps }),
    };
    for (const [quota, create] of Object.entries(creates) as [
      keyof typeof creates,
      () => Promise<{ readonly id: string }>,
    ][]) {
      const answers = await Promise.allSettled(Array.from({ length: free[quota] + 5 }, () => create()));
      const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []));
      assert.equal(made.length, free[quota], quota);
      for (const answer of answers) if (answer.status === 'rejected') exceeded(quota)(answer.reason);
      assert.equal(await storedOf(client, quota), free[quota]);
      const remove = {
        mappings: 'deleteMapping',
        missionTests: 'deleteMissionTestConfig',
        tests: 'deleteTestConfig',
      } as const;
      await client.call(remove[quota], { id: made[0]! });
      await create();
      await assert.rejects(create(), exceeded(quota));
    }
    await service.client.call('createMapping', { phoneNumber: lab });
  });

  it('count each number with consent once @engine', async () => {
    const mail = new MailInbox();
    const service = await fixture.start({ mail, parts: { rateLimit } });
    const client = service.clientOf((await service.client.call('registerWorkspace', {})).apiKey);
    const { pathname } = new URL((await client.call('getClaimLink', {})).url);
    const person = { email: 'ann@example.com', password: 'correct horse battery' };
    const browser = new FormBrowser(service.baseUrl);
    assert.equal((await throughMail(browser, mail, pathname, person)).status, 303);
    const csrf = await browser.formToken();
    const { text } = await browser.post('/account/keys', { csrf, name: 'Owner', scope: 'workspace:admin' });
    const owner = service.clientOf(/dt_\w{8}_\w{43}/.exec(text)?.[0] ?? '');
    const consent = (index: number) =>
      owner.call('recordConsent', {
        phoneNumber: `+1202555${String(1000 + index)}`,
        statement: 'I may test this number',
      });
    for (let index = 0; index < free.consents; index += 1) await consent(index);
    await consent(0);
    await assert.rejects(consent(free.consents), {
      status: 409,
      code: 'quota_exceeded',
      message: /numbers with consent.*operator/,
    });
  });

  it('count steps and rows of tests: a test that grows needs room, and one that shrinks frees it @engine', async () => {
    const service = await fixture.start({ parts: { rateLimit } });
    const client = service.clientOf((await service.client.call('registerWorkspace', {})).apiKey);
    const rows = (bytes: number) =>
      Array.from({ length: Math.ceil(bytes / 1000) }, () => ({ a: 'x'.repeat(490), b: 'x'.repeat(490) }));
    const create = (bytes: number) =>
      client.call('createTestConfig', { name: 't', phoneNumber: lab, steps, rows: rows(bytes) });
    const answers = await Promise.allSettled(Array.from({ length: 25 }, () => create(500_000)));
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []));
    for (const answer of answers) if (answer.status === 'rejected') exceeded('testBytes')(answer.reason);
    const used = (await storedOf(client, 'testBytes')) ?? 0;
    assert.ok(
      made.length < 25 && used <= free.testBytes && used > free.testBytes - 1_000_000,
      `${String(made.length)} tests, ${String(used)} bytes`,
    );
    const [first = '', second = ''] = made;
    await client.call('updateTestConfig', { id: first, rows: null });
    await client.call('updateTestConfig', { id: first, rows: rows(480_000 + free.testBytes - used) });
    await assert.rejects(
      client.call('updateTestConfig', {
        id: second,
        steps: [
          ...steps,
          ...Array.from({ length: 150 }, () => ({
            name: 'say',
            action: { type: 'say' as const, text: 'x'.repeat(500) },
          })),
          ...Array.from({ length: 49 }, () => ({
            name: 'e',
            action: { type: 'expect' as const },
            expectedTranscript: 'word '.repeat(1500),
          })),
        ],
      }),
      exceeded('testBytes'),
    );
    assert.equal((await client.call('getTestConfig', { id: second })).steps.length, 1, 'nothing was changed');
    assert.equal((await client.call('updateTestConfig', { id: second, rows: null, name: 'smaller' })).name, 'smaller');
  });

  /** The local workspace, with the limits of the free tier, filled like this. */
  async function fullWorkspace(fill: (store: Store) => Promise<unknown>, within = fixture) {
    const calls = new ScriptedCalls();
    const dataDir = await within.folder();
    const options = { dataDir, parts: { rateLimit, perform: calls.perform } };
    const first = await within.start(options);
    await first.client.call('listMappings', {});
    await first.close();
    const store = onPostgres()
      ? await within.openDatabase(dataDir)
      : await openEmbeddedStore({
          folder: new DataFolder(dataDir),
          assetsDir: (await serviceAssets()).assetsDir,
          log: silentLog,
          now: () => new Date(),
        });
    try {
      await store.db
        .updateTable('workspaces')
        .set({ tier: 'free', unlimited: true })
        .where('id', '=', localWorkspaceId)
        .execute();
      await fill(store);
    } finally {
      await store.close();
    }
    return { ...(await within.start(options)), calls, dataDir };
  }
  const fillRuns = (store: Store, count: number) =>
    sql`INSERT INTO test_runs (id, workspace_id, run_type, outcome, phone_number, started_at, completed_at, result)
    SELECT gen_random_uuid(), ${localWorkspaceId}::uuid, 'standard', 'PASS', ${lab}, now(), now(), '{"steps":[]}' FROM generate_series(1, ${count}::integer)`.execute(
      store.db,
    );

  describe('of a workspace that has used them up', () => {
    const kept = new ServiceFixture();
    let full: Awaited<ReturnType<typeof fullWorkspace>>;
    before(async () => {
      full = await fullWorkspace(async (store) => {
        await fillRuns(store, free.testRuns - 1);
        const job = randomUUID();
        await store.db
          .insertInto('mapping_jobs')
          .values({
            id: job,
            workspace_id: localWorkspaceId,
            name: 'n',
            phone_number: lab,
            profile_id: randomUUID(),
            tags: '[]',
            config: '{}',
            created_at: new Date(),
          })
          .execute();
        await sql`INSERT INTO mapping_runs (id, job_id, run_number, status, stats, started_at, completed_at)
          SELECT gen_random_uuid(), ${job}::uuid, number, 'completed', '{}', now(), now() FROM generate_series(1, ${free.mappingRuns}::integer) AS number`.execute(
          store.db,
        );
        await sql`INSERT INTO load_tests (id, workspace_id, phone_number, concurrency, ramp_seconds, hold_seconds, status, started_at, completed_at)
          SELECT gen_random_uuid(), ${localWorkspaceId}::uuid, ${lab}, 1, 0, 0, 'completed', now(), now() FROM generate_series(1, ${free.loadTests}::integer)`.execute(
          store.db,
        );
        await sql`INSERT INTO idempotency_keys (workspace_id, key, request_sha256, at, answer)
      SELECT ${localWorkspaceId}::uuid, 'key ' || number, 'x', now(), '{"result":1}' FROM generate_series(1, ${free.answers}::integer) AS number`.execute(
          store.db,
        );
      }, kept);
    });
    after(() => kept.close());

    it("refuse a launch whose result they couldn't store, say so in the plan, and allow it once a run is deleted @engine", async () => {
      const { client, calls } = full;
      const { id: configId } = await client.call(
        'createTestConfig',
        scriptInput(lab, { steps, rows: [{ a: '1' }, { a: '2' }] }),
      );
      await assert.rejects(client.call('runTest', { configId }), exceeded('testRuns'));
      assert.equal((await client.call('planCalls', { testConfigId: configId })).refusal?.code, 'quota_exceeded');
      assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0);
      const [run] = (await client.call('runTest', { configId, rows: [{ a: '1' }] })).items;
      const call = await calls.next();
      await assert.rejects(client.call('deleteTestRun', { runId: run!.id }), { status: 409, code: 'already_running' });
      await assert.rejects(client.call('runTest', { configId, rows: [{ a: '1' }] }), exceeded('testRuns'));
      call.end();
      await client.waitForTestRun(run!.id);
      assert.deepEqual(await client.call('deleteTestRun', { runId: run!.id }), { deleted: true });
      await assert.rejects(client.call('getRunResults', { runId: run!.id }), { status: 404 });
      await assert.rejects(client.call('deleteTestRun', { runId: run!.id }), { status: 404 });
      assert.equal((await client.call('planCalls', { testConfigId: configId, rows: [{ a: '1' }] })).refusal, undefined);
    });

    it('refuse mappings and load tests over their limits', async () => {
      const { client } = full;
      const { id } = await client.call('createMapping', { phoneNumber: lab });
      await assert.rejects(client.call('startMapping', { id }), exceeded('mappingRuns'));
      assert.equal((await client.call('getMapping', { id })).status, 'idle');
      await assert.rejects(client.call('runLoadTest', { phoneNumber: lab, concurrency: 1 }), exceeded('loadTests'));
      const [load] = (await client.call('listLoadTests', { limit: 1 })).items;
      assert.deepEqual(await client.call('deleteLoadTest', { id: load!.id }), { deleted: true });
      assert.equal(await storedOf(client, 'loadTests'), free.loadTests - 1);
      await assert.rejects(client.call('deleteLoadTest', { id: load!.id }), { status: 404 });
    });

    it("limit the number and size of a day's answers stored for an Idempotency-Key @engine", async () => {
      const stored = await storedOf(full.client, 'mappings');
      const post = (key?: string): Promise<Response> =>
        postJson(
          `${full.baseUrl}/mapping`,
          { phoneNumber: lab },
          { 'x-api-key': full.apiKey, ...(key !== undefined && { 'idempotency-key': key }) },
        );
      const refused = await post('one-more');
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { details: { quota: string } }).details.quota],
        [409, 'answers'],
      );
      assert.equal(await storedOf(full.client, 'mappings'), stored, 'nothing was done');
      assert.equal((await post()).status, 201);
      const { answerBytes } = (await full.client.call('getWorkspaceUsage', {})).stored;
      assert.ok((answerBytes?.used ?? 0) >= free.answers * 13, 'answers are weighed');
    });
  });

  it('count recordings with their run, and free them with it @engine', async () => {
    const { client, calls, dataDir } = await fullWorkspace(async () => undefined);
    const { id: configId } = await client.call('createTestConfig', { name: 't', phoneNumber: lab, steps });
    const [run] = (await client.call('runTest', { configId })).items;
    const call = await calls.next();
    call.events.push({ type: 'audio', audio: silentSecond });
    call.end();
    await client.waitForTestRun(run!.id);
    assert.ok(((await storedOf(client, 'recordingBytes')) ?? 0) > 32_000);
    assert.ok(existsSync(join(dataDir, 'recordings', run!.id)));
    await client.call('deleteTestRun', { runId: run!.id });
    assert.deepEqual(
      [await storedOf(client, 'recordingBytes'), existsSync(join(dataDir, 'recordings', run!.id))],
      [0, false],
    );
  });

  it('allow no more calls once recordings are full', async () => {
    const { client } = await fullWorkspace(async (store) => {
      await fillRuns(store, 1);
      await store.db.updateTable('test_runs').set({ recording_bytes: free.recordingBytes }).execute();
    });
    const { id: configId } = await client.call('createTestConfig', { name: 't', phoneNumber: lab, steps });
    await assert.rejects(client.call('runTest', { configId }), exceeded('recordingBytes'));
    assert.equal((await client.call('planCalls', { testConfigId: configId })).refusal?.code, 'quota_exceeded');
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await assert.rejects(client.call('startMapping', { id }), exceeded('recordingBytes'));
  });

  it('refuse a launch with oversized plans, before anything is stored', async () => {
    const { client } = await fixture.start({ parts: { perform: new ScriptedCalls().perform } });
    const rows = Array.from({ length: limits.rows.max }, () => ({ a: '1' }));
    const long = [
      ...steps,
      ...Array.from({ length: 10 }, () => ({
        name: 'e',
        action: { type: 'expect' as const },
        expectedTranscript: 'word '.repeat(800),
      })),
    ];
    const { id: configId } = await client.call('createTestConfig', { name: 't', phoneNumber: lab, steps: long, rows });
    await assert.rejects(client.call('runTest', { configId }), {
      status: 400,
      code: 'launch_too_large',
      message: /32 MiB/,
    });
    assert.equal((await client.call('planCalls', { testConfigId: configId })).refusal?.code, 'launch_too_large');
    assert.equal(await storedOf(client, 'testRuns'), 0);
  });

  it("appear in the workspace's usage, and grow with each tier", async () => {
    const { client } = await fixture.start();
    await client.call('createMapping', { phoneNumber: lab });
    const { stored } = await client.call('getWorkspaceUsage', {});
    assert.deepEqual(Object.keys(stored).sort(), [...quotas].sort());
    assert.deepEqual(stored.mappings, { used: 1, limit: tiers.enterprise.stored.mappings });
    for (const quota of quotas) {
      const bounds = (['free', 'starter', 'team', 'enterprise'] as const).map((tier) => tiers[tier].stored[quota]);
      assert.deepEqual(
        bounds,
        [...new Set(bounds)].sort((one, other) => one - other),
        quota,
      );
    }
  });

  it('keep the newest revoked keys, claim links and sessions @engine', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const store = await openTestStore(() => now);
    const tick = (): void => {
      now = new Date(now.getTime() + 1000);
    };
    try {
      const { workspaceId, apiKey } = await registerWorkspace(store, '198.51.100.1', now);
      const keys = keysOf(store, () => now);
      const principal = { workspaceId, keyId: apiKey.slice(3, 11), tier: 'free' as const, scopes: new Set(scopes) };
      const ids: string[] = [];
      for (let count = 0; count < serverLimits.kept.revokedKeys + 3; count += 1) {
        tick();
        const { id } = await keys.create(principal, { name: 'k', scopes: ['mapping:read'] });
        ids.push(id);
        await keys.revoke(principal, id);
      }
      await keys.create(principal, { name: 'last', scopes: ['mapping:read'] });
      const revoked = (await keys.list(workspaceId))
        .filter(({ revokedAt }) => revokedAt !== undefined)
        .map(({ id }) => id);
      assert.deepEqual(revoked.sort(), ids.slice(3).sort());

      const claims = new Claims(
        store,
        () => now,
        (token) => token,
      );
      const links: string[] = [];
      for (let count = 0; count < serverLimits.kept.claimLinks + 2; count += 1) {
        tick();
        links.push((await claims.createLink(workspaceId)).url);
      }
      assert.deepEqual(
        await Promise.all(
          [links[1]!, links[2]!, links.at(-1)!].map(async (link) => (await claims.look(claimHash(link))).state),
        ),
        ['unknown', 'open', 'open'],
      );

      await store.db
        .insertInto('people')
        .values({ id: workspaceId, email: 'ann@example.com', password: 'x', created_at: now })
        .execute();
      await store.db.insertInto('memberships').values({ workspace_id: workspaceId, person_id: workspaceId }).execute();
      const sessions = new Sessions(store, new Signer(store.secret), () => now);
      const tokens: string[] = [];
      for (let count = 0; count < serverLimits.kept.sessions + 2; count += 1) {
        tick();
        tokens.push(await sessions.open(workspaceId, workspaceId));
      }
      assert.deepEqual(
        await Promise.all(
          [tokens[1]!, tokens[2]!, tokens.at(-1)!].map(async (token) => (await sessions.find(token)) !== undefined),
        ),
        [false, true, true],
      );
    } finally {
      await store.close();
    }
  });
});
