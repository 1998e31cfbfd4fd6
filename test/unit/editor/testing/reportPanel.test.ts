import assert from 'node:assert/strict';
import { ConnectionError, NotFoundError } from '../../../../src/client/errors.ts';
import { toReportSchema } from '../../../../src/contract/reportPanel.ts';
import type { ToReport } from '../../../../src/contract/reportPanel.ts';
import type { MissionTestRun, RunResults } from '../../../../src/contract/testRuns.ts';
import { ReportPanel } from '../../../../src/editor/panels/reportPanel.ts';
import { WorkspaceFeed } from '../../../../src/editor/store/workspaceFeed.ts';
import { TestNames } from '../../../../src/editor/testing/testNames.ts';
import { FakePage } from '../fakePage.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../fakes.ts';
import { missionConfig, results, step, testConfig } from './fakeRuns.ts';

describe('ReportPanel', () => {
  let client: FakeClient, host: FakePage<ToReport>, panel: ReportPanel, run: RunResults, done: unknown[], log: ReturnType<typeof recordingLogger>;
  const say = (message: unknown): Promise<void> => host.say(message);

  beforeEach(() => {
    run = results(7, { status: 'running', configId: uuid(1) });
    done = [];
    host = new FakePage(toReportSchema);
    log = recordingLogger();
    client = new FakeClient({ getRunResults: () => run, getTestConfig: () => testConfig(1, { name: 'Balance' }), getMissionTestConfig: () => missionConfig(1) });
    const clock = new FakeClock();
    panel = new ReportPanel(host, uuid(7), {
      client, clock, log, l10n: english, feed: new WorkspaceFeed({ client, clock, log }), names: new TestNames(client),
      cancel: (id) => { done.push(['cancel', id]); return Promise.resolve(); },
      copy: (text) => { done.push(['copy', text]); return Promise.resolve(); },
      hasFile: () => Promise.resolve(true),
      openFile: (configId, wanted) => { done.push(['open', configId, wanted]); return Promise.resolve(); },
    });
  });
  afterEach(() => { panel.dispose(); });

  it('says nothing before the page is there, then follows the run to its end', async () => {
    await settle();
    assert.equal(client.calls.length, 0);
    await say({ type: 'ready' });
    assert.deepEqual(host.of('snapshot').map(({ name, hasFile, run: { status } }) => [name, hasFile, status]), [['Balance', true, 'running']]);
    assert.equal(host.title, 'Balance');
    run = results(7, { configId: uuid(1), steps: [step('Greeting')] });
    client.emit({ type: 'test.changed', runId: uuid(8) });
    await settle();
    assert.equal(host.posted.length, 1);
    client.emit({ type: 'test.changed', runId: uuid(7) });
    await settle();
    assert.equal(host.of('snapshot').at(-1)?.run.outcome, 'PASS');
    assert.equal(client.streams, 0);
  });

  it('reads nothing while it is hidden', async () => {
    await say({ type: 'ready' });
    host.show(false);
    await settle();
    assert.equal(client.streams, 0);
    host.show(true);
    await say({ type: 'ready' });
    assert.equal(host.of('snapshot').length, 2);
  });

  it('brings a mission\'s verdict', async () => {
    const mission: MissionTestRun = { id: uuid(7), configId: uuid(1), phoneNumber: '+12025550101', status: 'completed', verdict: 'pass', transcript: [], startedAt: '2026-01-01T00:00:00Z' };
    run = results(7, { runType: 'mission', configId: uuid(1) });
    client.answers.getMissionTestRun = () => mission;
    await say({ type: 'ready' });
    assert.equal(host.of('snapshot')[0]?.mission?.verdict, 'pass');
    assert.equal(host.title, 'Mission 1');
  });

  it('passes on what the buttons mean', async () => {
    run = results(7, { configId: uuid(1), steps: [step('Greeting'), step('Accounts')] });
    await say({ type: 'ready' });
    await say({ type: 'cancel' });
    await say({ type: 'openFile' });
    await say({ type: 'openFile', step: 1 });
    assert.deepEqual(done, [['cancel', uuid(7)], ['open', uuid(1), undefined], ['open', uuid(1), { name: 'Accounts', index: 1 }]]);
  });

  it('fetches the recording by a link that is fresh, and says why there is none', async () => {
    run = results(7, { configId: uuid(1), audioUrl: 'http://127.0.0.1:1/old' });
    await say({ type: 'ready' });
    run = { ...run, audioUrl: 'http://127.0.0.1:1/new' };
    await say({ type: 'requestAudio' });
    assert.deepEqual(host.of('audio')[0]?.wav, new TextEncoder().encode('http://127.0.0.1:1/new'));
    run = results(7, { configId: uuid(1) });
    await say({ type: 'requestAudio' });
    assert.equal(host.of('audio')[1]?.error, 'There is no recording of this call.');
  });

  it('tells what is wrong, and tries again', async () => {
    client.answers.getRunResults = () => { throw new NotFoundError('none', { status: 404 }); };
    await say({ type: 'ready' });
    assert.deepEqual(host.of('notice'), [{ type: 'notice', message: 'This run no longer exists.' }]);
    client.answers.getRunResults = () => results(7, { configId: uuid(1) });
    await say({ type: 'refresh' });
    assert.equal(host.of('snapshot').length, 1);
    client.answers.getRunResults = () => { throw new ConnectionError('The service cannot be reached.', { preFlight: true }); };
    await say({ type: 'requestAudio' });
    assert.equal(host.of('audio').at(-1)?.error, 'The service cannot be reached.');
  });

  it('drops messages that are none', async () => {
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
