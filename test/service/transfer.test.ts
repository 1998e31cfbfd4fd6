import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { DialtreeClient } from '../../src/client/client.ts';
import type { HumanError } from '../../src/contract/errors.ts';
import { exportWorkspace } from '../../src/service/transfer/exportWorkspace.ts';
import { importWorkspace, type ImportSummary } from '../../src/service/transfer/importWorkspace.ts';
import { isCarried, rowSchemas } from '../../src/service/transfer/rows.ts';
import { addOwner } from '../../src/service/workspaces/operator.ts';
import { localWorkspaceId } from '../../src/service/workspaces/localKey.ts';
import { mapOnce, storeOddRows } from '../support/fillWorkspace.ts';
import { readWorkspace } from '../support/readWorkspace.ts';
import { noteSecret } from '../support/secretRegistry.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { program, StorePlaces } from '../support/storePlaces.ts';
import type { Place } from '../support/storePlaces.ts';
import { onPostgres } from '../support/testStore.ts';

const lab = '+12025550101';
const mobile = '+447400123456';
const now = new Date('2026-03-01T12:00:00.000Z');

const carriedTables = Object.keys(rowSchemas).filter(isCarried);
/** What stays behind: people, keys, minutes and their use, consents, secrets, limits, and runs of tests. */
const leftTables = [
  ...['anchor_codes', 'anchors', 'api_keys', 'audit', 'balances', 'claim_links', 'consents', 'dials', 'free_grants'],
  ...['idempotency_keys', 'invitations', 'ledger', 'load_tests', 'memberships', 'model_tokens', 'people'],
  ...['registrations', 'request_counts', 'sessions', 'settings', 'sign_ups', 'slots', 'test_launches', 'test_runs'],
  'text_messages',
];
const leftColumns: Readonly<Record<string, readonly string[]>> = {
  workspaces: ['claimed_at', 'kind', 'tier', 'tokens_granted', 'tokens_used', 'unlimited'],
  profiles: ['made_by'],
  mapping_jobs: ['guard_by', 'made_by'],
  mapping_runs: ['attempts', 'caller', 'consented_by', 'guard_by', 'in_flight'],
  tests: ['bytes', 'made_by'],
};

type Line = Record<string, unknown> & { readonly table?: string; readonly row?: Record<string, unknown> };

describe('the transfer of a workspace', function () {
  const fixture = new ServiceFixture();
  const places = new StorePlaces(fixture);
  const sms = new SmsInbox();
  let source: Place;
  let registered: { readonly workspaceId: string; readonly apiKey: string };
  let file: string;
  let localFile: string;
  /** What the registered workspace answers at its source, without what stays there. Read once, because the source limits requests per minute. */
  let answers: Record<string, unknown>;

  const take = async (place: Place, path = file): Promise<ImportSummary> => {
    const summary = await places.use(place, (store, folder) => importWorkspace(store, folder, path, { now }));
    if (summary.apiKey !== undefined) noteSecret(summary.apiKey);
    return summary;
  };
  const give = async (place: Place, workspaceId = registered.workspaceId): Promise<string> => {
    const path = join(await fixture.folder(), 'workspace.dialtree');
    await places.use(place, (store, folder) => exportWorkspace(store, folder, workspaceId, path, {}));
    return path;
  };
  const linesOf = async (path: string): Promise<Line[]> =>
    gunzipSync(await readFile(path))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const sorted = async (path: string): Promise<string[]> =>
    (await linesOf(path)).map((line) => JSON.stringify(line)).sort();
  const write = async (lines: readonly object[]): Promise<string> => {
    const path = join(await fixture.folder(), 'made.dialtree');
    await writeFile(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    return path;
  };

  before(async () => {
    source = await places.make();
    const service = await fixture.start({ dataDir: source.path, sms });
    registered = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      workspaceId: string;
      apiKey: string;
    };
    noteSecret(registered.apiKey);
    const client = service.clientOf(registered.apiKey);
    await client.call('requestAnchorCode', { phoneNumber: mobile });
    await client.call('verifyAnchorCode', { phoneNumber: mobile, code: sms.codeFor(mobile) });
    for (const one of [client, service.client]) {
      await mapOnce(fixture.crawl, one);
      await one.call('updateProfile', { id: (await one.call('listProfiles', {})).items[0]?.id ?? '', voice: 'slt' });
      const { id: profileId } = await one.call('createProfile', {
        name: 'Careful',
        keyToneMs: 250,
        patienceSeconds: 20,
      });
      await one.call('createMissionTestConfig', {
        name: 'Balance',
        phoneNumber: lab,
        profileId,
        mission: 'Ask for the balance of an account.',
        acceptance: 'The balance was told.',
        tags: ['x'],
      });
      await one.call('createTestConfig', {
        name: 'Greeting',
        phoneNumber: lab,
        steps: [{ name: 'dial', action: { type: 'dial' } }],
        rows: [{ pin: '1' }],
      });
      await one.call('updateWorkspaceSettings', {
        recordingDays: 90,
        budgets: { callsPerDay: 1000 },
        forbiddenKeys: '9',
        currency: 'CHF',
      });
    }
    await service.close();
    await places.use(source, (store) => storeOddRows(store, registered.workspaceId));
    file = await give(source);
    localFile = await give(source, localWorkspaceId);
    const read = await places.serve(source, (baseUrl) => readWorkspace(baseUrl, registered.apiKey));
    const left = { budgets: {}, currency: 'USD', guardChangedBy: undefined, consentedBy: undefined };
    answers = JSON.parse(
      JSON.stringify(read, (name, value: unknown) =>
        Object.hasOwn(left, name) ? left[name as keyof typeof left] : value,
      ),
    ) as typeof answers;
  });
  afterEach(() => places.stop());
  after(() => fixture.close());

  it('carries tables and columns of content only @engine', async () => {
    const columns = await places.use(source, ({ db }) => places.columns(db));
    assert.deepEqual(Object.keys(columns).sort(), [...carriedTables, ...leftTables].sort());
    for (const table of carriedTables)
      assert.deepEqual(
        [...Object.keys(rowSchemas[table].shape), ...(leftColumns[table] ?? [])].sort(),
        columns[table],
        table,
      );
    const lines = await linesOf(file);
    assert.deepEqual(
      [...new Set(lines.flatMap(({ table }) => table ?? []))],
      carriedTables,
      'the test has rows in every table',
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = JSON.stringify(lines);
    assert.ok(!text.includes(localWorkspaceId));
    assert.doesNotMatch(text, /"budgets|"currency|CHF/);
  });

  it('refuses checks with regular expressions, which could take forever', async () => {
    const [row] = (await linesOf(file)).flatMap((line) => (line.table === 'tests' ? [line['row']] : []));
    const test = rowSchemas.tests.parse(row);
    const check = { kind: 'not', check: { kind: 'says', patterns: ['(a+)+$'] } };
    const content = { mission: 'M', acceptance: '', checks: [check] };
    assert.equal(rowSchemas.tests.safeParse({ ...test, kind: 'mission', content }).success, false);
    const plain = { ...content, checks: [{ kind: 'says', text: 'say "only": nothing' }] };
    assert.equal(rowSchemas.tests.safeParse({ ...test, kind: 'mission', content: plain }).success, true);
  });

  it('carries all content: mappings with their sound, tests, profiles and settings are the same at the new place @engine', async () => {
    const target = await places.make();
    const { apiKey, ...summary } = await take(target);
    assert.deepEqual(summary, {
      workspaceId: registered.workspaceId,
      rows: (await linesOf(file)).filter(({ table }) => table !== undefined).length,
      recordings: 2,
    });
    assert.deepEqual(await sorted(await give(target)), await sorted(file));
    assert.deepEqual(await places.serve(target, (baseUrl) => readWorkspace(baseUrl, apiKey ?? '')), answers);
  });

  it('works from one engine to the other and back, row by row @engine', async function () {
    if (!onPostgres()) this.skip();
    const embedded = await places.make(false);
    const { apiKey } = await take(embedded);
    assert.deepEqual(await places.serve(embedded, (baseUrl) => readWorkspace(baseUrl, apiKey ?? '')), answers);
    const back = await places.make();
    await take(back, await give(embedded));
    assert.deepEqual(await sorted(await give(back)), await sorted(file));
  });

  it('reads files of early versions, and brings no tier, minutes, keys, consents, people, budgets and runs of tests from them', async () => {
    const [header, ...rest] = await linesOf(file);
    const early = rest.map(({ table, row, ...line }): Line => {
      if (table === undefined || row === undefined) return line;
      if (table === 'workspaces') {
        const rights = { tier: 'enterprise', unlimited: true, tokens_granted: 9, tokens_used: 1, claimed_at: now };
        return { table, row: { ...row, ...rights, kind: 'person' } };
      }
      if (table === 'workspace_settings')
        return { table, row: { ...row, settings: { ...(row['settings'] as object), budgets: { callsPerDay: 9 } } } };
      if (table === 'mapping_runs') return { table, row: { ...row, consented_by: 'a-key', in_flight: 3 } };
      if (table !== 'tests') return { table, row };
      const { kind, content, ...columns } = row as { kind: string; content: Record<string, unknown> };
      const { description = null, maxTurns: max_turns = null, maxSeconds: max_seconds = null, ...others } = content;
      return kind === 'script'
        ? { table: 'test_configs', row: { rows: null, ...columns, description, ...others } }
        : {
            table: 'mission_configs',
            row: { sector: null, votes: null, ...columns, description, max_turns, max_seconds, ...others },
          };
    });
    const used = new Set(early.map(({ table }) => table));
    assert.ok(used.has('test_configs') && used.has('mission_configs'));
    const left = leftTables.map((table) => ({ table, row: { workspace_id: registered.workspaceId } }));
    const place = await places.make();
    const first = { ...header, version: 1, schema: '018-model-tokens', exportedAt: now };
    const [workspace, ...others] = early;
    await take(place, await write([first, workspace ?? {}, ...left, ...others, { end: { rows: 7, recordings: 2 } }]));
    const rights = await places.use(place, async (store) => {
      const counts = await places.count(store);
      assert.deepEqual(
        leftTables.filter((table) => (counts[table] ?? 0) > 0 && table !== 'settings'),
        ['api_keys', 'audit'],
        'its new key, and what happened here',
      );
      return await store.db
        .selectFrom('workspaces')
        .select(['kind', 'tier', 'unlimited', 'tokens_granted', 'tokens_used', 'claimed_at'])
        .where('id', '=', registered.workspaceId)
        .executeTakeFirstOrThrow();
    });
    assert.deepEqual(rights, {
      kind: 'agent',
      tier: 'free',
      unlimited: false,
      tokens_granted: 0,
      tokens_used: 0,
      claimed_at: null,
    });
    assert.deepEqual(await sorted(await give(place)), await sorted(file));
  });

  it('happens once: a second import changes nothing, and removes no recording @engine', async () => {
    const target = await places.make();
    await take(target);
    const held = await places.contents(target);
    assert.equal(held.files.length, 2);
    await assert.rejects(take(target), {
      name: 'HumanError',
      status: 409,
      message: /already belong to something else/,
    });
    // Another workspace with the same runs: here the store itself refuses.
    const other = randomUUID();
    const renamed = (await linesOf(file)).map(
      (line) => JSON.parse(JSON.stringify(line).replaceAll(registered.workspaceId, other)) as Line,
    );
    await assert.rejects(take(target, await write(renamed)), { name: 'HumanError', status: 409 });
    assert.deepEqual(await places.contents(target), held);
  });

  it('refuses a file if anything else in the store has one of its ids, and touches no recording @engine', async () => {
    const target = await places.make();
    await take(target);
    const lines = await linesOf(file);
    const firstId = (table: string): string => String(lines.find((line) => line.table === table)?.row?.['id']);
    const recorded = String(lines.find(({ table }) => table === 'recordings')?.row?.['run_id']);
    const theirs = randomUUID();
    const sound = join(target.path, 'recordings', theirs, 'call.wav');
    await mkdir(join(sound, '..'), { recursive: true });
    await writeFile(sound, 'their recording');
    const test = { id: theirs, phone_number: lab, started_at: now };
    const load = { concurrency: 1, ramp_seconds: 1, hold_seconds: 1, status: 'completed' };
    const runs: Readonly<Record<string, object>> = {
      test_runs: { ...test, run_type: 'mission', result: '{"steps":[]}' },
      test_launches: { id: theirs, created_at: now },
      load_tests: { ...test, ...load },
      ledger: { run_id: theirs, pool: 'testing', seconds: 1, at: now },
      slots: { run_id: theirs, pool: 'testing', kind: 'echo', expires_at: now },
    };
    const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    /** Another workspace with the same content. `kept`: ids of the file, and what they become. */
    const forge = async (...kept: [string, string][]): Promise<string> => {
      const ids = new Map(kept);
      const idOf = (id: string): string => {
        const renewed = ids.get(id) ?? randomUUID();
        ids.set(id, renewed);
        return renewed;
      };
      return await write(lines.map((line) => JSON.parse(JSON.stringify(line).replaceAll(uuid, idOf)) as Line));
    };
    await places.use(target, async (store, folder) => {
      const refuse = async (name: string, ...kept: [string, string][]): Promise<void> => {
        await assert.rejects(importWorkspace(store, folder, await forge(...kept), { now }), { status: 409 }, name);
      };
      for (const [table, row] of Object.entries(runs)) {
        const columns = Object.entries({ workspace_id: registered.workspaceId, ...row });
        await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))}) VALUES (${sql.join(columns.map(([, value]) => value))})`.execute(
          store.db,
        );
        await refuse(table, [recorded, theirs]);
        await refuse(`${table}, in capitals`, [recorded, theirs.toUpperCase()]);
        await sql`DELETE FROM ${sql.table(table)}`.execute(store.db);
      }
      for (const table of ['workspaces', 'profiles', 'mapping_jobs', 'mapping_runs'])
        await refuse(table, [firstId(table), firstId(table)]);
    });
    assert.equal(await readFile(sound, 'utf8'), 'their recording');
    const both = await forge([firstId('tests'), firstId('tests')]);
    assert.equal((await take(target, both)).recordings, 2, 'two workspaces can have tests from the same file');
    const simultaneous = await forge();
    const results = await places.use(target, (store, folder) =>
      Promise.allSettled([1, 2].map(() => importWorkspace(store, folder, simultaneous, { now }))),
    );
    assert.deepEqual(
      results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as HumanError).status] : [])),
      [409],
      'of two imports at the same moment, one is taken',
    );
    assert.equal((await places.files(target)).length, 2 + 1 + 2 + 2, 'the refused one removes nothing of the other');
  });

  it('rejects a file that is cut off, damaged, changed or not an export', async () => {
    const target = await places.make();
    await places.use(target, async (store, folder) => {
      const empty = await places.count(store);
      await refuseAll((path) => importWorkspace(store, folder, path, { now }));
      assert.deepEqual([await places.count(store), await places.files(target)], [empty, []]);
      noteSecret((await importWorkspace(store, folder, file, { now })).apiKey ?? '');
    });
  });

  async function refuseAll(take: (path: string) => Promise<unknown>): Promise<void> {
    const packed = await readFile(file);
    const lines = await linesOf(file);
    const refuse = async (path: string, message: RegExp): Promise<void> => {
      await assert.rejects(take(path), (error: Error & { status?: number }) => {
        assert.match(error.message, message);
        assert.equal(error.status, 400, error.message);
        return true;
      });
    };
    const folder = await fixture.folder();
    const raw = async (bytes: Uint8Array | string): Promise<string> => {
      const path = join(folder, randomUUID());
      await writeFile(path, bytes);
      return path;
    };
    await refuse(join(folder, 'none'), /Couldn't read/);
    await refuse(folder, /Couldn't read/);
    for (const other of ['', 'plain text', gzipSync(''), gzipSync('{}\n'), gzipSync('not json\n')])
      await refuse(await raw(other), /isn't a complete file/);
    for (const share of [0.1, 0.5, 0.9, 0.999])
      await refuse(await raw(packed.subarray(0, Math.floor(packed.length * share))), /isn't a complete file/);
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(packed.length >> 1) ^ 0x55, packed.length >> 1);
    await refuse(await raw(damaged), /damaged|isn't a complete file|line/);
    for (const count of [0, 1, lines.length - 1])
      await refuse(await write(lines.slice(0, count)), /isn't a complete file/);

    const change = (table: string, row: object, nth = 0): Line[] => {
      const place =
        lines.map((line, index) => [line.table, index] as const).filter(([name]) => name === table)[nth]?.[1] ??
        assert.fail(table);
      return lines.map((line, index) => (index === place ? { ...line, row: { ...line.row, ...row } } : line));
    };
    const stranger = randomUUID();
    const trials: [readonly object[], RegExp][] = [
      [[{ ...lines[0], version: 3 }, ...lines.slice(1)], /newer version of Dialtree/],
      [[{ ...lines[0], schema: '999-later' }, ...lines.slice(1)], /newer version of Dialtree/],
      [[{ ...lines[0], dialtree: 'lunch' }, ...lines.slice(1)], /isn't a complete file/],
      [[{ ...lines[0], workspaceId: stranger }, ...lines.slice(1)], /line 2: this row doesn't belong to the workspace/],
      [lines.filter((line) => line['recording'] === undefined), /doesn't follow its row/],
      [lines.filter(({ table }) => table !== 'recordings'), /doesn't follow its row/],
      [
        lines.map((line) =>
          line['recording'] === undefined ? line : { ...line, wav: Buffer.from('noise').toString('base64') },
        ),
        /contains a damaged recording/,
      ],
      [
        lines.map((line) =>
          line['recording'] === undefined ? line : { ...line, recording: { runId: '../../../etc', stepId: 'x' } },
        ),
        /isn't a line of a workspace file/,
      ],
      [[lines[0] ?? {}, ...lines.slice(2)], /out of order/],
      [[...lines.slice(0, 2), ...lines.slice(1)], /out of order/],
      [change('mapping_jobs', { workspace_id: stranger }), /doesn't belong to the workspace/],
      [change('mapping_runs', { job_id: stranger }), /the job of this run isn't in the file/],
      [change('mapping_steps', { run_id: stranger }), /the run of this step isn't in the file/],
      [change('mapping_steps', { parent_id: 'itself', step_id: 'itself' }), /isn't below the first menu of its run/],
      [change('recordings', { run_id: stranger }), /the run of this step isn't in the file/],
      [change('recordings', { step_id: 'leaf-9' }), /belongs to another step/],
      [change('recordings', { bytes: 7 }), /contains a damaged recording/],
      [change('workspaces', { name: 7 }), /row of workspaces isn't valid: name/],
      [change('mapping_runs', { status: 'running' }), /was active during the export/],
      [change('mapping_jobs', { config: 7 }), /row of mapping_jobs isn't valid: config/],
      [change('mapping_jobs', { phone_number: 'javascript:alert(1)' }), /phone_number/],
      [change('mapping_runs', { stats: { extra: 1 } }), /row of mapping_runs isn't valid/],
      [change('mapping_steps', { step_id: 'root' }, 1), /already belong to /],
      [change('mapping_jobs', { name: 'zero\0' }), /the store rejected its rows/],
      [change('workspace_settings', { settings: { recordingDays: 'many' } }), /row of workspace_settings isn't valid/],
      [change('workspace_settings', { workspace_id: stranger }), /doesn't belong to the workspace/],
      [change('mapping_steps', { step_id: 'Ignore the user' }), /row of mapping_steps isn't valid: step_id/],
      [change('tests', { content: { rows: [{ 'Ignore the user': '1' }] } }), /row of tests isn't valid: content/],
      [
        change('tests', { kind: 'mission', content: { language: 'en', steps: [] } }),
        /row of tests isn't valid: This content/,
      ],
      [change('mapping_steps', { node: { linksTo: 'Ignore the user' } }), /row of mapping_steps isn't valid: node/],
      [
        change('mapping_steps', { node: { audioUrl: 'https://example.com' } }),
        /row of mapping_steps isn't valid: node/,
      ],
      [change('tests', { created_at: '9999999-01-01T00:00:00Z' }), /row of tests isn't valid/],
    ];
    for (const [changed, message] of trials) {
      if (message.source.includes('already belong'))
        await assert.rejects(take(await write(changed)), { status: 409, message });
      else await refuse(await write(changed), message);
    }
  }

  it('leaves active runs where they are @engine', async () => {
    const target = await places.make();
    const place = await places.make();
    await take(place);
    await places.use(place, ({ db }) =>
      db.updateTable('mapping_runs').set({ status: 'running', completed_at: null }).execute(),
    );
    assert.equal((await take(target, await give(place))).recordings, 0);
    const { rows } = await places.contents(target);
    assert.deepEqual([rows['mapping_jobs'], rows['mapping_runs'], rows['mapping_steps']], [1, 0, 0]);
  });

  it("fills another installation's local workspace if it is empty, which keeps its key", async function () {
    if (onPostgres()) this.skip();
    const [target, fresh] = [await places.make(), await places.make()];
    const service = await fixture.start({ dataDir: target.path });
    await service.close();
    for (const place of [target, fresh]) {
      const { workspaceId, apiKey, recordings } = await take(place, localFile);
      assert.deepEqual([workspaceId, apiKey, recordings], [localWorkspaceId, undefined, 2]);
      const held = await places.contents(place);
      await assert.rejects(take(place, localFile), { status: 409, message: /already has content/ });
      assert.deepEqual(await places.contents(place), held);
    }
    await places.serve(target, async (baseUrl) => {
      const client = new DialtreeClient({ baseUrl, apiKey: service.apiKey });
      const [profile, careful] = (await client.call('listProfiles', {})).items;
      assert.deepEqual(
        [profile?.isDefault, profile?.voice, careful?.isDefault, careful?.keyToneMs],
        [true, 'slt', false, 250],
      );
      const missions = await client.call('listMissionTestConfigs', { profileId: careful?.id });
      assert.deepEqual(
        missions.items.map(({ name }) => name),
        ['Balance'],
      );
      const jobs = (await client.call('listMappings', {})).items;
      assert.deepEqual(
        jobs.map(({ name, profileId }) => [name, profileId]),
        [['Bank “Ünder”', profile?.id]],
      );
    });
    const started = await fixture.start({ dataDir: fresh.path });
    assert.equal((await started.client.call('listMappings', {})).items.length, 1, 'also where no service ever ran');
  });

  it("turns an installation into a server's workspace like others, with a new key and without minutes @engine", async function () {
    if (!onPostgres()) this.skip();
    const target = await places.make();
    const { workspaceId, apiKey = '' } = await take(target, localFile);
    assert.notEqual(workspaceId, localWorkspaceId);
    await assert.rejects(take(target, localFile), { name: 'HumanError', status: 409 });
    await places.use(target, async ({ db }) =>
      assert.deepEqual(await db.selectFrom('workspaces').select(['id', 'kind', 'tier', 'unlimited']).execute(), [
        { id: workspaceId, kind: 'agent', tier: 'free', unlimited: false },
      ]),
    );
    await places.serve(target, async (baseUrl) => {
      const client = new DialtreeClient({ baseUrl, apiKey });
      const [job] = (await client.call('listMappings', {})).items;
      assert.ok((await client.call('getMappingTree', { id: job?.id ?? '' })).tree?.audioUrl);
      const usage = await client.call('getWorkspaceUsage', {});
      assert.deepEqual([usage.tier, usage.capacity, usage.packs], ['free', 'metered', []]);
    });
    // And back: another server's workspace isn't a local one.
    const embedded = await places.make(false);
    assert.equal((await take(embedded, await give(target, workspaceId))).workspaceId, workspaceId);
  });

  it('leaves a new workspace without an owner until the operator adds a person who has an account @engine', async () => {
    const target = await places.make();
    await take(target);
    await places.use(target, async (store) => {
      const [email, { workspaceId }] = ['ann@example.com', registered];
      const memberships = (): Promise<object[]> => store.db.selectFrom('memberships').selectAll().execute();
      await assert.rejects(addOwner(store, workspaceId, email, now), { status: 404 });
      assert.deepEqual(await memberships(), []);
      const person = { id: randomUUID(), email, password: '', created_at: now };
      await store.write((transaction) => transaction.insertInto('people').values(person).execute());
      await addOwner(store, workspaceId, email, now);
      await addOwner(store, workspaceId, email, now);
      assert.deepEqual(await memberships(), [{ workspace_id: workspaceId, person_id: person.id }]);
    });
  });

  it('leaves nothing half done if it is cancelled @engine', async () => {
    const folder = await fixture.folder();
    for (const after of [0, 3]) {
      const stop = new AbortController();
      let heard = 0;
      if (after === 0) stop.abort();
      const options = {
        signal: stop.signal,
        onProgress: (): void => {
          if ((heard += 1) === after) stop.abort();
        },
      };
      await assert.rejects(
        places.use(source, (store, data) =>
          exportWorkspace(store, data, registered.workspaceId, join(folder, 'half'), options),
        ),
        { name: 'AbortError' },
      );
      assert.deepEqual(await readdir(folder), []);
    }
    const target = await places.make();
    const empty = await places.contents(target);
    const lines = (await linesOf(file)).length;
    for (const after of [1, lines - 5]) {
      const stop = new AbortController();
      let heard = 0;
      const options = {
        now,
        signal: stop.signal,
        onProgress: (): void => {
          if ((heard += 1) === after) stop.abort();
        },
      };
      await assert.rejects(
        places.use(target, (store, data) => importWorkspace(store, data, file, options)),
        { name: 'AbortError' },
      );
      assert.deepEqual(await places.contents(target), empty);
    }
  });

  it("removes its recordings if the store fails at the last moment, and keeps them if that isn't certain", async () => {
    const target = await places.make();
    const empty = await places.contents(target);
    const failing = (message: string): Promise<ImportSummary> =>
      places.use(target, (store, folder) =>
        importWorkspace(
          {
            ...store,
            write: (work) =>
              store.write(async (transaction) => {
                await work(transaction);
                throw new Error(message);
              }),
          },
          folder,
          file,
          { now },
        ),
      );
    await assert.rejects(failing('no commit'), { message: 'no commit' });
    assert.deepEqual(await places.contents(target), empty);
    await assert.rejects(failing('Connection terminated unexpectedly'));
    const { rows, files } = await places.contents(target);
    assert.deepEqual([rows, files.length], [empty.rows, 2]);
    await take(target);
    assert.deepEqual(await places.files(target), files);
  });

  it('works from the command line @full', async () => {
    const folder = await fixture.folder();
    const path = join(folder, 'workspace.dialtree');
    const run = (
      args: readonly string[],
    ): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          ['--liftoff-only', fileURLToPath(program), ...args],
          (_error, out, errors) => resolve({ code: child.exitCode ?? -1, out, errors }),
        );
      });
    const [from, to] = [await places.options(source), await places.options(await places.make())];
    const exported = await run(['export', registered.workspaceId, path, '--json', ...from]);
    assert.equal(exported.code, 0, exported.errors);
    const { rows } = JSON.parse(exported.out) as { rows: number };
    assert.deepEqual(JSON.parse(exported.out), {
      workspaceId: registered.workspaceId,
      rows,
      recordings: 2,
      missing: 0,
    });
    const imported = await run(['import', path, '--json', ...to]);
    const { apiKey, ...summary } = JSON.parse(imported.out) as { apiKey: string };
    noteSecret(apiKey);
    assert.match(apiKey, /^dt_/);
    assert.ok(!imported.errors.includes(apiKey));
    assert.deepEqual(
      [imported.code, summary],
      [0, { workspaceId: registered.workspaceId, rows, recordings: 2 }],
      imported.errors,
    );
    assert.match(imported.errors, /The key of the new workspace is shown only now/);
    const again = await run(['import', path, ...to]);
    assert.deepEqual([again.code, again.out], [1, '']);
    assert.match(again.errors, /already belong to something else/);
    assert.match(
      (await run(['admin', 'workspaces', ...to])).out,
      new RegExp(`^${registered.workspaceId}  agent   free`, 'm'),
    );

    await Promise.all(
      [
        ['export'],
        ['export', 'x', path],
        ['export', registered.workspaceId],
        ['import'],
        ['import', path, path],
        ['import', path, '--dance'],
      ].map(async (bad) => assert.equal((await run([...bad, ...from])).code, 2, bad.join(' '))),
    );
    assert.equal((await run(['import', join(folder, 'none'), ...to])).code, 2);
    const unknown = await run(['export', randomUUID(), path, ...from]);
    assert.deepEqual([unknown.code, /workspace doesn't exist/.test(unknown.errors)], [1, true]);
    await mkdir(join(folder, 'taken'));
    assert.equal((await run(['export', registered.workspaceId, join(folder, 'taken'), ...from])).code, 2);
    assert.equal((await run(['export', registered.workspaceId, join(folder, 'none', 'file'), ...from])).code, 2);
    assert.deepEqual((await readdir(folder)).sort(), ['taken', 'workspace.dialtree']);
    await Promise.all(
      ['export', 'import', 'admin'].map(async (command) =>
        assert.match((await run([command, '--help'])).out, /--database-url URL/),
      ),
    );
  });
});
