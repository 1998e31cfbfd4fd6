import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { linesSchema } from '../../src/contract/lines.ts';
import type { LineState } from '../../src/contract/lines.ts';
import { echoSecondsAtMost } from '../../src/engine/echo/echoCall.ts';
import { startEcho } from '../../src/practice/echo.ts';
import type { EchoServer } from '../../src/practice/echo.ts';
import { createLog } from '../../src/service/basics/log.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { CallLeg, IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';
import { revealedSecrets } from '../support/secretSearch.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { scriptInput } from '../support/savedInputs.ts';

const password = 'line-s3cret-pw';
const user = 'dialtree-user';

// Real SIP on loopback: an exchange from our test support that requires digest authentication, and one that echoes.
describe('service: lines', function () {
  const fixture = new ServiceFixture();
  const agents: { close(): Promise<void> }[] = [];
  let echo: EchoServer;
  beforeEach(async () => {
    echo = await startEcho({
      port: 0,
      challenge: { realm: 'lab', passwordOf: (name) => (name === user ? password : undefined) },
    });
  });
  afterEach(async () => {
    await fixture.close();
    await Promise.all([...agents.splice(0), echo].map((agent) => agent.close()));
  });

  const lines = (more: z.input<typeof linesSchema> = {}) =>
    linesSchema.parse({ lab: { kind: 'pbx', host: `127.0.0.1:${String(echo.port)}`, user, callerId: '600' }, ...more });
  const start = (options: Partial<ServiceOptions> = {}) =>
    fixture.start({ lines: lines(), linePasswords: { lab: password }, ...options });
  const stateOf = async (client: Awaited<ReturnType<typeof start>>['client'], name = 'lab'): Promise<LineState> =>
    (await client.call('listLines', {})).items.find((line) => line.name === name) ?? assert.fail();
  async function exchange(take: (leg: IncomingCallLeg) => void, challenged = true): Promise<SipAgent> {
    const agent = await startSipAgent({
      host: '127.0.0.1',
      ...(challenged && { challenge: { realm: 'lab', passwordOf: (name) => (name === user ? password : undefined) } }),
    });
    agent.onCall(take);
    agents.push(agent);
    return agent;
  }

  it('lists lines, checks whether one answers, and keeps the result', async () => {
    const service = await start();
    const { client } = service;
    assert.deepEqual(await stateOf(client), {
      name: 'lab',
      kind: 'pbx',
      address: `127.0.0.1:${String(echo.port)}`,
      numbers: [],
      callerId: '600',
      login: 'set',
      callsNow: 0,
    });
    const check = await client.call('checkLine', { name: 'lab' });
    assert.deepEqual([check.state, check.status], ['ok', 200]);
    assert.match(check.message, /answered after .* ms\. The called side accepts the login\.$/);
    assert.ok((check.roundTripMs ?? -1) >= 0);
    assert.deepEqual((await stateOf(client)).lastCheck, check);
    const mcp = await connectAgent(service);
    try {
      const call = async (name: string, args: object): Promise<Record<string, unknown>> =>
        (await mcp.callTool({ name, arguments: { ...args } })).structuredContent as Record<string, unknown>;
      assert.equal((await call('listLines', {}))['items'] instanceof Array, true);
      assert.equal((await call('checkLine', { name: 'lab' }))['state'], 'ok');
      assert.equal((await call('callLineEcho', { name: 'lab', number: 'echo' }))['outcome'], 'heard');
    } finally {
      await mcp.close();
    }
  });

  it('uses TCP if a line says so', async () => {
    const place = `127.0.0.1:${String(echo.port)}`;
    const { client } = await start({
      lines: lines({
        tcp: { kind: 'pbx', host: place, user, transport: 'tcp' },
      }),
      linePasswords: { lab: password, tcp: password },
    });
    assert.equal((await stateOf(client, 'tcp')).transport, 'tcp');
    assert.equal((await client.call('checkLine', { name: 'tcp' })).state, 'ok');
    assert.equal((await client.call('callLineEcho', { name: 'tcp', number: 'echo' })).outcome, 'heard');
  });

  it("distinguishes a wrong password, a missing one, and a line that doesn't answer", async () => {
    const wrong = await start({ linePasswords: { lab: 'wrong' } });
    assert.match((await wrong.client.call('checkLine', { name: 'lab' })).message, /rejects the user or password/);
    const missing = await start({ linePasswords: {} });
    assert.equal((await stateOf(missing.client)).login, 'missing');
    assert.match((await missing.client.call('checkLine', { name: 'lab' })).message, /DIALTREE_LINE_PASSWORD_LAB/);
    await echo.close();
    assert.match(
      (await wrong.client.call('checkLine', { name: 'lab' })).message,
      /^Nothing is listening at 127\.0\.0\.1/,
    );
    await assert.rejects(wrong.client.call('checkLine', { name: 'none' }), {
      status: 404,
      code: 'line_unknown',
      message: /Choose one of lab\./,
    });
    await assert.rejects(wrong.client.call('checkLine', {}), { status: 400 });
  });

  it("checks a line that isn't set up, only for an administrator of the service", async () => {
    const service = await start();
    const line = { kind: 'pbx', host: `127.0.0.1:${String(echo.port)}`, user } as const;
    assert.match(
      (await service.client.call('checkLine', { line })).message,
      /asks for a login\. The line was checked without its password\.$/,
    );
    const { apiKey } = await service.client.call('createApiKey', { name: 'tester', scopes: ['testing:write'] });
    const registered = await service.client.call('registerWorkspace', {});
    for (const key of [apiKey, registered.apiKey])
      await assert.rejects(service.clientOf(key).call('checkLine', { line }), { status: 403, code: 'line_unsaved' });
    assert.equal((await service.clientOf(apiKey).call('checkLine', { name: 'lab' })).state, 'ok');
  });

  it('hides lines from workspaces that anyone can register, until the operator gives them a tier', async () => {
    const sms = new SmsInbox();
    const service = await start({
      sms,
      routes: { '+12025550101': 'sip:practice@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.invalid' },
    });
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const stranger = service.clientOf(apiKey);
    const phone = { phoneNumber: '+447400000001' };
    await stranger.call('requestAnchorCode', phone);
    await stranger.call('verifyAnchorCode', { ...phone, code: sms.codeFor(phone.phoneNumber) });
    assert.deepEqual((await stranger.call('listLines', {})).items, []);
    // The same for existing and missing lines, so that asking reveals nothing.
    const refused = { status: 403, code: 'numbers_only', message: /ask the operator/ };
    for (const name of ['lab', 'none']) {
      await assert.rejects(stranger.call('checkLine', { name }), refused);
      await assert.rejects(stranger.call('callLineEcho', { name, number: '600' }), refused);
    }
    for (const phoneNumber of [
      `sip:600@127.0.0.1:${String(echo.port)}`,
      `sip:601@127.0.0.1:${String(echo.port)}`,
      'sip:x@10.0.0.1',
    ]) {
      const mapping = await stranger.call('createMapping', { phoneNumber });
      await assert.rejects(stranger.call('startMapping', { id: mapping.id }), refused, phoneNumber);
      await assert.rejects(stranger.call('runLoadTest', { phoneNumber, concurrency: 1 }), refused, phoneNumber);
      const { id } = await stranger.call('createTestConfig', scriptInput(phoneNumber));
      await assert.rejects(stranger.call('runTest', { configId: id }), refused, phoneNumber);
      const plan = await stranger.call('planCalls', { testConfigId: id });
      assert.deepEqual([plan.refusal?.code, plan.route], ['numbers_only', undefined], phoneNumber);
    }
    const number = await stranger.call('planCalls', { mapping: { phoneNumber: '+12125550123' } });
    assert.deepEqual(
      [number.refusal?.code, number.route],
      ['consent_required', undefined],
      'numbers are called as before; by whose host is not told',
    );
    assert.equal((await stranger.call('planCalls', { mapping: { phoneNumber: '+12025550101' } })).route, 'lab');
    assert.equal((await service.client.call('listLines', {})).items.length, 1);
  });

  it("calls an echo number with the line's login, and counts the call", async () => {
    const { client } = await start();
    const told = await client.call('callLineEcho', { name: 'lab', number: '600' });
    assert.deepEqual([told.outcome, told.soundsHeard], ['heard', 3]);
    assert.match(told.message, /^Echo heard after \d+ ms\.$/);
    assert.ok((told.delayMs ?? 0) > 0 && (told.delayMs ?? 1000) < 1000);
    const usage = await client.call('getWorkspaceUsage', {});
    assert.ok(usage.period.minutes.testing > 0);
    assert.equal(usage.runsInFlight, 0);
    assert.equal((await stateOf(client)).callsNow, 0);
    await client.call('updateWorkspaceSettings', { budgets: { callsPerDay: 1 } });
    await assert.rejects(client.call('callLineEcho', { name: 'lab', number: '600' }), {
      status: 402,
      code: 'budget_exceeded',
    });
  });

  it("reports the result of a call that isn't echoed", async () => {
    const rejecting = await exchange((leg) => leg.reject(403));
    const { client } = await start({
      lines: lines({ other: { kind: 'uri', uri: `sip:ivr@127.0.0.1:${String(rejecting.address.port)}`, user } }),
      linePasswords: { lab: 'wrong', other: password },
    });
    assert.match(
      (await client.call('callLineEcho', { name: 'lab', number: '600' })).message,
      /rejects the user or password/,
    );
    const refused = await client.call('callLineEcho', { name: 'other' });
    assert.equal(refused.outcome, 'notAnswered');
    assert.match(refused.message, /SIP 403.*allow/);
    await assert.rejects(client.call('callLineEcho', { name: 'lab' }), { status: 400, code: 'invalid_request' });
  });

  it('calls no number outside this machine without consent, not even for an echo', async () => {
    const service = await start({ lines: lines({ main: { kind: 'trunk', host: 'trunk.invalid', numbers: ['+1*'] } }) });
    const { client } = service;
    await assert.rejects(client.call('callLineEcho', { name: 'main', number: '+12125550123' }), {
      status: 403,
      code: 'consent_required',
    });
    await assert.rejects(client.call('callLineEcho', { name: 'main', number: '+19005550123' }), {
      status: 403,
      code: 'forbidden_number',
    });
    await client.call('recordConsent', { phoneNumber: '+12125550123', statement: 'I may test this number' });
    const told = await client.call('callLineEcho', { name: 'main', number: '+12125550123' });
    assert.equal(told.outcome, 'notAnswered');
    // A short code belongs to the carrier, and needs separate consent.
    await assert.rejects(client.call('callLineEcho', { name: 'main', number: '112' }), {
      status: 403,
      code: 'forbidden_number',
    });
    await assert.rejects(client.call('callLineEcho', { name: 'main', number: '*43' }), {
      status: 403,
      code: 'consent_required',
      details: { phoneNumber: 'sip:*43@trunk.invalid', statement: 'I may test this number' },
    });
    await client.call('recordConsent', { phoneNumber: 'sip:*43@trunk.invalid', statement: 'I may test this number' });
    assert.equal((await client.call('callLineEcho', { name: 'main', number: '*43' })).outcome, 'notAnswered');
    const { apiKey } = await client.call('createApiKey', {
      name: 'limited',
      scopes: ['testing:write'],
      limits: { numbers: ['+49*'] },
    });
    for (const [name, number] of [
      ['main', '+12125550123'],
      ['lab', '600'],
    ] as const)
      await assert.rejects(service.clientOf(apiKey).call('callLineEcho', { name, number }), {
        status: 403,
        code: 'number_not_allowed',
      });
  });

  it("refuses a launch before dialling while the line's password is missing", async () => {
    const { client } = await start({
      lines: lines({ main: { kind: 'trunk', host: '127.0.0.1:9', user, numbers: ['+1212555*'] } }),
      linePasswords: {},
    });
    const { id } = await client.call('createTestConfig', scriptInput('+12125550107'));
    await assert.rejects(client.call('runTest', { configId: id }), {
      status: 409,
      code: 'line_password',
      message: /Set Line Password…/,
    });
    assert.equal((await client.call('planCalls', { testConfigId: id })).refusal?.code, 'line_password');
    const mapping = await client.call('createMapping', { phoneNumber: '+12125550107' });
    await assert.rejects(client.call('startMapping', { id: mapping.id }), { code: 'line_password' });
    await assert.rejects(client.call('callLineEcho', { name: 'lab', number: '600' }), { code: 'line_password' });
  });

  it("limits a load test to the line's capacity, calls with its login, and shows its calls", async () => {
    let most = 0,
      open = 0;
    const callee = await exchange((leg: CallLeg & IncomingCallLeg) => {
      open += 1;
      most = Math.max(most, open);
      leg.listen((event) => {
        if (event.type === 'ended') open -= 1;
      });
      leg.answer();
    });
    const { client } = await start({
      lines: lines({
        main: {
          kind: 'trunk',
          host: `127.0.0.1:${String(callee.address.port)}`,
          user,
          numbers: ['+1212555*'],
          concurrentCalls: 3,
          callsPerSecond: 10,
        },
      }),
      linePasswords: { main: password },
    });
    const load = { phoneNumber: '+12125550107', concurrency: 3, rampSeconds: 0, holdSeconds: 2 };
    await client.call('recordConsent', { phoneNumber: '+12125550107', statement: 'I may test this number' });
    await assert.rejects(client.call('runLoadTest', { ...load, concurrency: 4 }), {
      status: 400,
      code: 'line_limit',
      message: /3 simultaneous calls/,
    });
    await assert.rejects(client.call('runLoadTest', { ...load, callsPerSecond: 20 }), {
      status: 400,
      code: 'line_limit',
    });
    assert.equal((await client.call('planCalls', { load: { ...load, concurrency: 4 } })).refusal?.code, 'line_limit');
    const launched = await client.call('runLoadTest', load);
    assert.equal(launched.callsPerSecond, 10, 'at the pace of the line');
    const watch = new EventWatch(client);
    await watch.until(async () => (await stateOf(client, 'main')).callsNow === 3);
    await watch.until(async () => (await client.call('getLoadTest', { id: launched.id })).status !== 'running');
    await watch.close();
    const { stats } = await client.call('getLoadTest', { id: launched.id });
    assert.deepEqual([stats?.callsAnswered, stats?.outcomes, most], [3, { answered: 3 }, 3]);
    assert.equal((await stateOf(client, 'main')).callsNow, 0);
  });

  it('says that a line is busy instead of making the user wait', async () => {
    const { client } = await start({
      lines: lines({ one: { kind: 'pbx', host: `127.0.0.1:${String(echo.port)}`, user, concurrentCalls: 1 } }),
      linePasswords: { one: password },
    });
    const first = client.call('callLineEcho', { name: 'one', number: 'a' });
    while ((await stateOf(client, 'one')).callsNow === 0);
    await assert.rejects(client.call('callLineEcho', { name: 'one', number: 'b' }), { status: 409, code: 'line_busy' });
    assert.equal((await first).outcome, 'heard');
  });

  it('hangs up an echo call if its client disconnects, over REST and MCP, and if its key is revoked', async () => {
    // Accepts the call and sends nothing back, so the echo call would last its full time.
    let heard = (): void => undefined,
      over = (_milliseconds: number): void => undefined;
    const silent = await exchange((leg) => {
      let frames = 0;
      leg.listen((event) => {
        if (event.type === 'audio') {
          frames += 1;
          heard();
        }
        if (event.type === 'ended') over(frames * 20);
      });
      leg.answer();
    }, false);
    const service = await start({
      lines: lines({ quiet: { kind: 'pbx', host: `127.0.0.1:${String(silent.address.port)}` } }),
    });
    const body = { name: 'quiet', number: 'x' };
    const made = await service.client.call('createApiKey', { name: 'agent', scopes: ['testing:write'] });
    let leaving = new AbortController();
    const post = (url: string, value: object): Promise<unknown> =>
      fetch(url, {
        method: 'POST',
        signal: (leaving = new AbortController()).signal,
        headers: {
          'x-api-key': service.apiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(value),
      });
    for (const [ask, end, told] of [
      [() => post(`${service.baseUrl}/lines/echo`, body), () => leaving.abort(), { name: 'AbortError' }],
      [
        () =>
          post(service.mcpUrl, {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'callLineEcho', arguments: body },
          }),
        () => leaving.abort(),
        { name: 'AbortError' },
      ],
      [
        () => service.clientOf(made.apiKey).call('callLineEcho', body),
        () => {
          void service.client.call('revokeApiKey', { id: made.id });
        },
        { status: 401 },
      ],
    ] as const) {
      const [audio, ended] = [
        new Promise<void>((resolve) => {
          heard = resolve;
        }),
        new Promise<number>((resolve) => {
          over = resolve;
        }),
      ];
      const refused = assert.rejects(ask(), told);
      await audio;
      end();
      await refused;
      assert.ok((await ended) < (echoSecondsAtMost * 1000) / 4, 'long before its own end');
      while ((await stateOf(service.client, 'quiet')).callsNow > 0);
    }
  });

  it('never logs a password, a user or a number', async () => {
    const file = join(await fixture.folder(), 'service.log');
    const service = await start({
      log: createLog(file),
      lines: lines({
        main: { kind: 'trunk', host: 'trunk.invalid', user, numbers: ['+1*'] },
        desk: { kind: 'pbx', host: `127.0.0.1:${String(echo.port)}`, user, register: true },
      }),
      linePasswords: { lab: password, main: password, desk: password },
    });
    await service.client.call('checkLine', { name: 'lab' });
    assert.equal((await service.client.call('checkLine', { name: 'desk' })).state, 'failed');
    await service.client.call('checkLine', { name: 'main' });
    await service.client.call('callLineEcho', { name: 'lab', number: '7766554433' });
    await assert.rejects(
      service.client.call('checkLine', { line: { kind: 'pbx', host: 'x', user, password } as never }),
      { status: 400 },
    );
    await service.close();
    const text = await readFile(file, 'utf8');
    assert.match(text, /"kind":"echo","msg":"run ended"/);
    assert.deepEqual(revealedSecrets(text, [password, user, '7766554433']), []);
  });
});
