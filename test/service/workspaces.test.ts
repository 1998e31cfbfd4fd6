import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import { freeGrant, limits, serverLimits, tiers } from '../../src/contract/limits.ts';
import { operations } from '../../src/contract/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { HumanError } from '../../src/contract/errors.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode, statsOf } from '../support/serviceScript.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { postJson } from '../support/postJson.ts';

const lab = '+12025550101';
const mobile = '+447400123456';
const otherMobile = '+12125550123';

describe('service: workspaces', function () {
  const fixture = new ServiceFixture();
  const sms = new SmsInbox();
  let time = new Date('2026-03-01T12:00:00.000Z');
  let service: Awaited<ReturnType<ServiceFixture['start']>>;

  before(async () => {
    service = await fixture.start({ sms, contact: 'ops@example.com', parts: { now: () => time } });
  });
  after(() => fixture.close());
  /** Few registrations are allowed per day, so each test runs a day later. */
  beforeEach(() => {
    time = new Date(time.getTime() + 24 * 3_600_000);
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${service.baseUrl}${path}`, init);
  async function register(): Promise<{
    readonly client: DialtreeClient;
    readonly workspaceId: string;
    readonly apiKey: string;
  }> {
    const response = await ask('/workspace/register', { method: 'POST' });
    assert.equal(response.status, 201);
    const { workspaceId, apiKey } = (await response.json()) as { workspaceId: string; apiKey: string };
    return { client: service.clientOf(apiKey), workspaceId, apiKey };
  }
  async function anchored(number = mobile) {
    const registered = await register();
    await registered.client.call('requestAnchorCode', { phoneNumber: number });
    const verified = await registered.client.call('verifyAnchorCode', {
      phoneNumber: number,
      code: sms.codeFor(number),
    });
    return { ...registered, verified };
  }

  it('register without a key; a new one can save tests but not call', async () => {
    const { client, workspaceId, apiKey } = await register();
    const usage = await client.call('getWorkspaceUsage', {});
    assert.equal(usage.workspaceId, workspaceId);
    assert.deepEqual(
      [usage.tier, usage.capacity, usage.claimed, usage.freeMinutes.mapping.remaining],
      ['free', 'metered', false, 0],
    );
    const keys = await client.call('listApiKeys', {});
    assert.deepEqual(
      keys.items.map(({ keyPrefix, scopes }) => [
        apiKey.startsWith(keyPrefix),
        scopes.includes('billing:write'),
        scopes.includes('workspace:admin'),
      ]),
      [[true, false, true]],
    );
    const job = await client.call('createMapping', { phoneNumber: lab });
    const noMinutes =
      "This workspace has no minutes left for mapping. The key stays valid. Verify a person's mobile number (requestAnchorCode) to get free minutes, once per number. " +
      'A person can claim the workspace (getClaimLink). The operator of this server can grant more minutes: ops@example.com.';
    await assert.rejects(client.call('startMapping', { id: job.id }), {
      status: 402,
      code: 'capacity_exhausted',
      message: noMinutes,
    });
    assert.equal((await client.call('planCalls', { mappingId: job.id })).refusal?.message, noMinutes);
    assert.equal(usage.contact, 'ops@example.com');
    const refused = await ask(`/mapping/${job.id}/start`, { method: 'POST', headers: { 'x-api-key': apiKey } });
    assert.deepEqual(((await refused.json()) as { claim: unknown }).claim, {
      method: 'POST',
      path: '/claim',
      tool: 'getClaimLink',
    });
    assert.equal((await client.call('getMapping', { id: job.id })).runNumber, undefined, 'nothing was begun');
  });

  it('get only advice that works here when no minutes are left, in the plan too', async () => {
    const silent = await fixture.start({ contact: 'ops@example.com' });
    const registered = await silent.client.call('registerWorkspace', {});
    const client = silent.clientOf(registered.apiKey);
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    const message =
      'This workspace has no minutes left for mapping. The key stays valid. A person can claim the workspace (getClaimLink). The operator of this server can grant more minutes: ops@example.com.';
    const claim = { method: 'POST', path: '/claim', tool: 'getClaimLink' };
    await assert.rejects(client.call('startMapping', { id }), { status: 402, message });
    const { budget, refusal } = await client.call('planCalls', { mappingId: id });
    assert.deepEqual([budget.fits, budget.minutesLeft], [false, 0], 'nothing fits into no minutes');
    assert.deepEqual([refusal?.message, refusal?.claim], [message, claim]);
  });

  it('say how to get consent for a number, by who owns the workspace', async () => {
    const [phoneNumber, person] = ['+12125550123', '+447400111222'];
    const { client } = await register();
    await client.call('requestAnchorCode', { phoneNumber: person });
    await client.call('verifyAnchorCode', { phoneNumber: person, code: sms.codeFor(person) });
    const refusalOf = async (by = client) => (await by.call('planCalls', { mapping: { phoneNumber } })).refusal;
    const unclaimed = await refusalOf();
    assert.match(
      unclaimed?.message ?? '',
      /needs consent\. Have a person claim the workspace: getClaimLink \(POST \/v1\/claim\) returns the link\./,
    );
    assert.deepEqual(unclaimed?.claim, { method: 'POST', path: '/claim', tool: 'getClaimLink' });
    const byOwner = await refusalOf(service.client);
    assert.match(byOwner?.message ?? '', /needs consent\. Start the calls in the editor and confirm/);
    assert.equal(byOwner?.claim, undefined);
    const { apiKey } = await service.client.call('createApiKey', { name: 'agent', limits: {} });
    const byProgram = await refusalOf(service.clientOf(apiKey));
    assert.match(byProgram?.message ?? '', /consent\. This API key can't give consent\. Ask the person responsible/);
  });

  it('answer a caller without a key with the operation that creates one', async () => {
    const messageOf = async (response: Response): Promise<string> =>
      ((await response.json()) as { message: string }).message;
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listMappings', arguments: {} } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const tool = await fetch(service.mcpUrl, { method: 'POST', headers, body: JSON.stringify(call) });
    assert.match(await messageOf(tool), /registerWorkspace/);
    assert.match(await messageOf(await ask('/mapping')), /registerWorkspace \(POST \/v1\/workspace\/register\)/);
    assert.match(await messageOf(await ask('/mapping', { headers: { 'x-api-key': 'dt_wrong' } })), /isn't valid/);
  });

  it('limit a network to a few registrations per hour @engine', async () => {
    for (let count = 0; count < serverLimits.registrations.networkAnHour; count += 1) await register();
    const refused = await ask('/workspace/register', { method: 'POST' });
    assert.equal(refused.status, 429);
    const { retryAfterSeconds } = (await refused.json()) as { retryAfterSeconds: number };
    assert.equal(retryAfterSeconds, 3600);
    assert.equal(refused.headers.get('retry-after'), '3600');
    time = new Date(time.getTime() + 3_600_000);
    await register();
  });

  it('show an agent without a key the tools, let it register, and nothing else', async () => {
    const send = async (method: string, params: object) =>
      await postJson(service.mcpUrl, { jsonrpc: '2.0', id: 1, method, params });
    assert.equal((await send('tools/list', {})).status, 200);
    const registered = (await (await send('tools/call', { name: 'registerWorkspace', arguments: {} })).json()) as {
      result: { structuredContent: { apiKey: string } };
    };
    await service.clientOf(registered.result.structuredContent.apiKey).call('listMappings', {});
    assert.equal((await send('tools/call', { name: 'listMappings', arguments: {} })).status, 401);
    assert.equal((await send('resources/list', {})).status, 401);
    assert.equal((await ask('/mapping')).status, 401);
    assert.equal(
      (await ask('/workspace/register', { method: 'POST', headers: { 'x-api-key': 'dt_wrong' } })).status,
      401,
      'a wrong key is no key',
    );
  });

  it('grant a verified person free minutes, once per number @engine', async () => {
    const { client, verified } = await anchored();
    assert.equal(verified.freeGrantOutcome, 'granted');
    const usage = await client.call('getWorkspaceUsage', {});
    assert.deepEqual(
      Object.fromEntries(Object.entries(usage.freeMinutes).map(([pool, { remaining }]) => [pool, remaining])),
      freeGrant.minutes,
    );
    assert.equal(usage.enrichmentTokens.remaining, freeGrant.enrichmentTokens);
    assert.deepEqual(
      usage.anchors.map(({ phoneNumber }) => phoneNumber),
      [mobile],
    );
    await assert.rejects(
      client.call('verifyAnchorCode', { phoneNumber: mobile, code: sms.codeFor(mobile) }),
      { status: 400, reason: 'bad_code' },
      'a code serves once',
    );
    await client.call('requestAnchorCode', { phoneNumber: mobile });
    assert.equal(
      (await client.call('verifyAnchorCode', { phoneNumber: mobile, code: sms.codeFor(mobile) })).freeGrantOutcome,
      'already-granted',
    );

    const other = await register();
    await assert.rejects(other.client.call('requestAnchorCode', { phoneNumber: mobile }), {
      status: 409,
      reason: 'already_anchored',
    });
    await client.call('requestAnchorCode', { phoneNumber: otherMobile });
    await client.call('verifyAnchorCode', {
      phoneNumber: otherMobile,
      code: sms.codeFor(otherMobile),
      replaces: mobile,
    });
    await other.client.call('requestAnchorCode', { phoneNumber: mobile });
    const again = await other.client.call('verifyAnchorCode', { phoneNumber: mobile, code: sms.codeFor(mobile) });
    assert.equal(again.freeGrantOutcome, 'not-owed');
    assert.match(again.message ?? '', /claim the workspace \(getClaimLink\)/);
    assert.equal((await other.client.call('getWorkspaceUsage', {})).freeMinutes.mapping.remaining, 0);
  });

  it('replace a verified person before a code is sent, if no place is left @engine', async () => {
    const { client } = await register();
    const number = (last: number): string => `+44740033300${String(last)}`;
    const ask = async (phoneNumber: string, replaces?: string) => {
      time = new Date(time.getTime() + 3_600_000);
      return client.call('requestAnchorCode', { phoneNumber, ...(replaces !== undefined && { replaces }) });
    };
    for (let last = 0; last < limits.anchors.max; last += 1) {
      await ask(number(last));
      await client.call('verifyAnchorCode', { phoneNumber: number(last), code: sms.codeFor(number(last)) });
    }
    const sent = sms.count;
    await assert.rejects(ask(number(9)), { status: 403, reason: 'anchor_limit_reached' });
    await assert.rejects(ask(number(9), 'x'), { status: 400, reason: 'replaces_unparseable' });
    await assert.rejects(ask(number(9), number(9)), { status: 400, reason: 'survivor_is_target' });
    await assert.rejects(ask(number(9), number(8)), { status: 409, reason: 'not_held' });
    assert.equal(sms.count, sent, 'what is refused sends nothing');
    await ask(number(9), number(1));
    const held = async (): Promise<string[]> =>
      (await client.call('getWorkspaceUsage', {})).anchors.map(({ phoneNumber }) => phoneNumber).sort();
    assert.deepEqual(await held(), [number(0), number(1), number(2)], 'nobody is replaced before the code came');
    await client.call('verifyAnchorCode', {
      phoneNumber: number(9),
      code: sms.codeFor(number(9)),
      replaces: number(1),
    });
    assert.deepEqual(await held(), [number(0), number(2), number(9)]);
  });

  it('replace a verified person without removing one', async () => {
    const [number, second] = ['+447400555501', '+447400555502'];
    const { client, apiKey } = await anchored(number);
    const held = async (): Promise<string[]> =>
      (await client.call('getWorkspaceUsage', {})).anchors.map(({ phoneNumber }) => phoneNumber);
    const minutes = async (): Promise<number> =>
      (await client.call('getWorkspaceUsage', {})).freeMinutes.mapping.remaining;
    const before = await minutes();
    const headers = { 'x-api-key': apiKey };
    assert.equal((await ask(`/workspace/anchors/${number}`, { method: 'DELETE', headers })).status, 404);
    assert.deepEqual(await held(), [number]);
    await client.call('requestAnchorCode', { phoneNumber: second, replaces: number });
    await client.call('verifyAnchorCode', { phoneNumber: second, code: sms.codeFor(second), replaces: number });
    assert.deepEqual(await held(), [second]);
    assert.ok((await minutes()) >= before, 'what was granted stays');
    await client.call('requestAnchorCode', { phoneNumber: number });
    assert.equal(
      (await client.call('verifyAnchorCode', { phoneNumber: number, code: sms.codeFor(number) })).freeGrantOutcome,
      'already-granted',
    );
  });

  it('refuse an unreadable number with an example that they accept', async () => {
    const { client } = await register();
    for (const input of [{ phoneNumber: 'hello' }, { phoneNumber: mobile, replaces: 'x' }]) {
      const refused: unknown = await client.call('requestAnchorCode', input).catch((error: unknown) => error);
      const [example = ''] = /\+\d+/.exec(String(refused)) ?? [];
      assert.deepEqual(await client.call('requestAnchorCode', { phoneNumber: example }), { sent: true });
    }
  });

  it('refuse numbers and codes, each with its reason', async () => {
    const { client } = await register();
    const request = (phoneNumber: string) => client.call('requestAnchorCode', { phoneNumber });
    await assert.rejects(request('hello'), { status: 400, reason: 'unparseable' });
    await assert.rejects(request('+33612345678'), { status: 400, reason: 'country_not_supported' });
    await assert.rejects(request('+442079460958'), { status: 400, reason: 'not_a_mobile' });
    const number = '+447400654321';
    await request(number);
    const code = sms.codeFor(number);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (input: object) => client.call('verifyAnchorCode', { phoneNumber: number, code, ...input });
    await assert.rejects(verify({ replaces: 'x' }), { status: 400, reason: 'replaces_unparseable' });
    await assert.rejects(verify({ replaces: number }), { status: 400, reason: 'survivor_is_target' });
    await assert.rejects(verify({ replaces: '+447400999999' }), { status: 409, reason: 'not_held' });
    for (let tries = 0; tries < limits.anchors.wrongTries; tries += 1)
      await assert.rejects(verify({ code: wrong }), { status: 400, reason: 'bad_code' });
    await assert.rejects(verify({}), { status: 400, reason: 'bad_code' }, 'wrong tries kill a code');
    await request(number);
    time = new Date(time.getTime() + limits.anchors.codeSeconds * 1000 + 1);
    await assert.rejects(verify({ code: sms.codeFor(number) }), { status: 400, reason: 'bad_code' }, 'codes expire');
    for (let more = 2; more < limits.anchors.codesAnHour; more += 1) await request(number);
    const error: unknown = await request(number).catch((thrown: unknown) => thrown);
    assert.ok(
      error instanceof Error &&
        'status' in error &&
        error.status === 429 &&
        'retryAfter' in error &&
        Number(error.retryAfter) > 0,
    );
    time = new Date(time.getTime() + 3_600_000);
    sms.failure = new HumanError('down', { status: 502, code: 'sms_failed' });
    await assert.rejects(request(number), { status: 502, code: 'sms_failed' }).finally(() => {
      sms.failure = undefined;
    });
  });

  it('meter a run once, and refuse runs when the minutes are used up @engine', async () => {
    const { client } = await anchored('+447400111111');
    const job = await client.call('createMapping', { phoneNumber: lab });
    const map = async (callSeconds: number): Promise<number | undefined> => {
      await client.call('startMapping', { id: job.id });
      const run = await fixture.crawl.next();
      run.found(rootNode(), leafNode('1'));
      run.end({ stats: statsOf({ callsPlaced: 1, callSeconds }) });
      await client.waitForRun(job.id);
      return run.options.budgetSeconds;
    };
    assert.equal(await map(3000), freeGrant.minutes.mapping * 60);
    const usage = await client.call('getWorkspaceUsage', {});
    assert.deepEqual(
      [
        usage.freeMinutes.mapping.used,
        usage.freeMinutes.mapping.remaining,
        usage.period.minutes.mapping,
        usage.runsInFlight,
      ],
      [50, 10, 50, 0],
    );
    assert.equal(await map(700), 600, 'a run may use what is left');
    await assert.rejects(map(1), { status: 402 });
    assert.equal((await client.call('getWorkspaceUsage', {})).freeMinutes.mapping.remaining, 0);
  });

  it("hold runs in flight to the tier's ceiling @engine", async () => {
    const { client, apiKey } = await anchored('+447400222222');
    const jobs = await Promise.all(
      [1, 2, 3].map(() => client.call('createMapping', { phoneNumber: lab, config: { maxCalls: 10 } })),
    );
    const launched = await Promise.allSettled(
      jobs.map((job) =>
        fetch(`${service.baseUrl}/mapping/${job.id}/start`, {
          method: 'POST',
          headers: { 'x-api-key': service.apiKey },
        }),
      ),
    );
    assert.ok(
      launched.every((answer) => answer.status === 'fulfilled' && answer.value.status === 404),
      'jobs of another workspace do not exist',
    );
    const answers = await Promise.allSettled(jobs.map((job) => client.call('startMapping', { id: job.id })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'rejected']);
    const waiting = jobs[answers.findIndex(({ status }) => status === 'rejected')]?.id ?? '';
    const refused = await ask(`/mapping/${waiting}/start`, { method: 'POST', headers: { 'x-api-key': apiKey } });
    const { code, ...body } = (await refused.json()) as { code: string };
    assert.deepEqual([refused.status, code], [429, 'concurrency_ceiling']);
    assert.deepEqual(
      [refused.headers.get('retry-after'), 'retryAfterSeconds' in body],
      [null, false],
      'it names no waiting time',
    );
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, tiers.free.runs);
    const running = jobs.filter((_job, index) => answers[index]?.status === 'fulfilled');
    await fixture.crawl.next();
    await fixture.crawl.next();
    for (const job of running) await client.call('cancelMapping', { id: job.id });
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0);
  });

  it('create keys with fewer scopes, never more, and revoke them @engine', async () => {
    const { client } = await register();
    const reader = await client.call('createApiKey', { name: 'reader', scopes: ['mapping:read', 'workspace:admin'] });
    const limited = service.clientOf(reader.apiKey);
    await limited.call('listMappings', {});
    await assert.rejects(limited.call('createMapping', { phoneNumber: lab }), { status: 403, code: 'missing_scope' });
    await assert.rejects(limited.call('createApiKey', { name: 'more', scopes: ['mapping:write'] }), {
      status: 403,
      code: 'missing_scope',
    });
    assert.equal('apiKey' in ((await client.call('listApiKeys', {})).items[0] ?? {}), false);
    assert.ok((await client.call('revokeApiKey', { id: reader.id })).revokedAt);
    await assert.rejects(limited.call('listMappings', {}), { status: 401 });
    const [last] = (await client.call('listApiKeys', {})).items.filter(({ revokedAt }) => revokedAt === undefined);
    await assert.rejects(client.call('revokeApiKey', { id: last?.id ?? '' }), { status: 409, code: 'last_key' });
  });

  it("hide other workspaces' data from every operation that takes an ID", async () => {
    const mine = service.client;
    const job = await mine.call('createMapping', { phoneNumber: lab });
    const mission = await mine.call('createMissionTestConfig', missionInput(lab));
    const test = await mine.call('createTestConfig', scriptInput(lab));
    const key = await mine.call('createApiKey', { name: 'k' });
    let { client } = await register();
    const tried: string[] = [];
    for (const [name, { input, rest }] of Object.entries<Operation>(operations)) {
      const fields = [...rest.path.matchAll(/\{(id|runId)\}/g)].map(([, field = '']) => field);
      for (const id of fields.length === 0 ? [] : [job.id, mission.id, test.id, key.id]) {
        const given = {
          ...Object.fromEntries(fields.map((field) => [field, id])),
          ...(name.startsWith('update') ? { name: 'taken' } : {}),
          ...(name === 'compareMappingRuns' ? { base: 1 } : {}),
          ...(name === 'guideTestRun' ? { step: { name: 'end', action: { type: 'hangUp' } } } : {}),
        };
        if (!input.safeParse(given).success) continue;
        tried.push(name);
        // Each foreign key stays within its tier's request rate.
        if (tried.length % (tiers.free.requestsPerMinute - 5) === 0) {
          time = new Date(time.getTime() + 3_600_000);
          ({ client } = await register());
        }
        await assert.rejects(
          client.call(name as 'getMapping', given as unknown as { id: string }),
          { status: 404 },
          name,
        );
      }
    }
    const withIds = Object.entries<Operation>(operations)
      .filter(([, { rest }]) => /\{(?:id|runId)\}/.test(rest.path))
      .map(([name]) => name);
    assert.deepEqual([...new Set(tried)].sort(), withIds.sort());
    assert.deepEqual((await client.call('listMappings', {})).items, []);
    assert.deepEqual((await client.call('listMissionTestConfigs', {})).items, []);
    assert.deepEqual((await client.call('listTestConfigs', {})).items, []);
    assert.equal((await mine.call('getMissionTestConfig', { id: mission.id })).name, mission.name);
    const other = { id: mission.id, name: 'x', phoneNumber: lab, mission: 'm', acceptance: 'a' };
    assert.equal((await client.call('createMissionTestConfig', other)).id, mission.id);
    assert.equal((await mine.call('getMissionTestConfig', { id: mission.id })).name, mission.name);
  });
});
