import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadTestSchema, type LoadTest } from '../../src/contract/loadTests.ts';
import { CliProcess } from '../unit/cli/dialtree.ts';

interface Report {
  readonly passed: boolean;
  readonly failures: readonly string[];
  readonly loadTest: LoadTest;
}

/** Real calls over SIP to a practice IVR in a separate process. */
describe('dialtree load against practice IVRs', function () {
  let folder: string;
  const commands: CliProcess[] = [];
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-load-test-'));
  });
  afterEach(async () => {
    await Promise.all(commands.splice(0).map((command) => command.kill()));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const start = (...args: string[]): CliProcess => {
    const command = new CliProcess(['load', ...args], { cwd: folder });
    commands.push(command);
    return command;
  };
  const put = (name: string, content: object): Promise<void> =>
    writeFile(path.join(folder, name), JSON.stringify(content));
  const shop = {
    name: 'Shop',
    start: 'main',
    states: { main: { prompt: 'Welcome to the flower shop.', end: 'hold-music' } },
  };
  const reportOf = (stdout: string): Report => {
    const report = JSON.parse(stdout) as Report;
    return { ...report, loadTest: loadTestSchema.parse(report.loadTest) };
  };

  it('calls the practice IVR of a test many times simultaneously, and passes if its criteria are met', async () => {
    await put('shop.ivr.json', shop);
    await put('shop.calltest.json', {
      name: 'Shop',
      ivr: 'shop.ivr.json',
      steps: [{ name: 'Call', action: { type: 'dial' }, expectedTranscript: 'Never said' }],
    });
    const { code, stdout, stderr } = await start(
      'shop.calltest.json',
      '--concurrency',
      '6',
      '--calls-per-second',
      '10',
      '--hold',
      '2',
      '--min-setup-success',
      '1',
      '--max-prompt-p95',
      '60',
      '--json',
    ).result();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The steps of the test aren't run/);
    const {
      passed,
      loadTest: { status, stats, callsPerSecond, concurrency },
    } = reportOf(stdout);
    assert.deepEqual([passed, status, callsPerSecond, concurrency], [true, 'completed', 10, 6]);
    assert.deepEqual([stats?.callsAnswered, stats?.outcomes, stats?.callsWithoutPrompt], [6, { answered: 6 }, 0]);
  });

  it('carries out the steps of a test on every call, once a reference call has passed it @full', async () => {
    await put('shop.ivr.json', {
      name: 'Shop',
      start: 'main',
      states: {
        main: { prompt: 'Welcome to the flower shop. For roses, press 1.', keys: { 1: 'roses' } },
        roses: { prompt: 'Roses are sold out today. Goodbye.', end: 'hangup' },
      },
    });
    const test = (roses: string): Promise<void> =>
      put('shop.calltest.json', {
        name: 'Shop',
        ivr: 'shop.ivr.json',
        steps: [
          { name: 'Menu', action: { type: 'dial' }, expectedTranscript: 'Welcome to the flower shop' },
          { name: 'Roses', action: { type: 'press', keys: '1' }, expectedTranscript: roses },
        ],
      });
    const run = (): ReturnType<CliProcess['result']> =>
      start('shop.calltest.json', '--steps', '--concurrency', '4', '--hold', '40', '--json').result();
    await test('Roses are sold out today');
    const passed = await run();
    assert.equal(passed.code, 0, passed.stderr);
    const { tested } = reportOf(passed.stdout).loadTest.stats ?? {};
    assert.deepEqual([tested?.passed, tested?.failures, tested?.steps.map((step) => step.passed)], [4, [], [4, 4]]);
    await test('Tulips are on sale');
    const failed = await run();
    assert.equal(failed.code, 1, failed.stderr);
    assert.match(reportOf(failed.stdout).failures[0] ?? '', /The reference call didn't pass the test/);
  });

  for (const [signal, cause] of [
    ['SIGINT', 'at Ctrl+C'],
    ['SIGHUP', 'when the terminal is closed'],
  ] as const)
    it(`hangs up ${cause} and reports what was measured @full`, async () => {
      await put('shop.ivr.json', shop);
      const command = start('shop.ivr.json', '--concurrency', '3', '--hold', '600', '--json');
      await command.told(/3 active/);
      command.signal(signal);
      const { code, stdout, stderr } = await command.result();
      assert.equal(code, 1, stderr);
      const {
        failures,
        loadTest: { status, reason, stats },
      } = reportOf(stdout);
      assert.deepEqual([status, reason, stats?.callsAnswered, stats?.hangUps], ['aborted', 'Cancelled.', 3, { us: 3 }]);
      assert.deepEqual(failures, ["The test wasn't completed: Cancelled."]);
    });
});
