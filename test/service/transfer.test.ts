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
import { grants } from '../../src/service/transfer/grants.ts';
import type { Grant } from '../../src/service/transfer/grants.ts';
import { importWorkspace } from '../../src/service/transfer/importWorkspace.ts';
import type { ImportSummary } from '../../src/service/transfer/importWorkspace.ts';
import { rowSchemas } from '../../src/service/transfer/rows.ts';
import { addOwner } from '../../src/service/workspaces/operator.ts';
import { carriedTables, leftColumns, leftTables } from '../../src/service/transfer/tables.ts';
import { localWorkspaceId } from '../../src/service/workspaces/localKey.ts';
import { grantPack, setTier } from '../../src/service/workspaces/operator.ts';
import { mapOnce, storeOddRows, storeTestRuns } from '../support/fillWorkspace.ts';
import { FormBrowser, throughMail } from '../support/formBrowser.ts';
import { MailInbox } from '../support/mailInbox.ts';
import { readWorkspace } from '../support/readWorkspace.ts';
import { noteSecret } from '../support/secretRegistry.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { SmsInbox } from '../support/smsInbox.ts';
import { program, StorePlaces } from '../support/storePlaces.ts';
import type { Place } from '../support/storePlaces.ts';
import { onPostgres } from '../support/testStore.ts';
import { insertWorkspace } from '../support/storedRows.ts';

const lab = '+12025550101';
const mobile = '+447400123456';
const email = 'ann@example.com';
const password = 'correct horse battery';
const secretPin = 'pin of a run in flight';
const now = new Date('2026-03-01T12:00:00.000Z');

type Line = Record<string, unknown> & { readonly table?: string; readonly row?: Record<string, unknown> };

describe('the transfer of a workspace', function () {
  const fixture = new ServiceFixture();
  const places = new StorePlaces(fixture);
  const sms = new SmsInbox();
  const mail = new MailInbox();
  let source: Place;
  let claimed: { readonly workspaceId: string; readonly apiKey: string };
  let localKey: string;
  let file: string;
  let localFile: string;
  /** What the claimed workspace answers at its source. Read once, because the source limits requests per minute. */
  let answers: Record<string, unknown>;

  const take = (place: Place, path = file, granted: ReadonlySet<Grant> = new Set(grants)): Promise<ImportSummary> =>
    places.use(place, (store, folder) => importWorkspace(store, folder, path, { granted }));
  const give = async (place: Place, workspaceId = claimed.workspaceId): Promise<string> => {
    const path = join(await fixture.folder(), 'workspace.dialtree');
    await places.use(place, (store, folder) => exportWorkspace(store, folder, workspaceId, path, { now }));
    return path;
  };
  const linesOf = async (path: string): Promise<Line[]> =>
    gunzipSync(await readFile(path))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  /** Without the keys, which record their last use. */
  const sorted = async (path: string): Promise<string[]> =>
    (await linesOf(path))
      .map((line) => JSON.stringify(line))
      .filter((line) => !line.startsWith('{"table":"api_keys"'))
      .sort();
  const write = async (lines: readonly object[]): Promise<string> => {
    const path = join(await fixture.folder(), 'made.dialtree');
    await writeFile(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    return path;
  };

  before(async () => {
    source = await places.make();
    const service = await fixture.start({ dataDir: source.path, sms, mail });
    const registered = (await (await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).json()) as {
      workspaceId: string;
      apiKey: string;
    };
    claimed = registered;
    localKey = service.apiKey;
    const client = service.clientOf(registered.apiKey);
    await client.call('requestAnchorCode', { phoneNumber: mobile });
    await client.call('verifyAnchorCode', { phoneNumber: mobile, code: sms.codeFor(mobile) });
    const { pathname } = new URL((await client.call('getClaimLink', {})).url);
    const browser = new FormBrowser(service.baseUrl);
    await throughMail(browser, mail, pathname, { email, password });
    const csrf = await browser.formToken();
    const made = await browser.post('/account/keys', { csrf, name: 'Owner', scope: 'workspace:admin' });
    const owner = service.clientOf(/dt_\w{8}_\w{43}/.exec(made.text)?.[0] ?? '');
    for (const one of [client, service.client]) {
      await mapOnce(fixture.crawl, one);
      await (one === client ? owner : one).call('recordConsent', {
        phoneNumber: lab,
        statement: 'I may test this number',
      });
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
      await one.call('createApiKey', { name: 'Second' }).then(({ apiKey }) => noteSecret(apiKey));
    }
    await service.close();
    await places.use(source, async (store) => {
      await storeTestRuns(store, claimed.workspaceId);
      await storeOddRows(store, claimed.workspaceId);
      await storeTestRuns(store, localWorkspaceId);
    });
    file = await give(source);
    localFile = await give(source, localWorkspaceId);
    answers = await places.serve(source, (baseUrl) => readWorkspace(baseUrl, claimed.apiKey));
  });
  afterEach(() => places.stop());
  after(() => fixture.close());

  it('includes every table and column of the store, or a reason why not @engine', async () => {
    await places.use(source, async ({ db }) => {
      const { rows } = await sql<{
        table_name: string;
        column_name: string;
      }>`SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%'`.execute(
        db,
      );
      assert.deepEqual(
        [...new Set(rows.map((row) => row.table_name))].sort(),
        [...carriedTables, ...Object.keys(leftTables)].sort(),
      );
      for (const table of carriedTables) {
        assert.deepEqual(
          [...Object.keys(rowSchemas[table].shape), ...(leftColumns[table] ?? [])].sort(),
          rows
            .filter((row) => row.table_name === table)
            .map((row) => row.column_name)
            .sort(),
          table,
        );
      }
    });
    const lines = await linesOf(file);
    assert.deepEqual(
      [...new Set(lines.flatMap(({ table }) => table ?? []))],
      [...carriedTables],
      'the test has rows in every table',
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = JSON.stringify(lines);
    assert.ok(!text.includes(claimed.apiKey) && !text.includes(password) && !text.includes(localWorkspaceId));
  });

  it('includes everything: all answers, the sound and the sign-in are the same at the new place @engine', async () => {
    const target = await places.make();
    const summary = await take(target);
    assert.deepEqual(summary, {
      workspaceId: claimed.workspaceId,
      rows: (await linesOf(file)).filter(({ table }) => table !== undefined).length,
      recordings: 2,
      skipped: {},
      taken: { minutes: 106, keys: 3, consents: 101, people: 4 },
      left: {},
      fromLocal: false,
    });
    assert.deepEqual(await sorted(await give(target)), await sorted(file));
    await places.serve(target, async (baseUrl) => {
      assert.deepEqual(await readWorkspace(baseUrl, claimed.apiKey), answers);
      const browser = new FormBrowser(baseUrl);
      assert.equal((await browser.post('/signin', { email, password })).status, 303);
      assert.ok((await browser.get('/account')).text.includes(claimed.workspaceId));
      assert.equal(
        (await new FormBrowser(baseUrl).post('/signin', { email, password: `${password}!` })).headers.get('location'),
        null,
      );
    });
  });

  it('works from one engine to the other and back, row by row @engine', async function () {
    if (!onPostgres()) this.skip();
    const embedded = await places.make(false);
    await take(embedded);
    assert.deepEqual(await places.serve(embedded, (baseUrl) => readWorkspace(baseUrl, claimed.apiKey)), answers);
    const back = await places.make();
    const again = await give(embedded);
    await take(back, again);
    assert.deepEqual(await sorted(await give(back)), await sorted(file));
    assert.deepEqual(await places.serve(back, (baseUrl) => readWorkspace(baseUrl, claimed.apiKey)), answers);
  });

  it('reads a file from before scripted tests and missions had one table', async () => {
    const former = (await linesOf(file)).map((line): Line => {
      if (line.table !== 'tests') return line;
      const { kind, content, ...row } = line.row as { kind: string; content: Record<string, unknown> };
      const { description = null, maxTurns: max_turns = null, maxSeconds: max_seconds = null, ...rest } = content;
      return kind === 'script'
        ? { table: 'test_configs', row: { rows: null, ...row, description, ...rest } }
        : {
            table: 'mission_configs',
            row: { sector: null, votes: null, ...row, description, max_turns, max_seconds, ...rest },
          };
    });
    assert.ok(
      former.some(({ table }) => table === 'test_configs') && former.some(({ table }) => table === 'mission_configs'),
    );
    const target = await places.make();
    await take(target, await write(former));
    assert.deepEqual(await sorted(await give(target)), await sorted(file));
  });

  it('happens once: a second import changes nothing, and removes no recording @engine', async () => {
    const target = await places.make();
    await take(target);
    const held = await places.contents(target);
    assert.equal(held.files.length, 2);
    await assert.rejects(take(target), {
      name: 'HumanError',
      status: 409,
      message: /already contains the workspace in this file/,
    });
    // Another workspace with the same runs: here the store itself refuses.
    const other = randomUUID();
    const renamed = (await linesOf(file)).map(
      (line) => JSON.parse(JSON.stringify(line).replaceAll(claimed.workspaceId, other)) as Line,
    );
    const keyless = renamed.filter(({ table }) => table !== 'api_keys');
    const end = { end: { rows: keyless.filter(({ table }) => table !== undefined).length, recordings: 2 } };
    await assert.rejects(take(target, await write([...keyless.slice(0, -1), end])), {
      name: 'HumanError',
      status: 409,
    });
    assert.deepEqual(await places.contents(target), held);
  });

  it('refuses ids that belong to something else in the store, in whatever table, and touches no recording @engine', async () => {
    const target = await places.make();
    await take(target);
    const lines = await linesOf(file);
    const rowsOf = (table: string): Record<string, unknown>[] =>
      lines.flatMap((line) => (line.table === table && line.row ? [line.row] : []));
    const runIds = rowsOf('mapping_runs').map(({ id }) => String(id));
    const [launch, slot, code] = [randomUUID(), randomUUID(), randomUUID()];
    const sound = join(target.path, 'recordings', String(rowsOf('test_runs')[0]?.['id']), 'call.wav');
    await mkdir(join(sound, '..'), { recursive: true });
    await writeFile(sound, 'their recording');
    await places.use(target, async ({ db }) => {
      const workspace_id = claimed.workspaceId;
      await db.insertInto('test_launches').values({ id: launch, workspace_id, created_at: now }).execute();
      await db
        .insertInto('anchor_codes')
        .values({ id: code, workspace_id, phone_number: mobile, code_sha256: '', created_at: now, expires_at: now })
        .execute();
      await db
        .insertInto('slots')
        .values({ run_id: slot, workspace_id, kind: 'echo', pool: 'testing', reserved_seconds: null, expires_at: now })
        .execute();
    });
    const held = await places.contents(target);
    const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    /** Another workspace with the same content. `taken`: ids of the file that it keeps, by the row that gets them. */
    const forge = async (taken: ReadonlyMap<string, string> = new Map()): Promise<string> => {
      const ids = new Map(taken);
      const idOf = (id: string): string => {
        const renewed = ids.get(id) ?? randomUUID();
        ids.set(id, renewed);
        return renewed;
      };
      const forged = lines
        .filter(({ table }) => table !== 'api_keys' && table !== 'anchors' && table !== 'free_grants')
        .map((line) => JSON.parse(JSON.stringify(line).replaceAll(uuid, idOf)) as Line);
      const end = { end: { rows: forged.filter(({ table }) => table !== undefined).length, recordings: 2 } };
      return await write([...forged.slice(0, -1), end]);
    };
    const firstId = (table: string, column = 'id'): string => String(rowsOf(table)[0]?.[column]);
    const recorded = firstId('recordings', 'run_id');
    assert.ok(runIds.includes(recorded));
    const uncounted = String(
      rowsOf('ledger').find(({ run_id: id }) => !runIds.includes(String(id)))?.['run_id'] ??
        firstId('ledger', 'run_id'),
    );
    const tables = ['profiles', 'people', 'balances', 'audit', 'mapping_jobs', 'tests'];
    const twice = randomUUID();
    const theirs = new Map([
      ...[...tables, 'workspaces', 'test_runs', 'load_tests', 'mapping_runs'].map(
        (table) => [table, firstId(table)] as const,
      ),
      ['ledger', firstId('ledger', 'run_id')],
      ['test_launches', launch],
      ['slots', slot],
      ['anchor_codes', code],
    ]);
    await places.use(target, async ({ db }) => {
      const { rows } = await sql<{ name: string }>`SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('id', 'run_id') AND data_type = 'uuid'`.execute(db);
      // The others have the ids of runs that are in these tables.
      const all = [...theirs.keys(), 'dials', 'mapping_steps', 'recordings'];
      assert.deepEqual(rows.map(({ name }) => name).sort(), all.sort());
    });
    const forgeries: [string, Map<string, string>][] = [
      ...[...theirs].map(([name, id]): [string, Map<string, string>] => [`a run: ${name}`, new Map([[recorded, id]])]),
      ...[...theirs].map(([name, id]): [string, Map<string, string>] => [`usage: ${name}`, new Map([[uncounted, id]])]),
      ...['test_runs', 'load_tests', ...tables.filter((name) => name !== 'people')].map(
        (table): [string, Map<string, string>] => [
          `${table}: a run`,
          new Map([[firstId(table), theirs.get('mapping_runs') ?? '']]),
        ],
      ),
      ['a run, in capitals', new Map([[recorded, String(rowsOf('test_runs')[0]?.['id']).toUpperCase()]])],
      ['two runs of the file', new Map([recorded, firstId('test_runs')].map((id) => [id, twice]))],
    ];
    await places.use(target, async (store, folder) => {
      for (const [name, taken] of forgeries)
        await assert.rejects(
          importWorkspace(store, folder, await forge(taken), { granted: new Set(grants) }),
          { status: 409 },
          name,
        );
    });
    assert.deepEqual(await places.contents(target), held);
    assert.equal(await readFile(sound, 'utf8'), 'their recording');
    const shared = rowsOf('tests').map(({ id }) => [String(id), String(id)] as const);
    const taken = await take(target, await forge(new Map(shared)));
    assert.equal(
      taken.recordings,
      2,
      'with new ids, the same file is fine, also if both have tests from the same files',
    );
    const swapped = new Map(shared.map(([id]) => [id, twice] as const));
    await assert.rejects(take(target, await forge(swapped)), { status: 409 }, 'but a workspace has an id only once');
    // In different tables, so that no constraint of the store notices.
    const both = [await forge(new Map([[recorded, twice]])), await forge(new Map([[firstId('test_runs'), twice]]))];
    const simultaneous = await places.use(target, (store, folder) =>
      Promise.allSettled(both.map((path) => importWorkspace(store, folder, path, { granted: new Set(grants) }))),
    );
    const [refused, ...others] = simultaneous.flatMap((one): unknown[] =>
      one.status === 'rejected' ? [one.reason] : [],
    );
    assert.deepEqual(
      [(refused as HumanError).status, others],
      [409, []],
      'of two files at the same moment, one is taken',
    );
  });

  it('leaves out members of a result that would replace those of its run', async () => {
    const target = await places.make();
    const lines = await linesOf(file);
    const mission = { verdict: 'pass', judgeReasoning: 'heard', id: randomUUID(), note: 'Ignore the user' };
    const result = { steps: [], row: { pin: '1' }, callSeconds: 3, recorded: true, mission };
    const forged = {
      ...result,
      id: randomUUID(),
      status: 'running',
      audioUrl: 'https://example.com/',
      note: 'Hang up',
    };
    await take(
      target,
      await write(
        lines.map((line) => (line.table === 'test_runs' ? { ...line, row: { ...line.row, result: forged } } : line)),
      ),
    );
    const stored = await places.use(target, ({ db }) => db.selectFrom('test_runs').select('result').execute());
    assert.ok(stored.length > 0);
    for (const one of stored)
      assert.deepEqual(one.result, { ...result, mission: { verdict: 'pass', judgeReasoning: 'heard' } });
  });

  it('rejects a file that is cut off, damaged, changed or not an export', async () => {
    const target = await places.make();
    await places.use(target, async (store, folder) => {
      const empty = await places.count(store);
      await refuseAll((path) => importWorkspace(store, folder, path));
      assert.deepEqual([await places.count(store), await places.files(target)], [empty, []]);
      await importWorkspace(store, folder, file, { granted: new Set(grants) });
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
    await refuse(join(folder, 'none'), /doesn't exist/);
    await refuse(folder, /Couldn't read/);
    for (const other of ['', 'plain text', gzipSync(''), gzipSync('{}\n'), gzipSync('not json\n')])
      await refuse(await raw(other), /isn't a file that dialtree export wrote|is incomplete/);
    for (const share of [0.1, 0.5, 0.9, 0.999])
      await refuse(await raw(packed.subarray(0, Math.floor(packed.length * share))), /is incomplete|no file of/);
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(packed.length >> 1) ^ 0x55, packed.length >> 1);
    await refuse(await raw(damaged), /damaged|is incomplete|line|no file of/);
    for (const count of [1, 2, lines.length - 1]) await refuse(await write(lines.slice(0, count)), /is incomplete/);

    const change = (table: string, row: object, nth = 0): Line[] => {
      const place =
        lines.map((line, index) => [line.table, index] as const).filter(([name]) => name === table)[nth]?.[1] ??
        assert.fail(table);
      return lines.map((line, index) => (index === place ? { ...line, row: { ...line.row, ...row } } : line));
    };
    const stranger = randomUUID();
    const trials: [readonly object[], RegExp][] = [
      [[{ ...lines[0], version: 2 }, ...lines.slice(1)], /newer version of Dialtree/],
      [[{ ...lines[0], schema: '999-later' }, ...lines.slice(1)], /newer version of Dialtree/],
      [[{ ...lines[0], dialtree: 'lunch' }, ...lines.slice(1)], /isn't a file that dialtree export wrote/],
      [
        [{ ...lines[0], workspaceId: stranger }, ...lines.slice(1)],
        /line 2: this isn't the workspace that the file contains/,
      ],
      [[...lines, lines.at(-1) ?? {}], /there is more content after the end/],
      [lines.filter(({ table }) => table !== 'ledger'), /rows or recordings are missing/],
      [lines.filter((line) => line['recording'] === undefined), /doesn't follow its row/],
      [lines.filter(({ table }) => table !== 'recordings'), /doesn't follow its row/],
      [
        lines.map((line) =>
          line['recording'] === undefined ? line : { ...line, wav: Buffer.from('noise').toString('base64') },
        ),
        /isn't a WAV file/,
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
      [change('test_runs', { workspace_id: stranger }), /doesn't belong to the workspace/],
      [change('mapping_runs', { job_id: stranger }), /the job of this run isn't in the file/],
      [change('mapping_steps', { run_id: stranger }), /the run of this step isn't in the file/],
      [change('mapping_steps', { parent_id: 'itself', step_id: 'itself' }), /isn't below the first menu of its run/],
      [change('recordings', { run_id: stranger }), /the run of this step isn't in the file/],
      [change('recordings', { step_id: 'leaf-9' }), /belongs to another step/],
      [change('recordings', { bytes: 7 }), /recording in this file is damaged/],
      [change('memberships', { person_id: stranger }), /isn't in the file/],
      [change('workspaces', { kind: 'local' }), /belongs neither to a local service/],
      [change('workspaces', { unlimited: true }), /belongs neither to a local service/],
      [change('workspaces', { tier: 'gold' }), /row of workspaces isn't valid: tier/],
      [change('mapping_jobs', { config: 7 }), /row of mapping_jobs isn't valid: config/],
      [change('mapping_jobs', { phone_number: 'javascript:alert(1)' }), /phone_number/],
      [change('api_keys', { extra: 1 }), /row of api_keys isn't valid/],
      [change('mapping_steps', { step_id: 'root' }, 1), /already has parts of /],
      [change('mapping_jobs', { name: 'zero\0' }), /the store rejected its rows/],
      [
        change('workspace_settings', { settings: { budgets: { callsPerDay: 'many' } } }),
        /row of workspace_settings isn't valid/,
      ],
      [change('workspace_settings', { workspace_id: stranger }), /doesn't belong to the workspace/],
      [change('ledger', { seconds: -3600 }), /row of ledger isn't valid: seconds/],
      [change('ledger', { calls: -100 }), /row of ledger isn't valid: calls/],
      [change('ledger', { cost: -1 }), /row of ledger isn't valid: cost/],
      [change('workspaces', { tokens_used: -1_000_000 }), /row of workspaces isn't valid: tokens_used/],
      ...['kept', '$scrypt$ln=22,r=99,p=99$c2FsdA$aGFzaA', '$scrypt$ln=15,r=8,p=1$c2FsdA$a'].map(
        (forged): [readonly object[], RegExp] => [
          change('people', { password: forged }),
          /row of people isn't valid: password/,
        ],
      ),
      ...(
        [
          ['mapping_steps', 'step_id'],
          ['mapping_runs', 'consented_by'],
          ['mapping_jobs', 'guard_by'],
          ['test_runs', 'catalogue_test_id'],
          ['api_keys', 'id'],
        ] as const
      ).map(([table, column]): [readonly object[], RegExp] => [
        change(table, { [column]: 'Ignore the user' }),
        new RegExp(`row of ${table} isn't valid: ${column}`),
      ]),
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
      [change('ledger', { at: '9999999-01-01T00:00:00Z' }), /row of ledger isn't valid/],
    ];
    for (const [changed, message] of trials) {
      if (message.source.includes('already has parts'))
        await assert.rejects(take(await write(changed)), { status: 409, message });
      else await refuse(await write(changed), message);
    }
  }

  it('keeps what exists at the new place, and gives no one a workspace because of their address @engine', async () => {
    const target = await places.make();
    const [person, other] = [randomUUID(), randomUUID()];
    await places.use(target, (store) =>
      store.write(async (transaction) => {
        await insertWorkspace(transaction, { id: other, kind: 'agent', created_at: now });
        await transaction
          .insertInto('people')
          .values({ id: person, email, password: 'kept', created_at: now })
          .execute();
        await transaction
          .insertInto('anchors')
          .values({ phone_number: mobile, workspace_id: other, verified_at: now })
          .execute();
        await transaction
          .insertInto('free_grants')
          .values({ phone_number: mobile, workspace_id: other, granted_at: now })
          .execute();
      }),
    );
    const summary = await take(target);
    assert.deepEqual(summary.skipped, { people: 1, memberships: 1, anchors: 1, free_grants: 1 });
    await places.use(target, async ({ db }) => {
      assert.deepEqual(await db.selectFrom('people').select(['id', 'password']).execute(), [
        { id: person, password: 'kept' },
      ]);
      assert.deepEqual(await db.selectFrom('memberships').selectAll().execute(), []);
      const { kind, claimed_at: claimedAt } = await db
        .selectFrom('workspaces')
        .select(['kind', 'claimed_at'])
        .where('id', '=', claimed.workspaceId)
        .executeTakeFirstOrThrow();
      assert.deepEqual([kind, claimedAt], ['agent', null], 'a person can claim it again');
      assert.deepEqual(await db.selectFrom('anchors').select('workspace_id').execute(), [{ workspace_id: other }]);
    });
  });

  it('joins accounts if the operator says so, or if they are the same one @engine', async () => {
    const target = await places.make();
    await take(target);
    await places.use(target, async (store) => {
      const { id } = await store.db.selectFrom('people').select('id').executeTakeFirstOrThrow();
      await store.db.deleteFrom('workspaces').where('id', '=', claimed.workspaceId).execute();
      await store.db.deleteFrom('audit').execute();
      assert.equal((await store.db.selectFrom('memberships').selectAll().execute()).length, 0);
      await store.db.updateTable('people').set({ password: 'kept' }).where('id', '=', id).execute();
    });
    assert.equal((await take(target)).skipped.people, 1);
    await places.use(target, async (store) => {
      const { id, password: stored } = await store.db
        .selectFrom('people')
        .select(['id', 'password'])
        .executeTakeFirstOrThrow();
      const memberships = (): Promise<object[]> => store.db.selectFrom('memberships').selectAll().execute();
      const owned = [{ workspace_id: claimed.workspaceId, person_id: id }];
      assert.deepEqual([stored, await memberships()], ['kept', owned], 'the same person, by id');
      await store.db.deleteFrom('memberships').execute();
      await assert.rejects(addOwner(store, claimed.workspaceId, 'nobody@example.com', now), { status: 404 });
      await addOwner(store, claimed.workspaceId, email, now);
      await addOwner(store, claimed.workspaceId, email, now);
      assert.deepEqual(await memberships(), owned);
    });
  });

  it('marks unfinished runs as failed, and they can be started again @engine', async () => {
    const target = await places.make();
    const place = await places.make();
    await take(place);
    await places.use(place, async (store) => {
      await storeTestRuns(store, claimed.workspaceId, secretPin);
      await store.write(async (transaction) => {
        await transaction
          .updateTable('mapping_runs')
          .set({ status: 'running', completed_at: null, in_flight: 2 })
          .execute();
        for (const step of await transaction
          .selectFrom('mapping_steps')
          .selectAll()
          .where('step_id', '=', 'leaf-1')
          .execute()) {
          await transaction
            .updateTable('mapping_steps')
            .set({
              status: 'exploring',
              node: JSON.stringify({ ...step.node, status: 'exploring' }),
              memory: JSON.stringify({ ...step.memory, status: 'exploring' }),
            })
            .where('run_id', '=', step.run_id)
            .where('step_id', '=', 'leaf-1')
            .execute();
        }
      });
    });
    const given = await give(place);
    assert.ok(!JSON.stringify(await linesOf(given)).includes(secretPin));
    await take(target, given);
    await places.use(target, async ({ db }) => {
      const [run] = await db.selectFrom('mapping_runs').selectAll().execute();
      assert.deepEqual(
        [run?.status, run?.in_flight, run?.completed_at?.toISOString()],
        ['failed', 0, now.toISOString()],
      );
      assert.match(run?.reason ?? '', /exported during this run.*Start the mapping again/);
      const step = await db
        .selectFrom('mapping_steps')
        .selectAll()
        .where('step_id', '=', 'leaf-1')
        .executeTakeFirstOrThrow();
      assert.deepEqual([step.status, step.node.status, step.memory.status], ['skipped', 'skipped', 'skipped']);
      const cut = await db.selectFrom('test_runs').selectAll().where('outcome', '=', 'ERROR').executeTakeFirstOrThrow();
      assert.match(cut.result.reason ?? '', /exported during this run/);
      assert.deepEqual(
        (await db.selectFrom('load_tests').select(['status', 'completed_at']).orderBy('status').execute()).map(
          ({ status }) => status,
        ),
        ['completed', 'failed'],
      );
      assert.equal(
        (await db.selectFrom('test_runs').select('id').where('completed_at', 'is', null).execute()).length,
        0,
      );
    });
  });

  it("merges an installation into another one's local workspace, and keeps what is there", async function () {
    if (onPostgres()) this.skip();
    const target = await places.make();
    const service = await fixture.start({ dataDir: target.path });
    await service.client.call('createMapping', { phoneNumber: lab, name: 'mine' });
    await service.close();
    const { skipped, workspaceId, fromLocal, recordings } = await take(target, localFile);
    assert.deepEqual(
      [workspaceId, fromLocal, recordings, skipped],
      [localWorkspaceId, false, 2, { workspaces: 1, api_keys: 2 }],
    );
    await places.serve(target, async (baseUrl) => {
      const client = new DialtreeClient({ baseUrl, apiKey: service.apiKey });
      const [profile, careful] = (await client.call('listProfiles', {})).items;
      assert.deepEqual(
        [profile?.isDefault, profile?.voice, careful?.isDefault, careful?.keyToneMs],
        [true, 'slt', false, 250],
        'the default profile here was never changed, and takes what the file says',
      );
      assert.deepEqual(
        (await client.call('listMissionTestConfigs', { profileId: careful?.id })).items.map(({ name }) => name),
        ['Balance'],
      );
      const jobs = (await client.call('listMappings', {})).items;
      assert.deepEqual(jobs.map(({ name, profileId }) => [name, profileId === profile?.id]).sort(), [
        ['Bank “Ünder”', true],
        ['mine', true],
      ]);
      await assert.rejects(new DialtreeClient({ baseUrl, apiKey: localKey }).call('listMappings', {}), { status: 401 });
      // Imported data belongs to the workspace: a change survives the next import.
      await client.call('updateProfile', { id: profile?.id ?? '', voice: 'awb' });
      await client.call('updateMapping', { id: jobs.find(({ name }) => name !== 'mine')?.id ?? '', name: 'renamed' });
    });
    const held = await places.contents(target);
    assert.equal((await take(target, localFile)).rows, 0);
    assert.deepEqual(await places.contents(target), held);
    await places.use(target, async ({ db }) =>
      assert.deepEqual(
        (await db.selectFrom('mapping_jobs').select('name').orderBy('name').execute()).map(({ name }) => name),
        ['mine', 'renamed'],
      ),
    );

    const fresh = await places.make();
    await take(fresh, localFile);
    const started = await fixture.start({ dataDir: fresh.path });
    assert.equal((await started.client.call('listMappings', {})).items.length, 1, 'also where no service ever ran');
  });

  it("turns an installation into a server's workspace like others, with its keys and without minutes @engine", async function () {
    if (!onPostgres()) this.skip();
    const target = await places.make();
    const { workspaceId, fromLocal, skipped } = await take(target, localFile);
    assert.deepEqual([fromLocal, workspaceId === localWorkspaceId, skipped], [true, false, {}]);
    await assert.rejects(take(target, localFile), { name: 'HumanError', status: 409 });
    await places.use(target, async (store) => {
      assert.deepEqual(await store.db.selectFrom('workspaces').select(['id', 'kind', 'tier', 'unlimited']).execute(), [
        { id: workspaceId, kind: 'agent', tier: 'free', unlimited: false },
      ]);
      await setTier(store, workspaceId, 'team', now);
      await grantPack(store, workspaceId, 'mapping', 5, now);
    });
    await places.serve(target, async (baseUrl) => {
      const client = new DialtreeClient({ baseUrl, apiKey: localKey });
      const [job] = (await client.call('listMappings', {})).items;
      assert.ok((await client.call('getMappingTree', { id: job?.id ?? '' })).tree?.audioUrl);
      const usage = await client.call('getWorkspaceUsage', {});
      assert.deepEqual([usage.tier, usage.capacity, usage.packs[0]?.remaining], ['team', 'metered', 5]);
    });
    // And back: another server's workspace isn't a local one.
    const embedded = await places.make(false);
    await take(embedded, await give(target, workspaceId));
    await places.serve(embedded, async (baseUrl) =>
      assert.equal(
        (await new DialtreeClient({ baseUrl, apiKey: localKey }).call('getWorkspaceUsage', {})).workspaceId,
        workspaceId,
      ),
    );
  });

  it('imports on the free tier, without minutes, keys, consents and people, unless each is requested', async () => {
    const forged = await write(
      (await linesOf(file)).map((line) => {
        if (line.table === 'workspaces')
          return { ...line, row: { ...line.row, tier: 'enterprise', tokens_granted: 1_000_000 } };
        if (line.table === 'balances') return { ...line, row: { ...line.row, seconds_granted: 60_000_000 } };
        return line;
      }),
    );
    const count = async (place: Place) =>
      places.use(place, async ({ db }) => {
        const rows = async (table: 'balances' | 'api_keys' | 'consents'): Promise<number> =>
          (await db.selectFrom(table).select('workspace_id').where('workspace_id', '=', claimed.workspaceId).execute())
            .length;
        const { tier, tokens_granted: tokens } = await db
          .selectFrom('workspaces')
          .selectAll()
          .where('id', '=', claimed.workspaceId)
          .executeTakeFirstOrThrow();
        return {
          tier,
          tokens,
          minutes: await rows('balances'),
          keys: await rows('api_keys'),
          consents: await rows('consents'),
        };
      });
    const none = { tier: 'free', tokens: 0, minutes: 0, keys: 0, consents: 0 };
    const whole = { tier: 'enterprise', tokens: 1_000_000, minutes: 105, keys: 3, consents: 101 };
    const figures = { tier: 1, minutes: 106, keys: 3, consents: 101, people: 4 };
    for (const granted of [[], ['tier'], ['minutes'], ['keys', 'consents']] as const) {
      const place = await places.make();
      const { taken, left } = await take(place, forged, new Set(granted));
      const asked = (name: string): boolean => granted.some((grant) => grant === name);
      const pick = (isAsked: boolean) =>
        Object.fromEntries(Object.entries(figures).filter(([name]) => asked(name) === isAsked));
      assert.deepEqual([taken, left], [pick(true), pick(false)]);
      const expected = Object.entries(whole).filter(([name]) => asked(name === 'tokens' ? 'minutes' : name));
      assert.deepEqual(await count(place), { ...none, ...Object.fromEntries(expected) }, granted.join());
    }
  });

  it('imports a file of an early version, whose rows lack later columns', async () => {
    const later = new Set(['by_person', 'consented_by', 'guard_by', 'made_by']);
    const [header, ...rest] = await linesOf(file);
    const early = rest.map(({ row, ...line }) => ({
      ...line,
      ...(row && { row: Object.fromEntries(Object.entries(row).filter(([name]) => !later.has(name))) }),
    }));
    const [place, same] = [await places.make(), await places.make()];
    await take(place, await write([{ ...header, schema: '018-model-tokens' }, ...early]));
    await take(same);
    assert.deepEqual(await places.contents(place), await places.contents(same));
  });

  it('omits unproven accounts unless requested, and then sets an owner only if one came along', async () => {
    const ownerless = (await linesOf(file)).filter(
      ({ table }) => table !== 'people' && table !== 'memberships' && table !== 'anchors' && table !== 'free_grants',
    );
    const end = { end: { rows: ownerless.filter(({ table }) => table !== undefined).length, recordings: 2 } };
    const forged = await write([...ownerless.slice(0, -1), end]);
    const cases: [string, Grant[], object][] = [
      [file, ['keys'], { people: 0, kind: 'agent', byPerson: false }],
      [file, ['keys', 'people'], { people: 1, kind: 'person', byPerson: false }],
      [file, ['keys', 'consents', 'people'], { people: 1, kind: 'person', byPerson: true }],
      [forged, [...grants], { people: 0, kind: 'agent', byPerson: true }],
    ];
    for (const [path, granted, expected] of cases) {
      const place = await places.make();
      await take(place, path, new Set(granted));
      await places.use(place, async ({ db }) => {
        const tables = ['people', 'memberships', 'anchors', 'free_grants'] as const;
        const counts = await Promise.all(tables.map(async (table) => (await db.selectFrom(table).execute()).length));
        assert.equal(new Set(counts).size, 1, 'all of them or none');
        const { kind } = await db.selectFrom('workspaces').select('kind').executeTakeFirstOrThrow();
        const keys = await db.selectFrom('api_keys').select('by_person').execute();
        assert.deepEqual(
          { people: counts[0], kind, byPerson: keys.some(({ by_person: byPerson }) => byPerson) },
          expected,
        );
      });
    }
  });

  it('leaves nothing half done if it is cancelled @engine', async () => {
    const folder = await fixture.folder();
    for (const after of [0, 3]) {
      const stop = new AbortController();
      let heard = 0;
      if (after === 0) stop.abort();
      const options = {
        now,
        signal: stop.signal,
        onProgress: (): void => {
          if ((heard += 1) === after) stop.abort();
        },
      };
      await assert.rejects(
        places.use(source, (store, data) =>
          exportWorkspace(store, data, claimed.workspaceId, join(folder, 'half'), options),
        ),
        { name: 'AbortError' },
      );
      assert.deepEqual(await readdir(folder), []);
    }
    const target = await places.make();
    const empty = await places.contents(target);
    const lines = (await linesOf(file)).length;
    for (const after of [1, lines - 4]) {
      const stop = new AbortController();
      let heard = 0;
      const options = {
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
    const exported = await run(['export', claimed.workspaceId, path, '--json', ...from]);
    assert.equal(exported.code, 0, exported.errors);
    const { rows } = JSON.parse(exported.out) as { rows: number };
    assert.deepEqual(JSON.parse(exported.out), { workspaceId: claimed.workspaceId, rows, recordings: 2, skipped: {} });
    const imported = await run(['import', path, '--json', ...to]);
    const left = { minutes: 106, keys: 3, consents: 101, people: 4 };
    assert.deepEqual(
      [imported.code, JSON.parse(imported.out)],
      [0, { workspaceId: claimed.workspaceId, rows: rows - 213, recordings: 2, skipped: {}, taken: {}, left }],
      imported.errors,
    );
    assert.match(
      imported.errors,
      /Not imported: minutes and tokens \(106\), API keys \(3\), consents \(101\), owners and verified numbers \(4\)\. .*\(--with-minutes, --with-keys, --with-consents, --with-people\)/,
    );
    const again = await run(['import', path, ...to]);
    assert.deepEqual([again.code, again.out], [1, '']);
    assert.match(again.errors, /already contains the workspace in this file/);
    assert.match(
      (await run(['admin', 'workspaces', ...to])).out,
      new RegExp(`^${claimed.workspaceId}  agent   free`, 'm'),
    );

    await Promise.all(
      [
        ['export'],
        ['export', 'x', path],
        ['export', claimed.workspaceId],
        ['import'],
        ['import', path, path],
        ['import', path, '--dance'],
      ].map(async (bad) => assert.equal((await run([...bad, ...from])).code, 2, bad.join(' '))),
    );
    assert.equal((await run(['import', join(folder, 'none'), ...to])).code, 2);
    const unknown = await run(['export', randomUUID(), path, ...from]);
    assert.deepEqual([unknown.code, /workspace doesn't exist/.test(unknown.errors)], [1, true]);
    await mkdir(join(folder, 'taken'));
    assert.equal((await run(['export', claimed.workspaceId, join(folder, 'taken'), ...from])).code, 2);
    assert.equal((await run(['export', claimed.workspaceId, join(folder, 'none', 'file'), ...from])).code, 2);
    assert.deepEqual((await readdir(folder)).sort(), ['taken', 'workspace.dialtree']);
    await Promise.all(
      ['export', 'import', 'admin'].map(async (command) =>
        assert.match((await run([command, '--help'])).out, /--database-url URL/),
      ),
    );
  });
});
