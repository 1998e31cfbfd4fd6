import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HumanError } from '../../../../src/contract/errors.ts';
import { EmbeddedService } from '../../../../src/editor/host/embeddedService.ts';
import { english, FakeClock, fakeSpawn, recordingLogger, settle } from '../fakes.ts';
import type { FakeChild, FakeSpawn, RecordingLogger } from '../fakes.ts';

describe('EmbeddedService', () => {
  let folder: string,
    clock: FakeClock,
    spawning: FakeSpawn,
    log: RecordingLogger,
    service: EmbeddedService,
    ended: number[];
  let onSpawn: (child: FakeChild) => void;

  const ready = (child: FakeChild, values: object = {}): void => {
    child.say({
      event: 'ready',
      mcpUrl: 'http://127.0.0.1:4000/mcp',
      baseUrl: `http://127.0.0.1:${String(child.pid)}/v1`,
      apiKey: 'dt_abc_secret',
      owner: true,
      pid: child.pid,
      ...values,
    });
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-embedded-'));
    clock = new FakeClock();
    log = recordingLogger();
    ended = [];
    onSpawn = ready;
    spawning = fakeSpawn((child) => onSpawn(child));
    service = new EmbeddedService({
      spawn: spawning.spawn,
      endProcess: (pid) => {
        ended.push(pid);
        return Promise.resolve();
      },
      clock,
      log,
      l10n: english,
      script: 'dist/service.js',
      dataFolder: path.join(folder, 'data'),
      assetsFolder: 'dist/assets',
      routes: () => ({ '+49*': 'sip:{number}@trunk.example.com' }),
      lines: () => ({ lab: { kind: 'pbx', host: '10.0.0.5', numbers: [] } }),
      environment: () => Promise.resolve({ DIALTREE_MODEL: 'small' }),
    });
  });
  afterEach(async () => {
    service.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Settles when the service has that state. */
  const reaches = (kind: string): Promise<void> =>
    new Promise((resolve) => {
      if (service.state.kind === kind) {
        resolve();
        return;
      }
      const listening = service.onDidChange((state) => {
        if (state.kind !== kind) return;
        listening.dispose();
        resolve();
      });
    });
  const last = (): FakeChild => {
    const child = spawning.children.at(-1);
    assert.ok(child);
    return child;
  };

  it('starts once for any number of requests, with the arguments of the service', async () => {
    const [one, other] = await Promise.all([service.start(), service.start()]);
    assert.equal(one, other);
    assert.equal(one, await service.start());
    assert.deepEqual(spawning.starts, [
      {
        script: 'dist/service.js',
        survives: true,
        environment: { DIALTREE_MODEL: 'small' },
        args: [
          '--data',
          path.join(folder, 'data'),
          '--assets',
          'dist/assets',
          '--idle-exit',
          '60',
          '--routes',
          '{"+49*":"sip:{number}@trunk.example.com"}',
          '--lines',
          '{"lab":{"kind":"pbx","host":"10.0.0.5","numbers":[]}}',
        ],
      },
    ]);
    assert.equal(service.childPid, 1000);
  });

  it("says why it didn't start, in the service's own words, and retries only on request", async () => {
    onSpawn = (child) => {
      child.stderr.write(
        '{"level":30,"msg":"opening"}\nThe data folder cannot be written. Check its permissions.\n    at open (file.js:1:1)\n',
      );
      child.end(1);
    };
    await assert.rejects(
      service.start(),
      (error: unknown) =>
        error instanceof HumanError && error.code === 'start_failed' && error.message.includes('cannot be written'),
    );
    await assert.rejects(service.start());
    assert.equal(spawning.children.length, 1);
    onSpawn = ready;
    await service.restart();
    assert.equal(service.state.kind, 'ready');
  });

  it('restarts once for simultaneous requests', async () => {
    await service.start();
    const addresses = await Promise.all([service.restart(), service.restart()]);
    assert.equal(addresses[0], addresses[1]);
    assert.equal(spawning.children.length, 2);
  });

  it('gives up on a child process that never gets ready', async () => {
    onSpawn = () => undefined;
    const starting = service.start();
    const failed = assert.rejects(starting, /didn't start/);
    while (spawning.children.length === 0) await settle();
    clock.advance(60_000);
    await failed;
    assert.deepEqual(last().signals, ['SIGKILL']);
  });

  it('uses the process of another window, and starts its own when that is gone', async () => {
    onSpawn = (child) => {
      ready(child, { owner: false, pid: 77, baseUrl: 'http://127.0.0.1:7777/v1' });
      child.end(0);
    };
    const address = await service.start();
    await settle();
    assert.equal(address.baseUrl, 'http://127.0.0.1:7777/v1');
    assert.equal(service.state.kind, 'ready');
    assert.equal(service.childPid, undefined);
    onSpawn = ready;
    service.lost(address);
    assert.equal((await service.start()).baseUrl, 'http://127.0.0.1:1001/v1');
    assert.equal(service.childPid, 1001);
  });

  it("doesn't mistake its own living child for lost", async () => {
    const address = await service.start();
    service.lost(address);
    assert.equal(service.state.kind, 'ready');
  });

  it('restarts after a crash, with a delay', async () => {
    await service.start();
    last().end(null, 'SIGKILL');
    await settle();
    assert.equal(service.state.kind, 'crashed');
    assert.equal(spawning.children.length, 1);
    clock.advance(500);
    await reaches('ready');
    assert.equal(spawning.children.length, 2);
  });

  it('gives up after three crashes within a minute', async () => {
    await service.start();
    for (let crash = 0; crash < 3; crash += 1) {
      last().end(1);
      await settle();
      clock.advance(5_000);
      await reaches('ready');
    }
    last().end(1);
    await settle();
    assert.equal(service.state.kind, 'failed');
    await assert.rejects(
      service.start(),
      (error: unknown) => error instanceof HumanError && error.code === 'crash_loop',
    );
    assert.equal(spawning.children.length, 4);
    await service.restart();
    assert.equal(service.state.kind, 'ready');
  });

  it('forgives crashes that are further apart', async () => {
    await service.start();
    for (let crash = 0; crash < 6; crash += 1) {
      last().end(1);
      await settle();
      clock.advance(30_000);
      await reaches('ready');
    }
    assert.equal(spawning.children.length, 7);
  });

  it("doesn't treat an idle exit as a crash", async () => {
    await service.start();
    last().end(0);
    await settle();
    await clock.pass(60_000);
    assert.equal(spawning.children.length, 1);
    await service.start();
    assert.equal(spawning.children.length, 2);
  });

  it('restarts its own child: asks it to end, kills it if necessary, starts another', async () => {
    await service.start();
    const first = last();
    first.obedient = false;
    const restarting = service.restart();
    await settle();
    assert.deepEqual(first.signals, ['SIGTERM']);
    clock.advance(6_000);
    await restarting;
    assert.deepEqual(first.signals, ['SIGTERM', 'SIGKILL']);
    assert.equal(service.childPid, 1001);
    assert.equal(service.state.kind, 'ready');
    assert.deepEqual(ended, []);
  });

  it("restarts another window's process", async () => {
    onSpawn = (child) => {
      if (ended.length > 0) {
        ready(child);
        return;
      }
      ready(child, { owner: false, pid: 77 });
      child.end(0);
    };
    await service.start();
    await settle();
    await service.restart();
    assert.deepEqual(ended, [77]);
    assert.equal(service.childPid, last().pid);
  });

  it('leaves the process running when the window closes', async () => {
    await service.start();
    service.dispose();
    assert.deepEqual(last().signals, ['unref']);
    last().end(1);
    await settle();
    assert.equal(clock.pending, 0);
    await assert.rejects(service.start());
  });

  it('never logs the key', async () => {
    await service.start();
    await settle();
    assert.ok(!log.lines.join('\n').includes('secret'));
  });
});
