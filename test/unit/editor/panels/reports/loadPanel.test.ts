import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../../src/client/errors.ts';
import type { LoadTest } from '../../../../../src/contract/loadTests.ts';
import { LoadPanel } from '../../../../../src/editor/panels/reports/loadPanel.ts';
import type { LoadPanelParts } from '../../../../../src/editor/panels/reports/loadPanel.ts';
import { SeenProgress } from '../../../../../src/editor/panels/reports/seenProgress.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { FakePage } from '../../fakePage.ts';
import { english, FakeCancels, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../../fakes.ts';
import { listedRun, loadTest } from '../../testing/fakeRuns.ts';

describe('LoadPanel', () => {
  let client: FakeClient,
    page: FakePage<'load'>,
    panel: LoadPanel,
    parts: LoadPanelParts,
    clock: FakeClock,
    test: LoadTest,
    done: unknown[];

  beforeEach(() => {
    test = loadTest(5, {
      status: 'running',
      configId: uuid(1),
      progress: { placed: 4, answered: 3, active: 3, failed: 0 },
    });
    done = [];
    page = new FakePage('load');
    client = new FakeClient({
      getLoadTest: () => test,
      getRun: () => listedRun(5, { kind: 'load', name: 'Balance' }),
    });
    const log = recordingLogger();
    clock = new FakeClock();
    parts = {
      client,
      connection: new FakeCancels(),
      clock,
      log,
      l10n: english,
      seen: new SeenProgress(),
      feed: new WorkspaceFeed({ client, clock, log }),
      cancel: (id) => {
        done.push(['cancel', id]);
        return Promise.resolve();
      },
      runAgain: ({ id }) => {
        done.push(['again', id]);
        return Promise.resolve();
      },
      copy: (text) => {
        done.push(['copy', text]);
        return Promise.resolve();
      },
    };
    panel = new LoadPanel(page, uuid(5), parts);
  });
  afterEach(() => panel.dispose());

  it('sends nothing before the page is ready, then follows the test to its end', async () => {
    await settle();
    assert.equal(client.calls.length, 0);
    await page.say({ type: 'ready' });
    assert.deepEqual([page.title, panel.lastSnapshot?.name], ['Load: Balance', 'Balance']);
    test = loadTest(5, { configId: uuid(1) });
    await client.announce({ type: 'load.changed', loadTestId: uuid(6) });
    assert.equal(page.of('snapshot').length, 1);
    await client.announce({ type: 'load.changed', loadTestId: uuid(5) });
    assert.deepEqual([panel.lastSnapshot?.test.status, client.streams], ['completed', 0]);
  });

  it('names the called number if the service does not list its run', async () => {
    client.answers.getRun = () => {
      throw new NotFoundError('none', { status: 404 });
    };
    await page.say({ type: 'ready' });
    assert.equal(panel.lastSnapshot?.name, 'Bank');
  });

  it('sends recordings of calls and reference calls, by addresses that it reads again', async () => {
    const [call, reference] = ['http://127.0.0.1:1/call', 'http://127.0.0.1:1/reference'];
    test = loadTest(5, {
      stats: {
        callsPlaced: 2,
        callsAnswered: 2,
        setupSuccess: 1,
        outcomes: { answered: 2 },
        callSeconds: 20,
        tested: {
          passed: 1,
          failed: 1,
          inconclusive: 0,
          errors: 0,
          unfinished: 0,
          steps: [],
          failures: [{ call: 2, second: 0, outcome: 'FAIL', recording: { audioUrl: call, stepMs: 0 } }],
          references: [{ audioUrl: reference, stepMs: [0] }],
          referenceSeconds: 20,
        },
      },
    });
    client.fetchAudio = (url) => Promise.resolve(url === call ? Uint8Array.of(1, 2) : Uint8Array.of(3));
    await page.say({ type: 'ready' });
    await page.say({ type: 'requestAudio', recording: 'call-2' });
    await page.say({ type: 'requestAudio', recording: 'reference-1' });
    await page.say({ type: 'requestAudio', recording: 'call-1' });
    assert.deepEqual(
      page.of('audio').map(({ recording, wav, error }) => [recording, wav && [...wav], error]),
      [
        ['call-2', [1, 2], undefined],
        ['reference-1', [3], undefined],
        ['call-1', undefined, 'This call has no recording.'],
      ],
    );
  });

  it("continues a running test's chart in a panel that is opened again", async () => {
    const begun = clock.now();
    const at = (placed: number): void => {
      test = loadTest(5, {
        status: 'running',
        configId: uuid(1),
        startedAt: new Date(begun).toISOString(),
        progress: { placed, answered: placed, active: placed, failed: 0 },
      });
    };
    at(4);
    await page.say({ type: 'ready' });
    panel.dispose();
    clock.advance(2000);
    at(8);
    const again = new FakePage('load');
    panel = new LoadPanel(again, uuid(5), parts);
    await again.say({ type: 'ready' });
    assert.deepEqual(
      panel.lastSnapshot?.seen?.map(({ second, placed }) => [second, placed]),
      [
        [0, 4],
        [2, 8],
      ],
    );
    test = loadTest(5, { configId: uuid(1) });
    await client.announce({ type: 'load.changed', loadTestId: uuid(5) });
    assert.equal(panel.lastSnapshot?.seen, undefined);
  });

  it('cancels, restarts and copies on request of the page', async () => {
    await page.say({ type: 'ready' });
    await page.say({ type: 'cancel' });
    await page.say({ type: 'runAgain' });
    await page.say({ type: 'copy', text: '# Figures' });
    await page.say({ type: 'copy', text: '' });
    assert.deepEqual(done, [
      ['cancel', uuid(5)],
      ['again', uuid(5)],
      ['copy', '# Figures'],
    ]);
    assert.deepEqual(page.of('notice'), []);
  });
});
