import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { limits, serverLimits, tiers } from '../../src/contract/limits.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import { openEmbeddedStore } from '../../src/service/store/embeddedStore.ts';
import { localWorkspaceId } from '../../src/service/workspaces/localKey.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { onPostgres } from '../support/testStore.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { insertLoadTest, testRunRow } from '../support/storedRows.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';
import { refused } from '../support/refused.ts';

type Answer = Record<string, unknown> & { readonly items?: Record<string, unknown>[] };
type Call = (name: OperationName, input: Record<string, unknown>) => Promise<Answer>;

const lab = '+12025550101';
const absent = '11111111-1111-4111-8111-111111111111';
const steps = [
  { name: 'dial', action: { type: 'dial' } },
  { name: 'greeting', action: { type: 'expect' }, expectedTranscript: 'Welcome' },
];

describe('service: saved tests, runs and the workspace, over REST and MCP', function () {
  const fixture = new ServiceFixture();
  const sms = new SmsInbox();
  const mission = randomUUID();
  const load = randomUUID();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let mcp: Client;

  before(async () => {
    const dataDir = await fixture.folder();
    const first = await fixture.start({ dataDir });
    await first.client.call('listMappings', {});
    await first.close();
    await storeRuns(dataDir);
    service = await fixture.start({ dataDir, sms });
    mcp = await connectAgent(service);
  });
  after(async () => {
    await mcp.close();
    await fixture.close();
  });

  /** Writes runs directly into the store of a service that isn't running. */
  async function storeRuns(dataDir: string): Promise<void> {
    const { assetsDir } = await serviceAssets();
    const store = onPostgres()
      ? await fixture.openDatabase(dataDir)
      : await openEmbeddedStore({ folder: new DataFolder(dataDir), assetsDir, log: silentLog, now: () => new Date() });
    const times = { started_at: new Date('2026-01-01T00:00:00Z'), completed_at: new Date('2026-01-01T00:01:00Z') };
    try {
      await store.write(async (transaction) => {
        await transaction
          .insertInto('test_runs')
          .values(
            testRunRow({
              id: mission,
              workspace_id: localWorkspaceId,
              outcome: 'PASS',
              config_id: absent,
              ...times,
              result: JSON.stringify({
                steps: [{ name: 'greeting', outcome: 'PASS' }],
                transcript: [{ speaker: 'them', text: 'Hello' }],
                mission: { verdict: 'pass' },
              }),
            }),
          )
          .execute();
        await insertLoadTest(transaction, { id: load, workspace_id: localWorkspaceId, ...times });
      });
    } finally {
      await store.close();
    }
  }

  const rest: Call = async (name, input) => await service.client.call(name, input);
  const tool: Call = async (name, input) => {
    const result = await mcp.callTool({ name, arguments: input });
    if (result.isError === true) throw Object.assign(new Error('tool error'), result.structuredContent as object);
    return result.structuredContent as Answer;
  };
  const idsOf = ({ items = [] }: Answer): unknown[] => items.map(({ id }) => id);

  for (const [way, call] of [
    ['REST', rest],
    ['MCP', tool],
  ] as const) {
    it(`${way}: saves, reads, lists and edits a mission test`, async () => {
      const saved = await call('createMissionTestConfig', {
        name: `by ${way}`,
        phoneNumber: lab,
        mission: 'Ask for the balance',
        acceptance: 'It is told',
        sector: 'retail',
        tags: ['a', 'a'],
      });
      assert.deepEqual([saved['tags'], saved['sector'], saved['createdAt']], [['a'], 'retail', saved['updatedAt']]);
      assert.deepEqual(await call('getMissionTestConfig', { id: saved['id'] }), saved);
      const { mission: _mission, acceptance: _acceptance, ...row } = saved;
      assert.deepEqual((await call('listMissionTestConfigs', { name: `by ${way}` })).items, [row]);
      assert.deepEqual((await call('listMissionTestConfigs', { name: `BY ${way}` })).items, []);
      assert.equal(
        (await call('updateMissionTestConfig', { id: saved['id'], acceptance: 'It is told twice' }))['acceptance'],
        'It is told twice',
      );
      assert.equal((await call('getMissionTestConfig', { id: saved['id'] }))['mission'], 'Ask for the balance');
      assert.equal(
        (await call('updateMissionTestConfig', { id: saved['id'], description: 'told' }))['description'],
        'told',
      );
      const bare = await call('updateMissionTestConfig', { id: saved['id'], description: null, sector: null });
      assert.deepEqual(
        ['description' in bare, 'sector' in bare, bare['tags'], bare['createdAt']],
        [false, false, ['a'], saved['createdAt']],
      );
      await refused(call('createMissionTestConfig', { ...missionInput(lab), id: saved['id'] }), 409, 'id_taken');
      await refused(call('createTestConfig', { id: saved['id'], name: 'x', phoneNumber: lab, steps }), 409, 'id_taken');
      await refused(
        call('createMissionTestConfig', { ...missionInput(lab), profileId: absent }),
        404,
        'profile_not_found',
      );
      await assert.rejects(call('getMissionTestConfig', { id: absent }), { status: 404, code: 'not_found' });
    });

    it(`${way}: saves, reads and lists scripted tests`, async () => {
      const saved = await call('createTestConfig', { name: `by ${way}`, phoneNumber: lab, steps });
      assert.deepEqual(
        [saved['type'], saved['language'], (saved['steps'] as { passThreshold: number }[])[0]?.passThreshold],
        ['standard', 'en-US', 0.8],
      );
      assert.deepEqual(await call('getTestConfig', { id: saved['id'] }), saved);
      assert.deepEqual(
        ((await call('listTestConfigs', {})).items ?? []).find(({ id }) => id === saved['id']),
        saved,
      );
      await refused(
        call('createTestConfig', { name: 'x', phoneNumber: lab, steps: [{ name: 'x', action: { type: 'dance' } }] }),
        400,
        'invalid_request',
      );
      await refused(call('createTestConfig', { id: saved['id'], name: 'x', phoneNumber: lab, steps }), 409, 'id_taken');
      await refused(call('createMissionTestConfig', { ...missionInput(lab), id: saved['id'] }), 409, 'id_taken');
    });

    it(`${way}: lists, counts and reads runs of tests and load tests`, async () => {
      assert.deepEqual(idsOf(await call('listTestRuns', { runType: 'mission', limit: 1 })), [mission]);
      await assert.rejects(call('listTestRuns', { runType: 'load' }), { status: 400, code: 'invalid_request' });
      assert.deepEqual(await call('aggregateTestRuns', { groupBy: 'outcome', timeBucket: 'week' }), {
        total: 1,
        groups: [{ key: 'PASS', bucket: '2026-W01', count: 1, share: 1 }],
        truncated: false,
      });
      assert.deepEqual(
        (await call('getRunResults', { runId: mission }))['steps'],
        [
          { name: 'them', outcome: 'PASS', transcript: 'Hello' },
          { name: 'verdict', outcome: 'PASS' },
        ],
        'the steps of a mission are its turns, and the verdict',
      );
      assert.equal((await call('getMissionTestRun', { runId: mission }))['verdict'], 'pass');
      assert.deepEqual(idsOf(await call('listLoadTests', { status: 'completed' })), [load]);
      assert.equal((await call('getLoadTest', { id: load }))['concurrency'], 5);
      await assert.rejects(call('getRunResults', { runId: load }), { status: 404, code: 'not_found' });
      await assert.rejects(call('getLoadTest', { id: mission }), { status: 404, code: 'not_found' });
    });

    it(`${way}: reads the catalogue, the guides and the workspace's usage`, async () => {
      assert.ok(
        ((await call('listComplianceCatalogue', {})).items ?? []).some(
          ({ id, sector }) => id === 'gdpr-notice' && sector === 'all',
        ),
      );
      const [entry] = (await call('listGuides', {})).items ?? [];
      const guide = await call('getGuide', { slug: entry?.['slug'] });
      assert.equal(guide['title'], entry?.['title']);
      assert.ok((guide['sections'] as object[]).length > 0);
      await assert.rejects(call('getGuide', { slug: 'none' }), { status: 404, code: 'not_found' });
      const usage = await call('getWorkspaceUsage', {});
      assert.deepEqual(
        [usage['capacity'], usage['tier'], usage['claimed'], usage['limits']],
        ['unlimited', 'enterprise', true, { requestsPerMinute: 1000, runs: 100 }],
      );
    });
  }

  it('lists all scripted tests with their steps in one answer, newest first, however many there are @engine', async () => {
    const { client } = service;
    const before = (await client.call('listTestConfigs', {})).items.length;
    const made = [];
    for (let index = 0; index < limits.list.max + 5; index += 1)
      made.unshift(
        await client.call('createTestConfig', {
          name: `test ${String(index)}`,
          phoneNumber: lab,
          steps: [{ name: 'dial', action: { type: 'dial' as const } }],
          ...(index === 0 && { rows: [{ pin: '1' }, { pin: '2' }] }),
        }),
      );
    const list = await client.call('listTestConfigs', {});
    assert.equal(list.items.length, before + made.length);
    assert.ok(!('nextCursor' in list));
    for (const config of made)
      assert.deepEqual(
        list.items.find(({ id }) => id === config.id),
        config,
      );
    const times = list.items.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [...times].sort().reverse());
    for (const argument of ['limit=0', 'cursor=x', 'sortDir=asc'])
      assert.equal(
        (
          await fetch(`${service.baseUrl}/testing/test-configs?${argument}`, {
            headers: { 'x-api-key': service.apiKey },
          })
        ).status,
        400,
      );
    const pages = [];
    for await (const row of client.all('listTestConfigs', { detail: 'rows', limit: 40 })) pages.push(row);
    assert.deepEqual(
      pages,
      list.items.map(({ steps: _steps, ...row }) => row),
    );
    const { content, structuredContent } = await mcp.callTool({ name: 'listTestConfigs', arguments: { limit: 40 } });
    const { items, nextCursor } = structuredContent as typeof list;
    assert.deepEqual(items, list.items.slice(0, 40));
    const { text } = (content as { readonly text: string }[])[0]!;
    assert.ok(!text.includes('"action"') && text.includes('"steps":1') && text.includes(String(nextCursor)), text);
    assert.ok(items.every(({ id }) => text.includes(id)));
    for (const { id } of made) await client.call('deleteTestConfig', { id });
  });

  it('bounds the list of scripted tests by what a tier can store', () => {
    for (const [tier, { stored }] of Object.entries(tiers))
      assert.ok(stored.testBytes <= serverLimits.launchBytes && stored.tests <= 2000, tier);
  });

  it('edits and deletes saved tests, and keeps their runs @engine', async () => {
    const { client } = service;
    const saved = await client.call('createTestConfig', scriptInput(lab, { name: 'plain' }));
    const edited = await client.call('updateTestConfig', { id: saved.id, rows: [{ pin: '1234' }] });
    assert.deepEqual([edited.type, edited.rows, edited.name], ['param', [{ pin: '1234' }], 'plain']);
    const described = await client.call('updateTestConfig', { id: saved.id, description: 'told' });
    assert.deepEqual([described.description, described.rows], ['told', edited.rows], 'what is not given stays');
    const bare = await client.call('updateTestConfig', { id: saved.id, rows: null, description: null });
    assert.deepEqual(
      [bare.type, 'rows' in bare, 'description' in bare, bare.createdAt],
      ['standard', false, false, saved.createdAt],
    );
    await refused(client.call('updateTestConfig', { id: saved.id, steps: [] }), 400, 'invalid_request');
    assert.deepEqual(await client.call('deleteTestConfig', { id: saved.id }), { deleted: true });
    await assert.rejects(client.call('getTestConfig', { id: saved.id }), { status: 404 });
    const kept = await client.call('createMissionTestConfig', missionInput(lab, { id: absent }));
    assert.equal(kept.id, absent, 'an id that is free is kept');
    assert.deepEqual(await client.call('deleteMissionTestConfig', { id: absent }), { deleted: true });
    await assert.rejects(client.call('getMissionTestConfig', { id: absent }), { status: 404 });
    assert.equal((await client.call('getRunResults', { runId: mission })).configId, absent);
  });

  it('leaves a test, its time stamp and its file mark unchanged if an edit changes nothing', async () => {
    const { client } = service;
    const test = await client.call('createTestConfig', {
      name: 'same',
      phoneNumber: lab,
      steps: [
        { name: 'dial', action: { type: 'dial' } },
        { name: 'pin', action: { type: 'press', keys: '{pin}' } },
      ],
      rows: [{ pin: '1', unused: '2' }],
      tags: ['a', 'b'],
      fromFile: true,
    });
    const { id, createdAt: _created, updatedAt: _updated, type: _type, ...members } = test;
    for (const edit of [
      {},
      { name: test.name },
      { steps: test.steps, rows: test.rows, tags: ['a', 'b', 'a'] },
      members,
      { expectedUpdatedAt: test.updatedAt },
    ])
      assert.deepEqual(await client.call('updateTestConfig', { id, ...edit }), test);
    const mission = await client.call(
      'createMissionTestConfig',
      missionInput(lab, { name: 'same', votes: 3, fromFile: true }),
    );
    const { id: missionId, createdAt: _made, updatedAt: _edited, ...rest } = mission;
    for (const edit of [{}, { votes: 3 }, { description: null }, rest])
      assert.deepEqual(await client.call('updateMissionTestConfig', { id: missionId, ...edit }), mission);
    assert.ok(
      (await client.call('updateTestConfig', { id, tags: ['b', 'a'] })).updatedAt > test.updatedAt,
      'another order is a change',
    );
    assert.ok(
      (await client.call('updateMissionTestConfig', { id: missionId, votes: null })).updatedAt > mission.updatedAt,
    );
    await client.call('deleteTestConfig', { id });
    await client.call('deleteMissionTestConfig', { id: missionId });
  });

  it('rejects a step whose {column} has no value when it is saved, edited, planned and run', async () => {
    const { client } = service;
    const press = (keys: string) => [
      { name: 'dial', action: { type: 'dial' as const } },
      { name: 'press', action: { type: 'press' as const, keys } },
    ];
    const named = (column: string) => (error: unknown) => {
      const { status, code, message, details } = error as {
        status: number;
        code: string;
        message: string;
        details: readonly { path: string }[];
      };
      assert.deepEqual([status, code, details[0]?.path], [400, 'invalid_request', 'steps.1.action.keys']);
      assert.match(message, new RegExp(`^steps\\.1\\.action\\.keys: .*\\{${column}\\}`));
      return true;
    };
    await assert.rejects(
      client.call('createTestConfig', { name: 'x', phoneNumber: lab, steps: press('{pin}') }),
      named('pin'),
    );
    await assert.rejects(
      client.call('createTestConfig', { name: 'x', phoneNumber: lab, steps: press('{pim}'), rows: [{ pin: '1' }] }),
      named('pim'),
    );
    const { id } = await client.call('createTestConfig', {
      name: 'x',
      phoneNumber: lab,
      steps: press('{pin}'),
      rows: [{ pin: '1' }],
    });
    await assert.rejects(client.call('updateTestConfig', { id, rows: null }), named('pin'));
    await assert.rejects(client.call('updateTestConfig', { id, rows: [{ pin: '1' }, { other: '2' }] }), named('pin'));
    await assert.rejects(client.call('updateTestConfig', { id, steps: press('{other}') }), named('other'));
    await assert.rejects(client.call('runTest', { configId: id, rows: [{ other: '2' }] }), named('pin'));
    assert.equal(
      (await client.call('planCalls', { testConfigId: id, rows: [{ other: '2' }] })).refusal?.code,
      'invalid_request',
    );
    assert.deepEqual((await client.call('getTestConfig', { id })).rows, [{ pin: '1' }]);
    await client.call('deleteTestConfig', { id });
  });

  it('changes and runs only the version that the request names @engine', async () => {
    const { client } = service;
    const since = { status: 409, code: 'edited_since' };
    await client.call('recordConsent', { phoneNumber: 'sip:nobody@127.0.0.1:9', statement: 'I may test this number' });
    const test = await client.call(
      'createTestConfig',
      scriptInput('sip:nobody@127.0.0.1:9', { name: 'mine', fromFile: true }),
    );
    const mission = await client.call(
      'createMissionTestConfig',
      missionInput('sip:nobody@127.0.0.1:9', { name: 'mine', fromFile: true }),
    );
    assert.deepEqual([test.fromFile, mission.fromFile], [true, true]);
    const edited = await client.call('updateTestConfig', {
      id: test.id,
      name: 'theirs',
      expectedUpdatedAt: test.updatedAt,
    });
    const editedMission = await client.call('updateMissionTestConfig', {
      id: mission.id,
      name: 'theirs',
      expectedUpdatedAt: mission.updatedAt,
    });
    assert.deepEqual(
      [edited.fromFile, editedMission.fromFile],
      [undefined, undefined],
      'an edit that brings no file takes the mark away',
    );
    assert.ok(edited.updatedAt > test.updatedAt && editedMission.updatedAt > mission.updatedAt);
    await assert.rejects(
      client.call('updateTestConfig', { id: test.id, name: 'mine', expectedUpdatedAt: test.updatedAt }),
      { ...since, details: { updatedAt: edited.updatedAt } },
    );
    await assert.rejects(
      client.call('updateMissionTestConfig', { id: mission.id, name: 'mine', expectedUpdatedAt: mission.updatedAt }),
      since,
    );
    await assert.rejects(client.call('runTest', { configId: test.id, expectedUpdatedAt: test.updatedAt }), since);
    await assert.rejects(
      client.call('runMissionTest', { configId: mission.id, expectedUpdatedAt: mission.updatedAt }),
      since,
    );
    for (const [old, { updatedAt }] of [
      [test, edited],
      [mission, editedMission],
    ] as const) {
      const load = { configId: old.id, concurrency: 1, expectedUpdatedAt: old.updatedAt };
      await assert.rejects(client.call('runLoadTest', load), { ...since, details: { updatedAt } });
      const { refusal, ...planned } = await client.call('planCalls', { load });
      assert.deepEqual([refusal?.code, planned.updatedAt], ['edited_since', updatedAt]);
    }
    const planned = [{ testConfigId: test.id }, { missionConfigId: mission.id }];
    assert.deepEqual(
      await Promise.all(planned.map(async (input) => (await client.call('planCalls', input)).updatedAt)),
      [edited.updatedAt, editedMission.updatedAt],
    );
    await refused(
      client.call('runLoadTest', {
        phoneNumber: test.phoneNumber,
        concurrency: 1,
        expectedUpdatedAt: test.updatedAt,
      }),
      400,
      'invalid_request',
    );
    assert.deepEqual(
      [
        (await client.call('getTestConfig', { id: test.id })).name,
        (await client.call('listTestRuns', { configId: test.id })).items,
        (await client.call('listLoadTests', {})).items.filter(({ configId }) => configId !== undefined),
      ],
      ['theirs', [], []],
    );
    const { id: loadId } = await client.call('runLoadTest', {
      configId: test.id,
      concurrency: 1,
      expectedUpdatedAt: edited.updatedAt,
    });
    await client.waitForLoadTest(loadId);
    const [run] = (await client.call('runTest', { configId: test.id, expectedUpdatedAt: edited.updatedAt })).items;
    assert.equal(run?.configId, test.id);
    await client.waitForTestRun(run.id);
    await refused(
      client.call('updateTestConfig', { id: randomUUID(), name: 'x', expectedUpdatedAt: test.updatedAt }),
      404,
      'not_found',
    );
    const many = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        client.call('updateTestConfig', { id: test.id, name: String(index) }),
      ),
    );
    assert.equal(new Set(many.map(({ updatedAt }) => updatedAt)).size, 8, 'each edit has a moment of its own');
    const races = await Promise.allSettled(
      many.map(({ name }) =>
        client.call('updateTestConfig', {
          id: test.id,
          name: `again ${name}`,
          expectedUpdatedAt: many
            .map(({ updatedAt }) => updatedAt)
            .sort()
            .at(-1),
        }),
      ),
    );
    assert.equal(races.filter(({ status }) => status === 'fulfilled').length, 1, 'one of many at once has its way');
  });

  it('lets an agent register, verify a person and ask for a claim link over MCP alone', async () => {
    const { apiKey } = await tool('registerWorkspace', {});
    const agent = await connectAgent({ mcpUrl: service.mcpUrl, apiKey: String(apiKey) });
    try {
      const ask = async (name: OperationName, input: Record<string, unknown>) =>
        (await agent.callTool({ name, arguments: input })).structuredContent;
      const phoneNumber = '+447400123456';
      assert.deepEqual(await ask('requestAnchorCode', { phoneNumber }), { sent: true });
      assert.deepEqual(await ask('verifyAnchorCode', { phoneNumber, code: sms.codeFor(phoneNumber) }), {
        anchored: true,
        freeGrantOutcome: 'granted',
      });
      assert.match(((await ask('getClaimLink', {})) as { url: string }).url, /\/claim\/[\w-]{43}$/);
    } finally {
      await agent.close();
    }
  });
});
