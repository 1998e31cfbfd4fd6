import assert from 'node:assert/strict';
import { routeSchema } from '../../src/contract/dialPlan.ts';
import { limits, serverLimits } from '../../src/contract/limits.ts';
import { operations } from '../../src/contract/operations.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { rootNode } from '../support/serviceScript.ts';
import { postJson } from '../support/postJson.ts';

const lab = '+12025550101';
const letters = (count: number): string => 'x'.repeat(count);
const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** Checks that a value on each bound is accepted and one beyond is rejected. */
function bounded(
  name: OperationName,
  least: Record<string, unknown>,
  taken: readonly object[],
  refused: readonly object[],
): void {
  const { input } = operations[name];
  for (const given of taken)
    assert.ok(input.safeParse({ ...least, ...given }).success, JSON.stringify(given).slice(0, 80));
  for (const given of refused)
    assert.ok(!input.safeParse({ ...least, ...given }).success, JSON.stringify(given).slice(0, 80));
}
const around = (
  field: string,
  { min, max }: { readonly min: number; readonly max: number },
  value: (count: number) => unknown,
): [object[], object[]] => [
  [{ [field]: value(min) }, { [field]: value(max) }],
  [{ [field]: value(min - 1) }, { [field]: value(max + 1) }],
];

const mapping = { phoneNumber: lab };
const mission = { name: 'n', phoneNumber: lab, mission: 'm', acceptance: 'a' };
const step = { name: 'dial', action: { type: 'dial' } };
const scripted = { name: 'n', phoneNumber: lab, steps: [step] };

describe('service: bounds of arguments', () => {
  it('limit the length of names, descriptions, texts, sectors and tags', () => {
    bounded('createMapping', mapping, ...around('name', limits.name, letters));
    bounded(
      'createMissionTestConfig',
      mission,
      [{ description: letters(limits.description.max) }],
      [{ description: letters(limits.description.max + 1) }],
    );
    for (const field of ['mission', 'acceptance'])
      bounded('createMissionTestConfig', mission, ...around(field, limits.missionText, letters));
    bounded(
      'createMissionTestConfig',
      mission,
      [{ sector: 'financial-services' }, { sector: letters(60) }],
      [{ sector: '' }, { sector: letters(61) }, { sector: 'Retail' }],
    );
    bounded(
      'createMapping',
      mapping,
      [{ tags: many(limits.tags.max, 'x') }, { tags: [letters(40)] }],
      [{ tags: many(limits.tags.max + 1, 'x') }, { tags: [letters(41)] }, { tags: ['A'] }, { tags: [''] }],
    );
  });

  it('limit a number to 7 to 15 digits and a SIP address to 320 characters', () =>
    bounded(
      'createMapping',
      {},
      [{ phoneNumber: '+1234567' }, { phoneNumber: '+123456789012345' }, { phoneNumber: `sip:${letters(310)}` }],
      [
        { phoneNumber: '+123456' },
        { phoneNumber: '+1234567890123456' },
        { phoneNumber: '+0123456789' },
        { phoneNumber: `sip:${letters(317)}` },
        { phoneNumber: 'sip:a b' },
      ],
    ));

  it('limit the depth, the calls and their length, and simultaneous calls of a mapping', () => {
    for (const [field, bounds] of [
      ['maxDepth', limits.maxDepth],
      ['maxCalls', limits.maxCalls],
      ['maxCallSeconds', limits.maxCallSeconds],
      ['ringSeconds', limits.ringSeconds],
      ['concurrency', limits.concurrency],
    ] as const) {
      bounded('createMapping', mapping, ...around('config', bounds, (count) => ({ [field]: count })));
    }
  });

  it('limit the labels that a mapping allows, each to one word', () => {
    const { max, characters } = limits.allowedLabels;
    const allowing = (labels: readonly string[]) => ({ config: { allowedLabels: labels } });
    bounded(
      'createMapping',
      mapping,
      [
        allowing([]),
        allowing(many(max, 'refills')),
        allowing([letters(characters)]),
        allowing(['check in*', '*de*', 'größe', 'a1']),
      ],
      [
        allowing(many(max + 1, 'refills')),
        allowing([letters(characters + 1)]),
        ...['', ' ', '*', '**', 'a*', '*b*c', '!?'].map((label) => allowing([label])),
      ],
    );
  });

  it('limit the steps and rows of a scripted test', () => {
    bounded('createTestConfig', scripted, ...around('steps', limits.steps, (count) => many(Math.max(0, count), step)));
    bounded(
      'createTestConfig',
      scripted,
      ...around('rows', limits.rows, (count) => many(Math.max(0, count), { pin: '1' })),
    );
  });

  it("limit a workspace's recording days, budgets and forbidden keys, and the rate of a route", () => {
    const { seconds, calls, cost } = limits.budgets;
    bounded('updateWorkspaceSettings', {}, ...around('recordingDays', limits.recordingDays, Number));
    for (const [budget, bounds] of [
      ['secondsPerRun', seconds],
      ['secondsPerDay', seconds],
      ['callsPerDay', calls],
      ['costPerDay', cost],
    ] as const)
      bounded('updateWorkspaceSettings', {}, ...around('budgets', bounds, (value) => ({ [budget]: value })));
    bounded(
      'updateWorkspaceSettings',
      {},
      [{ forbiddenKeys: '' }, { forbiddenKeys: '0123456789*#' }],
      [{ forbiddenKeys: '0'.repeat(limits.forbiddenKeys.max + 1) }, { forbiddenKeys: 'A' }],
    );
    const { min, max } = limits.costPerMinute;
    for (const [costPerMinute, taken] of [
      [min, true],
      [max, true],
      [min - 1, false],
      [max + 1, false],
      ['0.1', false],
    ] as const)
      assert.equal(
        routeSchema.safeParse({ uri: 'sip:x@127.0.0.1', costPerMinute }).success,
        taken,
        String(costPerMinute),
      );
  });

  it('limit the numbers and budgets of a key', () => {
    const key = { name: 'An agent' };
    bounded(
      'createApiKey',
      key,
      [
        { limits: { numbers: many(limits.keyNumbers.max, '+12025550101') } },
        { limits: { numbers: [] } },
        { limits: {} },
      ],
      [{ limits: { numbers: many(limits.keyNumbers.max + 1, '+12025550101') } }, { limits: { numbers: ['anyone'] } }],
    );
    for (const [field, bounds] of [
      ['callsPerDay', limits.budgets.calls],
      ['secondsPerDay', limits.budgets.seconds],
    ] as const)
      bounded('createApiKey', key, ...around('limits', bounds, (value) => ({ [field]: value })));
  });

  it('limit the rows of a page', () => {
    for (const name of ['listMappings', 'listMissionTestConfigs', 'listTestRuns', 'listLoadTests'] as const) {
      bounded(name, {}, ...around('limit', limits.list, String));
      assert.equal((operations[name].input.parse({}) as { limit: number }).limit, limits.list.default);
    }
  });

  it('limit the calls, ramp and hold time of a load test', () => {
    const load = { phoneNumber: lab, concurrency: 1 };
    for (const [field, bounds] of [
      ['concurrency', limits.loadTest.calls],
      ['rampSeconds', limits.loadTest.rampSeconds],
      ['holdSeconds', limits.loadTest.holdSeconds],
    ] as const)
      bounded('runLoadTest', load, ...around(field, bounds, Number));
    const { callsPerSecond, tickLatenessMs, holdSeconds, keys, digits, calls, stages, seconds } = limits.loadTest;
    const stage = (concurrency: number, hold: number): object => ({ concurrency, rampSeconds: 0, holdSeconds: hold });
    const press = (seconds: number, length: number): object => ({ afterSeconds: seconds, digits: '1'.repeat(length) });
    bounded(
      'runLoadTest',
      load,
      [
        { callsPerSecond: callsPerSecond.min },
        { callsPerSecond: callsPerSecond.max },
        { callSeconds: holdSeconds.max },
        { stages: many(stages.max, stage(calls.max, 600)) },
        { holdSeconds: seconds.max - holdSeconds.max, stages: [stage(1, holdSeconds.max)] },
        { keys: many(keys, press(holdSeconds.max, digits)) },
        { abortWhen: { failureShare: 1, minimumCalls: calls.max, tickLatenessMs: tickLatenessMs.max } },
        { abortWhen: { failureShare: 0.001, minimumCalls: calls.min, tickLatenessMs: tickLatenessMs.min } },
      ],
      [
        { callsPerSecond: callsPerSecond.min / 2 },
        { callsPerSecond: callsPerSecond.max + 1 },
        { callSeconds: holdSeconds.max + 1 },
        { stages: [] },
        { stages: many(stages.max + 1, stage(1, 1)) },
        { stages: [stage(calls.max + 1, 1)] },
        { stages: [stage(1, holdSeconds.max + 1)] },
        { holdSeconds: seconds.max - holdSeconds.max + 1, stages: [stage(1, holdSeconds.max)] },
        { keys: [] },
        { keys: many(keys + 1, press(1, 1)) },
        { keys: [press(1, digits + 1)] },
        { keys: [press(1, 0)] },
        { keys: [{ afterSeconds: 1, digits: '1x' }] },
        { abortWhen: { failureShare: 0 } },
        { abortWhen: { failureShare: 1.01 } },
        { abortWhen: { minimumCalls: calls.max + 1 } },
        { abortWhen: { tickLatenessMs: 0 } },
      ],
    );
  });
});

describe('service: bounds of a running service', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('limits a body to 1 MiB', async () => {
    const service = await fixture.start();
    const send = async (bytes: number): Promise<{ status: number; code: unknown }> => {
      const frame = JSON.stringify({ phoneNumber: '' }).length;
      const response = await postJson(
        `${service.baseUrl}/mapping`,
        { phoneNumber: letters(bytes - frame) },
        { 'x-api-key': service.apiKey },
      );
      return { status: response.status, code: ((await response.json()) as { code: unknown }).code };
    };
    assert.deepEqual(await send(serverLimits.bodyBytes), { status: 400, code: 'invalid_request' });
    assert.deepEqual(await send(serverLimits.bodyBytes + 1), { status: 413, code: 'body_too_large' });
  });

  it('limits a workspace to fifty live keys @engine', async () => {
    const { client } = await fixture.start();
    const live = async (): Promise<number> =>
      (await client.call('listApiKeys', {})).items.filter(({ revokedAt }) => revokedAt === undefined).length;
    const { id } = await client.call('createApiKey', { name: 'one', scopes: ['mapping:read'] });
    for (let count = await live(); count < serverLimits.keys.max; count += 1)
      await client.call('createApiKey', { name: 'more', scopes: ['mapping:read'] });
    await assert.rejects(client.call('createApiKey', { name: 'beyond' }), { status: 409, code: 'too_many_keys' });
    await client.call('revokeApiKey', { id });
    await client.call('createApiKey', { name: 'again' });
    assert.equal(await live(), serverLimits.keys.max);
  });

  it("expires a recording's address after an hour", async () => {
    let time = new Date('2026-03-01T12:00:00.000Z');
    const { client } = await fixture.start({ parts: { now: () => time } });
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(rootNode());
    run.events.push({ type: 'audio', nodeId: 'root', pcm: new Int16Array(800) });
    run.end();
    await client.waitForRun(id);
    const url = (await client.call('getMappingTree', { id })).tree?.audioUrl ?? '';
    const status = async (): Promise<number> => {
      const response = await fetch(url);
      await response.body?.cancel();
      return response.status;
    };
    time = new Date(time.getTime() + serverLimits.audioUrlSeconds * 1000);
    assert.equal(await status(), 200);
    time = new Date(time.getTime() + 1000);
    assert.equal(await status(), 403);
    assert.deepEqual(((await (await fetch(url)).json()) as { code: string }).code, 'address_expired');
  });

  it('works on four runs at a time; a fifth waits without calls @engine', async () => {
    let begun = 0;
    const { client } = await fixture.start({
      parts: {
        crawl: (options) => {
          begun += 1;
          return fixture.crawl.crawl(options);
        },
      },
    });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { id } = await client.call('createMapping', { phoneNumber: lab });
      await client.call('startMapping', { id });
      ids.push(id);
    }
    const [first] = await Promise.all([1, 2, 3, 4].map(() => fixture.crawl.next()));
    const jobs = await Promise.all(ids.map((id) => client.call('getMapping', { id })));
    assert.ok(jobs.every(({ status, inFlightCount }) => status === 'running' && inFlightCount === 0));
    assert.equal(begun, 4);
    first?.end();
    (await fixture.crawl.next()).end();
    assert.equal(begun, 5);
  });
});
