import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RunResults } from '../../src/contract/testRuns.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { skipFor } from '../support/skipFor.ts';
import { onPostgres } from '../support/testStore.ts';
import { eventually } from '../support/eventually.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';

const lab = '+12025550101';
const steps = [
  { name: 'greeting', action: { type: 'dial' as const }, expectedTranscript: 'Welcome' },
  { name: 'pin', action: { type: 'press' as const, keys: '{pin}#' }, secret: true },
  { name: 'name', action: { type: 'say' as const, text: '{name}' } },
];

describe('service: launching scripted tests', function () {
  const fixture = new ServiceFixture();
  let calls = new ScriptedCalls();
  afterEach(() => fixture.close());

  const start = (dataDir?: string) => {
    calls = new ScriptedCalls();
    return fixture.start({ ...(dataDir !== undefined && { dataDir }), parts: { perform: calls.perform } });
  };
  const result = (client: DialtreeClient, runId: string): Promise<RunResults> =>
    client.call('getRunResults', { runId });
  const ended = async (client: DialtreeClient, runId: string): Promise<RunResults> => {
    await eventually(client, async () => (await result(client, runId)).status === 'completed');
    return await result(client, runId);
  };

  it('runs a test: answers immediately, streams what it hears, and counts its minutes @engine', async () => {
    const { client } = await start();
    const config = await client.call('createTestConfig', { name: 'bank', phoneNumber: lab, steps: steps.slice(0, 1) });
    const [run] = (await client.call('runTest', { configId: config.id })).items;
    assert.deepEqual(
      [run?.runType, run?.status, run?.testConfigId, run && 'outcome' in run],
      ['standard', 'running', config.id, false],
    );
    const call = await calls.next();
    assert.equal(call.options.target, 'sip:practice@127.0.0.1:5070');
    const watch = new EventWatch(client);
    call.heard('Welcome');
    await watch.until(async () => (await result(client, run!.id)).transcript?.length === 1);
    await watch.close();
    call.end({
      steps: [{ name: 'greeting', outcome: 'PASS', similarity: 1 }],
      transcript: [{ speaker: 'them', text: 'Welcome' }],
      callSeconds: 30,
      postDialMs: 210,
      hangUp: { by: 'us', sentence: 'We hung up.' },
    });
    const results = await ended(client, run!.id);
    assert.deepEqual(
      [results.outcome, results.callSeconds, results.postDialMs, results.hangUp?.sentence, results.steps.length],
      ['PASS', 30, 210, 'We hung up.', 1],
    );
    const usage = await client.call('getWorkspaceUsage', {});
    assert.deepEqual([usage.period.minutes.testing, usage.runsInFlight], [0.5, 0]);
    assert.deepEqual(
      (await client.call('listTestRuns', { configName: 'ban' })).items.map(({ id }) => id),
      [run!.id],
    );
  });

  it('runs a param test once per row, in sequence, under one slot, and shows no secret value @engine', async () => {
    const { client } = await start();
    const config = await client.call(
      'createTestConfig',
      scriptInput(lab, {
        steps,
        rows: [
          { pin: '4711', name: 'Ann' },
          { pin: '0815', name: 'Bob' },
        ],
      }),
    );
    const { items } = await client.call('runTest', { configId: config.id });
    assert.deepEqual(
      items.map(({ runType }) => runType),
      ['param', 'param'],
    );
    const first = await calls.next();
    assert.deepEqual(first.row, { pin: '4711', name: 'Ann' });
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 1);
    first.end({ outcome: 'FAIL', callSeconds: 6 });
    const second = await calls.next();
    assert.deepEqual(second.row, { pin: '0815', name: 'Bob' });
    second.end({ callSeconds: 6 });
    const results = await Promise.all(items.map(({ id }) => ended(client, id)));
    assert.deepEqual(
      results.map(({ outcome, row }) => [outcome, row]),
      [
        ['FAIL', { pin: '••••', name: 'Ann' }],
        ['PASS', { pin: '••••', name: 'Bob' }],
      ],
    );
    assert.equal((await client.call('getWorkspaceUsage', {})).period.minutes.testing, 0.2);
    const [other] = (await client.call('runTest', { configId: config.id, rows: [{ pin: '1', name: 'Eve' }] })).items;
    (await calls.next()).end();
    assert.equal((await ended(client, other!.id)).row?.['name'], 'Eve');
  });

  it('saves a test that the launch brings, over its earlier version, and keeps its history @engine', async () => {
    const { client } = await start();
    const id = randomUUID();
    const given = (name: string, more = {}) => ({
      ...scriptInput(lab, { name, steps: steps.slice(0, 1), ...more }),
      id,
    });
    const launch = async (test: ReturnType<typeof given>): Promise<string> => {
      const [run] = (await client.call('runTest', { configId: id, test })).items;
      (await calls.next()).end();
      await ended(client, run!.id);
      return run!.id;
    };
    const runs = [await launch(given('first', { fromFile: true, description: 'Why', tags: ['a'] }))];
    const first = await client.call('getTestConfig', { id });
    assert.deepEqual([first.name, first.description, first.tags, first.fromFile], ['first', 'Why', ['a'], true]);
    runs.push(await launch(given('first', { fromFile: true, description: 'Why', tags: ['a'] })));
    assert.deepEqual(await client.call('getTestConfig', { id }), first, 'nothing changed');
    runs.push(await launch(given('second', { fromFile: true, rows: [{ name: 'Ann' }] })));
    const second = await client.call('getTestConfig', { id });
    assert.deepEqual([second.name, 'description' in second, second.tags, second.type], ['second', false, [], 'param']);
    assert.equal((await client.call('listTestConfigs', {})).items.length, 1);
    const { items } = await client.call('listTestRuns', { testConfigId: id });
    assert.deepEqual(items.map((run) => run.id).sort(), runs.sort());
  });

  it('keeps a copy of what was edited on the service when a file replaces it', async () => {
    const { client } = await start();
    const id = randomUUID();
    const test = { ...scriptInput(lab, { name: 'Balance', steps: steps.slice(0, 1) }), id, fromFile: true };
    const launch = async (): Promise<void> => {
      await client.call('runTest', { configId: id, test });
      (await calls.next()).end();
    };
    await launch();
    await client.call('updateTestConfig', { id, description: 'Edited here' });
    await launch();
    await launch();
    const { items } = await client.call('listTestConfigs', {});
    assert.deepEqual(
      items
        .map(({ name, description, fromFile }) => [name, description, fromFile])
        .sort(([one = ''], [other = '']) => String(one).localeCompare(String(other))),
      [
        ['Balance', undefined, true],
        ['Balance (edited on the service)', 'Edited here', undefined],
      ],
    );
  });

  it('refuses a launch whose test conflicts, and saves nothing of it', async () => {
    const { client } = await start();
    const saved = await client.call('createMissionTestConfig', missionInput(lab));
    const script = scriptInput(lab, { steps: steps.slice(0, 1) });
    const refusedLaunch = (input: object, refusal: object) =>
      assert.rejects(client.call('runTest', { configId: randomUUID(), ...input }), refusal);
    await refusedLaunch({ configId: saved.id, test: script }, { status: 409, code: 'id_taken' });
    await refusedLaunch({ test: { ...script, id: saved.id } }, { status: 400 });
    await refusedLaunch({}, { status: 404 });
    await refusedLaunch({ test: { ...script, phoneNumber: '911' } }, { status: 400 });
    await refusedLaunch({ test: { ...script, steps: [{ ...steps[1], name: 'pin' }] } }, { status: 400 });
    const expectedUpdatedAt = '2020-01-01T00:00:00Z';
    await refusedLaunch({ test: script, expectedUpdatedAt }, { status: 404 });
    assert.deepEqual((await client.call('listTestConfigs', {})).items, []);
    const config = await client.call('createTestConfig', script);
    await refusedLaunch(
      { configId: config.id, test: script, expectedUpdatedAt },
      { status: 409, code: 'edited_since' },
    );
    assert.deepEqual((await client.call('listTestConfigs', {})).items, [config]);
  });

  it('runs a mission that the launch brings, and saves it', async () => {
    const { client } = await start();
    const id = randomUUID();
    const run = await client.call('runMissionTest', { configId: id, test: { ...missionInput(lab), fromFile: true } });
    assert.equal(run.configId, id);
    (await calls.next()).end();
    await ended(client, run.id);
    const { name, mission, acceptance, fromFile } = await client.call('getMissionTestConfig', { id });
    assert.deepEqual(
      { name, mission, acceptance, phoneNumber: lab, fromFile },
      { ...missionInput(lab), fromFile: true },
    );
  });

  it('cancels a whole launch, and places no further calls @engine', async () => {
    const { client } = await start();
    const config = await client.call(
      'createTestConfig',
      scriptInput(lab, { steps: steps.slice(2), rows: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
    );
    const { items } = await client.call('runTest', { configId: config.id });
    await calls.next();
    const next = calls.next();
    const cancelled = await client.call('cancelTestRun', { runId: items[1]!.id, wholeLaunch: true });
    assert.deepEqual([cancelled.status, cancelled.reason], ['completed', 'Cancelled before the call was placed.']);
    const results = await Promise.all(items.map(({ id }) => result(client, id)));
    assert.deepEqual(
      results.map(({ status, outcome, callSeconds }) => [status, outcome, callSeconds]),
      [
        ['completed', 'ERROR', 3],
        ['completed', 'ERROR', 0],
        ['completed', 'ERROR', 0],
      ],
    );
    const listed = (await client.call('listTestRuns', {})).items;
    assert.ok(
      listed.every(({ endedBy }) => endedBy === 'cancel'),
      'rows of the list say so, too',
    );
    assert.equal((await client.call('cancelTestRun', { runId: items[0]!.id })).outcome, 'ERROR', 'it has ended');
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0);
    await client.call('runTest', { configId: config.id, rows: [{ name: 'd' }] });
    assert.deepEqual((await next).row, { name: 'd' }, 'the next call is that of another launch');
  });

  it('keeps what was heard, and counts the call, if the run fails in mid-call', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    let dialled = (): void => undefined;
    const isDialled = new Promise<void>((resolve) => {
      dialled = resolve;
    });
    const { client } = await fixture.start({
      parts: {
        now: () => now,
        openDialer: () =>
          fakeDialer({
            dial: () => {
              dialled();
              return new Promise(() => undefined);
            },
          }),
        perform: async function* ({ type }, { dialer, target, signal }) {
          void dialer.dial(target, signal);
          await isDialled;
          now = new Date(now.getTime() + 4000);
          yield { type: 'turn', turn: { speaker: 'them', text: `Welcome to ${type}`, startMs: 100, endMs: 900 } };
          yield { type: 'step', index: 0, result: { name: 'greeting', outcome: 'PASS' } };
          await Promise.reject(new Error('broken'));
        },
      },
    });
    const config = await client.call('createTestConfig', { name: 'bank', phoneNumber: lab, steps: steps.slice(0, 1) });
    const [run] = (await client.call('runTest', { configId: config.id })).items;
    const results = await ended(client, run!.id);
    assert.deepEqual(
      [
        results.outcome,
        results.callSeconds,
        results.transcript?.[0]?.text,
        results.steps.map(({ outcome }) => outcome),
      ],
      ['ERROR', 4, 'Welcome to script', ['PASS']],
    );
    assert.equal((await client.call('getWorkspaceUsage', {})).period.minutes.testing, 0.07);
  });

  it("rejects rows whose values aren't keys before calling, and names only row and column", async () => {
    const { client } = await start();
    const { id: configId } = await client.call(
      'createTestConfig',
      scriptInput(lab, {
        steps,
        rows: [
          { pin: '4711', name: 'Ann' },
          { pin: 'hunter2', name: 'Bob' },
        ],
      }),
    );
    const refused = (error: unknown): boolean => {
      const { status, code, message, details } = error as {
        status: number;
        code: string;
        message: string;
        details: unknown;
      };
      assert.deepEqual(
        [status, code, details, message.includes('hunter2')],
        [400, 'invalid_request', { row: 2, column: 'pin', step: 'pin' }, false],
      );
      assert.match(message, /^Row 2, column “pin”: .*0-9.* in step “pin”\. Correct the row\. No call was placed\.$/);
      return true;
    };
    await assert.rejects(client.call('runTest', { configId }), refused);
    assert.ok(refused((await client.call('planCalls', { testConfigId: configId })).refusal));
    assert.equal((await client.call('listTestRuns', {})).items.length, 0);
  });

  it('ends every run when the service stops, so that none begins later', async function () {
    if (onPostgres()) skipFor(this, 'with a shared database another process goes on with what waits');
    const dataDir = await fixture.folder();
    const service = await start(dataDir);
    const config = await service.client.call(
      'createTestConfig',
      scriptInput(lab, { steps: steps.slice(2), rows: [{ name: 'a' }, { name: 'b' }] }),
    );
    const { items } = await service.client.call('runTest', { configId: config.id });
    (await calls.next()).heard('Hello');
    await service.close();
    const { client } = await start(dataDir);
    const results = await Promise.all(items.map(({ id }) => result(client, id)));
    assert.deepEqual(
      results.map(({ status, outcome }) => [status, outcome]),
      [
        ['completed', 'ERROR'],
        ['completed', 'ERROR'],
      ],
    );
    for (const { reason } of results) assert.match(reason ?? '', /was stopped/);
    assert.equal((await client.call('getWorkspaceUsage', {})).runsInFlight, 0);
  });
});
