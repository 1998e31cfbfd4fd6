import assert from 'node:assert/strict';
import { ConnectionError, NotFoundError, TimeoutError } from '../../../../../src/client/errors.ts';
import type { MissionTestRun, RunResults } from '../../../../../src/contract/testRuns.ts';
import { ReportPanel, type ReportPanelParts } from '../../../../../src/editor/panels/reports/reportPanel.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import { FakePage } from '../../fakePage.ts';
import { FakeTreeFiles } from '../../fakeTreeFiles.ts';
import { english, FakeCancels, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../../fakes.ts';
import { listedRun, missionConfig, results, step, testConfig, testRun } from '../../testing/fakeRuns.ts';

describe('ReportPanel', () => {
  let client: FakeClient,
    host: FakePage<'report'>,
    panel: ReportPanel,
    parts: ReportPanelParts,
    run: RunResults,
    cancels: FakeCancels,
    done: unknown[],
    log: ReturnType<typeof recordingLogger>;
  let findFile: () => Promise<boolean>;
  let running: Promise<unknown>;
  let dialogs: FakeDialogs;
  const say = (message: unknown): Promise<void> => host.say(message);

  beforeEach(() => {
    run = results(7, { status: 'running', configId: uuid(1) });
    done = [];
    running = Promise.resolve();
    findFile = () => Promise.resolve(true);
    host = new FakePage('report');
    log = recordingLogger();
    client = new FakeClient({
      getRunResults: () => run,
      getRun: () => listedRun(7, { name: 'Balance' }),
      getMissionTestConfig: () => missionConfig(1),
    });
    const clock = new FakeClock();
    cancels = new FakeCancels();
    parts = {
      client,
      connection: cancels,
      log,
      l10n: english,
      feed: new WorkspaceFeed({ client, clock, log }),
      openReport: (id) => done.push(['report', id]),
      formats: { moment: (iso) => iso, time: (iso) => iso.slice(11, 19), number: String },
      runAgain: (again, wanted) => {
        done.push(['again', again.id, wanted]);
        return running;
      },
      callAgain: (target) => Promise.resolve(done.push(['call', target])),
      save: (as, call) => Promise.resolve(done.push(['save', as, call])),
      cancel: (id) => {
        done.push(['cancel', id]);
        return Promise.resolve();
      },
      copy: (text) => {
        done.push(['copy', text]);
        return Promise.resolve();
      },
      get dialogs() {
        return dialogs;
      },
      files: new FakeTreeFiles(),
      linkOf: (id) => `link ${id}`,
      isRemote: () => false,
      readPage: () => Promise.resolve({ script: '', style: '' }),
      hasFile: () => findFile(),
      acceptable: ({ steps }) => Promise.resolve(done.length === 0 ? [...steps.keys()] : []),
      acceptHeard: (id, wanted) => Promise.resolve(done.push(['accept', id, wanted])),
      openFile: (configId, wanted) => {
        done.push(['open', configId, wanted]);
        return Promise.resolve();
      },
      chooseModel: () => Promise.resolve(done.push(['model'])),
    };
    panel = new ReportPanel(host, uuid(7), parts);
  });
  afterEach(() => panel.dispose());

  it('names a compliance probe by its title and its rule, and a target without its SIP address', async () => {
    run = results(7, {
      runType: 'compliance',
      catalogueTestId: 'gdpr-notice',
      configId: undefined,
      phoneNumber: 'sip:harbour-bank@127.0.0.1:40112',
    });
    client.answers.getRun = () => listedRun(7, { name: 'Privacy notice' });
    client.answers.listComplianceCatalogue = () => ({
      items: [
        {
          id: 'gdpr-notice',
          title: 'Privacy notice',
          sector: 'all',
          description: 'Listens.',
          mode: 'dial',
          rule: 'GDPR, article 13',
        },
      ],
    });
    await say({ type: 'ready' });
    await settle();
    assert.deepEqual([panel.lastSnapshot?.name, panel.lastSnapshot?.rule], ['Privacy notice', 'GDPR, article 13']);
  });

  it('sends nothing before the page is ready, then follows the run to its end', async () => {
    await settle();
    assert.equal(client.calls.length, 0);
    await say({ type: 'ready' });
    assert.deepEqual(
      host.of('snapshot').map(({ name, hasFile, run: { status } }) => [name, hasFile, status]),
      [['Balance', true, 'running']],
    );
    assert.equal(host.title, 'Balance · 12:07:00');
    run = results(7, { configId: uuid(1), steps: [step('Greeting')] });
    await client.announce({ type: 'test.changed', runId: uuid(8) });
    assert.equal(host.posted.length, 1);
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(host.of('snapshot').at(-1)?.run.outcome, 'PASS');
    assert.deepEqual([client.streams, client.count('getRun')], [0, 1]);
  });

  it('shows that its call is being hung up on request of another part of the editor', async () => {
    cancels.change(uuid(7), 'begun');
    await say({ type: 'ready' });
    assert.equal(panel.lastSnapshot?.isCancelling, true, 'also if the page opens later');
    cancels.change(uuid(8), 'failed');
    assert.equal(panel.lastSnapshot.isCancelling, true, 'another run');
    cancels.change(uuid(7), 'failed');
    assert.equal(panel.lastSnapshot.isCancelling, false);
    cancels.change(uuid(7), 'begun');
    cancels.change(uuid(7), 'done');
    assert.deepEqual(
      host.of('snapshot').map(({ isCancelling, run: { status } }) => [isCancelling, status]),
      [
        [true, 'running'],
        [false, 'running'],
        [true, 'running'],
      ],
      'the run shows its end itself',
    );
    run = results(7, { configId: uuid(1), outcome: 'ERROR', endedBy: 'cancel' });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(panel.lastSnapshot.isCancelling, false);
  });

  it("looks for the test's file again if that failed", async () => {
    findFile = () => Promise.reject(new Error('The folder cannot be searched.'));
    await say({ type: 'ready' });
    assert.deepEqual([host.of('snapshot').length, host.of('notice').length], [0, 1]);
    findFile = () => Promise.resolve(true);
    await say({ type: 'refresh' });
    assert.equal(host.of('snapshot')[0]?.hasFile, true);
  });

  it('shows its content again immediately after it was hidden briefly, or is read again', async () => {
    await say({ type: 'ready' });
    host.show(false);
    host.show(true);
    await say({ type: 'ready' });
    assert.equal(host.of('snapshot').length, 2);
    await say({ type: 'refresh' });
    assert.equal(host.of('snapshot').length, 3);
  });

  it("sends a mission's verdict", async () => {
    const mission: MissionTestRun = {
      id: uuid(7),
      configId: uuid(1),
      phoneNumber: '+12025550101',
      status: 'completed',
      verdict: 'pass',
      transcript: [],
      startedAt: '2026-01-01T00:00:00Z',
    };
    run = results(7, { runType: 'mission', configId: uuid(1) });
    client.answers.getMissionTestRun = () => mission;
    await say({ type: 'ready' });
    assert.equal(host.of('snapshot')[0]?.mission?.verdict, 'pass');
    assert.equal(host.of('snapshot')[0]?.acceptance, missionConfig(1).acceptance);
    assert.equal(host.title, 'Balance · 12:07:00');
    client.answers.getMissionTestConfig = () => {
      throw new NotFoundError('none', { status: 404 });
    };
    await say({ type: 'refresh' });
    assert.equal(host.of('snapshot').at(-1)?.acceptance, undefined, 'the mission was deleted');
  });

  it('shows what an active mission is about without its secrets, unless it was changed since', async () => {
    run = results(7, { runType: 'mission', configId: uuid(1), status: 'running' });
    client.answers.getMissionTestRun = () => ({
      id: uuid(7),
      configId: uuid(1),
      phoneNumber: '+12025550101',
      status: 'running',
      transcript: [],
      startedAt: '2026-01-01T00:00:00Z',
    });
    const mission = missionConfig(1, {
      mission: 'Ask for the balance. Your PIN is 471199.',
      checks: [{ kind: 'hangsUp', within: 1.5 }],
    });
    client.answers.getMissionTestConfig = () => mission;
    await say({ type: 'ready' });
    const plan = panel.lastSnapshot?.plan;
    assert.deepEqual([plan?.names, plan?.acceptance], [['It hangs up. Within 1.5 s.'], mission.acceptance]);
    assert.match(plan?.goal ?? '', /^Ask for the balance\. Your PIN is (?!.*471199)/);
  });

  it('shows the steps ahead of an active script, unless the test was changed since', async () => {
    const startedAt = Date.parse(run.startedAt);
    for (const [changedMs, names] of [
      [-1, ['Greeting']],
      [1, undefined],
    ] as const) {
      const page = new FakePage<'report'>('report');
      client.answers.getTestConfig = () => ({
        ...testConfig(1),
        steps: [{ name: 'Greeting', action: { type: 'dial' }, passThreshold: 0.8 }],
        updatedAt: new Date(startedAt + changedMs).toISOString(),
      });
      const one = new ReportPanel(page, uuid(7), parts);
      await page.say({ type: 'ready' });
      assert.deepEqual(one.lastSnapshot?.plan?.names, names);
      one.dispose();
    }
  });

  it('judges the stored call again, shows that until the panel is closed, and does it once at a time', async () => {
    const mission: MissionTestRun = {
      id: uuid(7),
      configId: uuid(1),
      phoneNumber: '+12025550101',
      status: 'completed',
      verdict: 'fail',
      transcript: [{ speaker: 'them', text: 'Good bye.' }],
      startedAt: '2026-01-01T00:00:00Z',
    };
    run = results(7, { runType: 'mission', configId: uuid(1) });
    client.answers.getMissionTestRun = () => mission;
    const judged = Promise.withResolvers<MissionTestRun>();
    client.answers.rejudgeRun = () => judged.promise;
    await say({ type: 'ready' });
    await say({ type: 'judge', acceptance: 'They say goodbye.' });
    await say({ type: 'judge', acceptance: 'Something else.' });
    assert.deepEqual(
      client.calls.filter(({ name }) => name === 'rejudgeRun').map(({ input }) => input),
      [{ runId: uuid(7), acceptance: 'They say goodbye.' }],
    );
    assert.deepEqual(panel.lastSnapshot?.again, { acceptance: 'They say goodbye.' });
    host.show(false);
    judged.resolve({ ...mission, verdict: 'pass' });
    await settle();
    assert.equal(host.of('snapshot').length, 2, 'nothing is said to a page that is hidden');
    host.show(true);
    await say({ type: 'ready' });
    const shown = host.of('snapshot').at(-1);
    assert.deepEqual(
      [shown?.again?.acceptance, shown?.again?.run?.verdict, shown?.mission?.verdict],
      ['They say goodbye.', 'pass', 'fail'],
    );
  });

  it('opens the criterion once the page shows the run, and immediately if it already does', async () => {
    const types = (): string[] => host.posted.map(({ type }) => type);
    panel.editCriterion();
    await settle();
    assert.deepEqual(types(), []);
    await say({ type: 'ready' });
    assert.deepEqual(types(), ['snapshot', 'editCriterion']);
    panel.editCriterion();
    assert.deepEqual(types(), ['snapshot', 'editCriterion', 'editCriterion']);
    host.show(false);
    panel.editCriterion();
    host.show(true);
    await say({ type: 'ready' });
    await say({ type: 'refresh' });
    assert.deepEqual(types().slice(3), ['snapshot', 'editCriterion', 'snapshot']);
  });

  it("says why a call wasn't judged again, and what to do", async () => {
    run = results(7, { configId: uuid(1) });
    await say({ type: 'ready' });
    for (const [error, message] of [
      [
        new TimeoutError('The service did not answer in time.'),
        'The judge took too long. Try again, or choose a faster language model.',
      ],
      [new ConnectionError('The service cannot be reached.', { preFlight: true }), 'The service cannot be reached.'],
      [new NotFoundError('none', { status: 404 }), 'This run no longer exists.'],
      [new Error('secret'), 'Internal error. See the log for details.'],
    ] as const) {
      client.answers.rejudgeRun = () => {
        throw error;
      };
      await say({ type: 'judge', acceptance: 'They say goodbye.' });
      assert.equal(panel.lastSnapshot?.again?.error, message);
    }
    await say({ type: 'judge', acceptance: ' ' });
    assert.equal(client.count('rejudgeRun'), 4);
  });

  it('sends a long recording in parts, through one link, as the page requests them', async () => {
    run = results(7, { configId: uuid(1), audioUrl: 'http://127.0.0.1:1/a' });
    const [whole, asked] = [new Uint8Array(9 * 2 ** 20).map((_value, at) => at % 251), [] as string[]];
    client.fetchAudio = (url) => {
      asked.push(url);
      return Promise.resolve(whole);
    };
    await say({ type: 'ready' });
    await say({ type: 'requestAudio' });
    run = { ...run, audioUrl: 'http://127.0.0.1:1/b' };
    let have = host.of('audio')[0]?.wav?.length ?? 0;
    assert.ok(have > 0 && have < whole.length);
    for (let parts = 1; have < whole.length; parts += 1) {
      await say({ type: 'requestAudio', from: have });
      const part = host.of('audio')[parts];
      assert.deepEqual([part?.from, part?.total], [have, whole.length]);
      assert.deepEqual(part?.wav, whole.slice(have, have + (part?.wav?.length ?? 0)));
      have += part?.wav?.length ?? Infinity;
    }
    assert.deepEqual(new Set(asked), new Set(['http://127.0.0.1:1/a']));
    await say({ type: 'requestAudio' });
    assert.equal(asked.at(-1), 'http://127.0.0.1:1/b', 'a new beginning takes a fresh one');
  });

  it('runs the command of each button', async () => {
    run = results(7, { configId: uuid(1), steps: [step('Greeting'), step('Accounts')] });
    await say({ type: 'ready' });
    await say({ type: 'cancel' });
    await say({ type: 'openFile' });
    await say({ type: 'openFile', step: 1 });
    assert.deepEqual(done, [
      ['cancel', uuid(7)],
      ['open', uuid(1), undefined],
      ['open', uuid(1), { name: 'Accounts', index: 1 }],
    ]);
  });

  it('reads the newest runs of its test when it begins and when it ends, and opens them', async () => {
    client.answers.listTestRuns = () => ({ items: [testRun(7), testRun(6, { outcome: 'FAIL' })] });
    await say({ type: 'ready' });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.equal(client.count('listTestRuns'), 1);
    run = results(7, { configId: uuid(1) });
    await client.announce({ type: 'test.changed', runId: uuid(7) });
    assert.deepEqual(
      client.calls.flatMap(({ name, input }) => (name === 'listTestRuns' ? [input] : [])),
      Array(2).fill({ configId: uuid(1), limit: 20 }),
    );
    assert.deepEqual(
      panel.lastSnapshot?.history.map(({ id, outcome }) => [id, outcome]),
      [
        [uuid(7), 'PASS'],
        [uuid(6), 'FAIL'],
      ],
    );
    await say({ type: 'openRun', runId: uuid(6) });
    assert.deepEqual(done, [['report', uuid(6)]]);
    client.answers.listTestRuns = () => {
      throw new ConnectionError('The service cannot be reached.', { preFlight: true });
    };
    run = results(7, { status: 'running', configId: uuid(1) });
    await say({ type: 'refresh' });
    assert.deepEqual(panel.lastSnapshot?.history, [], 'the report is shown without it');
  });

  it('asks how to share the run: at once if its page shows it, otherwise as soon as it does', async () => {
    dialogs = new FakeDialogs({ pick: 'Copy Summary' }, { pick: 'Copy Link' });
    await panel.share();
    assert.deepEqual(dialogs.shown, []);
    run = results(7, { configId: uuid(1) });
    await say({ type: 'ready' });
    await settle();
    assert.match(String(done[0]), /^copy,\*\*Balance/);
    await say({ type: 'share' });
    assert.deepEqual(done[1], ['copy', `link ${uuid(7)}`]);
    await say({ type: 'refresh' });
    dialogs.done();
  });

  it('offers to accept what a failed run heard, until that is done', async () => {
    run = results(7, { configId: uuid(1), outcome: 'FAIL', steps: [step('Greeting', { outcome: 'FAIL' })] });
    await say({ type: 'ready' });
    await say({ type: 'acceptHeard', step: 0 });
    assert.deepEqual(
      host.of('snapshot').map(({ acceptable }) => acceptable),
      [[0], []],
    );
    assert.deepEqual(done, [['accept', uuid(7), 0]]);
  });

  it('calls again by hand, and saves what was done', async () => {
    await say({ type: 'ready' });
    await say({ type: 'callAgain' });
    await say({ type: 'save', as: 'mission' });
    assert.deepEqual(done, [
      ['call', run.phoneNumber],
      ['save', 'mission', { run, secrets: [] }],
    ]);
  });

  it('runs its test again, once at a time, and says why it could not', async () => {
    const waiting = Promise.withResolvers<undefined>();
    running = waiting.promise;
    await say({ type: 'runAgain', what: 'all' });
    assert.deepEqual(done, [], 'nothing is shown yet');
    await say({ type: 'ready' });
    await say({ type: 'runAgain', what: 'failed' });
    await say({ type: 'runAgain', what: 'all' });
    waiting.resolve(undefined);
    await settle();
    running = Promise.reject(new ConnectionError('The service cannot be reached.', { preFlight: true }));
    await say({ type: 'runAgain', what: 'all' });
    assert.deepEqual(done, [
      ['again', uuid(7), 'failed'],
      ['again', uuid(7), 'all'],
    ]);
    assert.equal(host.of('notice').at(-1)?.message, 'The service cannot be reached.');
  });

  it('fetches the recording through a fresh link, and says why there is none', async () => {
    run = results(7, { configId: uuid(1), audioUrl: 'http://127.0.0.1:1/old' });
    await say({ type: 'ready' });
    run = { ...run, audioUrl: 'http://127.0.0.1:1/new' };
    await say({ type: 'requestAudio' });
    assert.deepEqual(host.of('audio')[0]?.wav, new TextEncoder().encode('http://127.0.0.1:1/new'));
    run = results(7, { configId: uuid(1) });
    await say({ type: 'requestAudio' });
    assert.equal(host.of('audio')[1]?.error, 'This call has no recording.');
  });

  it('reports errors, and tries again', async () => {
    client.answers.getRunResults = () => {
      throw new NotFoundError('none', { status: 404 });
    };
    await say({ type: 'ready' });
    assert.deepEqual(host.of('notice'), [{ type: 'notice', message: 'This run no longer exists.', severity: 'error' }]);
    client.answers.getRunResults = () => results(7, { configId: uuid(1) });
    await say({ type: 'refresh' });
    assert.equal(host.of('snapshot').length, 1);
    client.answers.getRunResults = () => {
      throw new ConnectionError('The service cannot be reached.', { preFlight: true });
    };
    await say({ type: 'requestAudio' });
    assert.equal(host.of('audio').at(-1)?.error, 'The service cannot be reached.');
  });

  it('drops invalid messages', async () => {
    await say({ type: 'ready' });
    for (const message of [undefined, 'ready', { type: 'eval' }, { type: 'openFile', step: -1 }]) await say(message);
    assert.equal(log.lines.filter((line) => line.includes('a message that is none')).length, 4);
    assert.deepEqual(done, []);
  });

  it('copies the address at which a probe waits for a call', async () => {
    run = results(7, { status: 'running', awaitsCallAt: 'sip:probe-1@127.0.0.1:4000' });
    await say({ type: 'ready' });
    await say({ type: 'copyAddress' });
    assert.deepEqual(done, [['copy', 'sip:probe-1@127.0.0.1:4000']]);
  });
});
