import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/base/clock.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { limits } from '../../src/contract/limits.ts';
import type { OperationInput } from '../../src/contract/operations.ts';
import type { RunResults } from '../../src/contract/testRuns.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { eventually } from '../support/eventually.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { simulatedDialer } from '../support/simulatedDialer.ts';
import { takeStep } from '../support/takeStep.ts';

type Step = OperationInput<'guideTestRun'>['step'];
const lab = '+12025550101';
const open = '+12125550123';
const press = (keys: string, more: Partial<Step> = {}): Step => ({
  name: `press ${keys}`,
  action: { type: 'press', keys },
  ...more,
});
const hangUp: Step = { name: 'hang up', action: { type: 'hangUp' } };

describe('service: guided runs', function () {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  let client: DialtreeClient;
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  afterEach(() => fixture.close());

  const start = async (parts: object = {}): Promise<void> => {
    calls = new ScriptedCalls();
    service = await fixture.start({ parts: { perform: calls.perform, ...parts } });
    ({ client } = service);
  };
  const launch = async (phoneNumber = lab, by = client, more: object = {}): Promise<string> => {
    const test = scriptInput(phoneNumber, more);
    const [run] = (await by.call('runTest', { configId: randomUUID(), test, guided: true })).items;
    return run?.id ?? '';
  };
  const results = (runId: string): Promise<RunResults> => client.call('getRunResults', { runId });
  const ended = async (runId: string): Promise<RunResults> => {
    await eventually(client, async () => (await results(runId)).status === 'completed');
    return await results(runId);
  };
  const taken = async (call: Parameters<typeof takeStep>[0]): Promise<string> => (await takeStep(call)).name;
  const give = (runId: string, step: Step, by = client): Promise<RunResults> =>
    by.call('guideTestRun', { runId, step });

  it('carry out their steps and then those that they are given, on a simulated call', async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Bank',
      language: 'en-US',
      start: 'main',
      states: {
        main: { prompt: 'Welcome. Press 1.', keys: { 1: 'accounts' }, timeoutMs: 60_000 },
        accounts: { prompt: 'Your code is 4 7 1 1.', keys: { 9: 'bye' }, timeoutMs: 60_000 },
        bye: { prompt: 'Goodbye.', end: 'hangup' },
      },
    });
    await start({ perform: undefined, openDialer: () => fakeDialer(simulatedDialer({ ivr, clock: systemClock })) });
    const runId = await launch();
    const has = (test: (run: RunResults) => boolean) => eventually(client, async () => test(await results(runId)));
    await has(({ hearing }) => hearing === 'Welcome.');
    await has(({ transcript = [] }) => transcript.some(({ text }) => text === 'Welcome. Press 1.'));
    const { hearing, guided } = await results(runId);
    assert.deepEqual([hearing, guided], [undefined, true]);
    assert.deepEqual([(await results(runId)).status, (await results(runId)).steps.length], ['running', 1]);
    await give(runId, press('1', { expectedTranscript: 'Your code is *' }));
    await has(({ steps }) => steps.length === 2);
    await give(runId, { name: 'code', action: { type: 'say', text: '4711' }, secret: true });
    assert.equal((await give(runId, hangUp)).id, runId);
    const run = await ended(runId);
    assert.deepEqual(
      run.steps.map(({ name, outcome }) => [name, outcome]),
      ['dial', 'press 1', 'code', 'hang up'].map((name) => [name, 'PASS']),
    );
    assert.deepEqual([run.outcome, run.hangUp?.by, run.audioUrl !== undefined], ['PASS', 'us', true]);
    assert.doesNotMatch(JSON.stringify(run), /4 ?7 ?1 ?1/);
    assert.deepEqual([run.guided, run.hearing], [true, undefined]);
    const [listed] = (await client.call('listTestRuns', {})).items;
    assert.deepEqual([listed?.id, listed?.guided], [runId, true]);
    await assert.rejects(give(runId, hangUp), { status: 409, code: 'already_ended' });
  });

  it('need only MCP: a launch, steps and the results', async () => {
    await start();
    const mcp = await connectAgent(service);
    try {
      const call = async (name: string, args: object) =>
        (await mcp.callTool({ name, arguments: { ...args } })).structuredContent as RunResults;
      const launched = await call('runTest', { test: scriptInput(lab), guided: true });
      const runId = (launched as unknown as { items: RunResults[] }).items[0]?.id ?? assert.fail();
      await call('guideTestRun', { runId, step: press('1') });
      await call('guideTestRun', { runId, step: JSON.stringify(hangUp) });
      const onCall = await calls.next();
      assert.deepEqual([await taken(onCall), await taken(onCall)], ['press 1', 'hang up']);
      onCall.end({ steps: ['dial', 'press 1', 'hang up'].map((name) => ({ name, outcome: 'PASS' })), callSeconds: 6 });
      await ended(runId);
      assert.equal((await call('getRunResults', { runId })).steps.length, 3);
    } finally {
      await mcp.close();
    }
  });

  it('take each step once and in order, and report those that came too late @engine', async () => {
    await start();
    const runId = await launch();
    await give(runId, press('1'));
    const call = await calls.next();
    assert.equal(await taken(call), 'press 1');
    await give(runId, press('2'));
    await give(runId, press('3'));
    assert.deepEqual([await taken(call), await taken(call)], ['press 2', 'press 3']);
    assert.equal(call.options.guide?.take(), undefined);
    await give(runId, press('4'));
    call.end({ steps: ['dial', '1', '2', '3'].map((name) => ({ name, outcome: 'PASS' })), callSeconds: 6 });
    const { steps, outcome } = await ended(runId);
    assert.deepEqual(
      [outcome, ...steps.slice(3)],
      [
        'PASS',
        { name: '3', outcome: 'PASS' },
        { name: 'press 4', outcome: 'INCONCLUSIVE', reason: 'Not reached.', reasonParts: [['Not reached.']] },
      ],
    );
  });

  it('take steps only if they were launched as such, and only from clients that see them', async () => {
    await start();
    const { id: configId } = await client.call('createTestConfig', scriptInput(lab));
    const [plain] = (await client.call('runTest', { configId })).items;
    await assert.rejects(give(plain?.id ?? '', press('1')), { status: 409, code: 'not_guided' });
    const mission = await client.call('runMissionTest', { configId: randomUUID(), test: missionInput(lab) });
    await assert.rejects(give(mission.id, press('1')), { status: 409, code: 'not_guided' });
    await assert.rejects(give(randomUUID(), press('1')), { status: 404, code: 'not_found' });
  });

  it('have one call, so no rows, and are planned like that', async () => {
    await start();
    const rows = [{ name: 'Ann' }];
    await assert.rejects(launch(lab, client, { rows }), { status: 400, code: 'invalid_request', message: /rows/ });
    const { id: testConfigId } = await client.call('createTestConfig', scriptInput(lab));
    await assert.rejects(client.call('runTest', { configId: testConfigId, rows, guided: true }), { status: 400 });
    await assert.rejects(client.call('planCalls', { testConfigId, rows, guided: true }), { status: 400 });
    await assert.rejects(client.call('planCalls', { mission: missionInput(lab), guided: true }), { status: 400 });
    const plan = await client.call('planCalls', { testConfigId, guided: true });
    assert.deepEqual([plan.calls, plan.secondsAtMost, plan.bounded], [1, 600, true]);
    assert.equal((await client.call('planCalls', { testConfigId })).secondsAtMost, 60);
    await client.call('updateWorkspaceSettings', { budgets: { secondsPerRun: 90, secondsPerDay: 100 } });
    await launch();
    assert.equal((await calls.next()).options.budgetSeconds, 90, 'what the run has reserved');
    await assert.rejects(launch(), { status: 402, code: 'budget_exceeded' });
  });

  it('last up to ten minutes even if nothing else limits them', async () => {
    await start();
    await launch();
    assert.equal((await calls.next()).options.budgetSeconds, 600);
  });

  it('refuse a step that a test could not have, and say why', async () => {
    await start();
    await client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
    await client.call('updateWorkspaceSettings', { forbiddenKeys: '9*' });
    const runId = await launch(open);
    const call = await calls.next();
    const refused = (step: unknown, refusal: object) => assert.rejects(give(runId, step as Step), refusal);
    await refused(press('19'), {
      status: 403,
      code: 'forbidden_key',
      details: { presses: [{ step: 'press 19', key: '9' }] },
    });
    const invalid = { status: 400, code: 'invalid_request' };
    await refused(press('{code}'), { ...invalid, message: /step\.action\.keys: \{code\} has no value/ });
    await refused(
      { name: 'a', action: { type: 'collect', name: 'code', pattern: '(' } },
      { ...invalid, message: /regular/ },
    );
    await refused({ name: 'a', action: { type: 'dial' } }, { ...invalid, message: /already dialled/ });
    await refused(
      { name: 'a', action: { type: 'say', text: 'Ja' }, language: 'de-DE' },
      { ...invalid, message: /English/ },
    );
    await refused(
      { name: 'a', action: { type: 'expect' }, expectedTranscript: '…' },
      { ...invalid, message: /no words/ },
    );
    await give(runId, { name: 'collect', action: { type: 'collect', name: 'code', pattern: '\\d+' } });
    await give(runId, press('{code}'));
    assert.deepEqual([await taken(call), await taken(call)], ['collect', 'press {code}']);
    assert.equal(call.options.guide?.take(), undefined);
  });

  it('take steps that arrive at the same moment, each once and in one order, up to the limit @engine', async () => {
    await start();
    const room = 5;
    const steps = Array.from({ length: limits.steps.max - room }, () => press('1'));
    const runId = await launch(lab, client, { steps });
    const call = await calls.next();
    const all = await Promise.allSettled(
      Array.from({ length: 3 * room }, (_, index) => give(runId, press(String(index)))),
    );
    assert.deepEqual(
      all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : [])),
      Array<string>(2 * room).fill('too_many_steps'),
    );
    const names = new Set<string>();
    for (let count = 0; count < room; count += 1) names.add(await taken(call));
    assert.equal(names.size, room);
    call.end({ steps: steps.map(({ name }) => ({ name, outcome: 'PASS' })), callSeconds: 6 });
    assert.deepEqual(
      (await ended(runId)).steps.slice(steps.length).map(({ name }) => name),
      [...names],
    );
  });

  it('take a step that is sent twice with one Idempotency-Key only once', async () => {
    await start();
    const runId = await launch();
    const call = await calls.next();
    const headers = {
      'x-api-key': service.apiKey,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    };
    for (let time = 0; time < 2; time += 1) {
      const body = JSON.stringify({ step: press('1') });
      const { status } = await fetch(`${service.baseUrl}/testing/runs/${runId}/steps`, {
        method: 'POST',
        headers,
        body,
      });
      assert.equal(status, 202);
    }
    await give(runId, press('2'));
    assert.deepEqual([await taken(call), await taken(call)], ['press 1', 'press 2']);
  });

  it('take steps from a limited key only if it started them, and for its numbers', async () => {
    await start();
    const { apiKey, id } = await client.call('createApiKey', {
      name: 'An agent',
      scopes: ['testing:read', 'testing:write'],
      limits: { numbers: [lab] },
    });
    const agent = service.clientOf(apiKey);
    await assert.rejects(give(await launch(), press('1'), agent), { status: 403, code: 'limited_key' });
    const own = await launch(lab, agent);
    await give(own, press('1'), agent);
    await client.call('updateApiKey', { id, limits: { numbers: [open] } });
    await assert.rejects(give(own, press('1'), agent), { status: 403, code: 'number_not_allowed' });
  });
});
