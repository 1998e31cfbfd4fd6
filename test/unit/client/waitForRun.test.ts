import assert from 'node:assert/strict';
import { DialtreeClient } from '../../../src/client/client.ts';

const id = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const jobOf = (status: 'running' | 'idle') => ({
  id,
  name: 'n',
  phoneNumber: '+12025550101',
  profileId: other,
  tags: [],
  createdAt: '2026-01-01T00:00:00Z',
  status,
  config: {
    mappingMode: 'hybrid',
    maxDepth: 5,
    maxCalls: 60,
    probeMode: 'off',
    concurrency: 4,
    allowedLabels: [],
    pressUnsure: false,
  },
});
const resultsOf = (status: 'running' | 'completed') => ({
  id,
  runType: 'standard',
  status,
  phoneNumber: '+12025550101',
  startedAt: '2026-01-01T00:00:00Z',
  steps: [],
  ...(status === 'completed' && { outcome: 'PASS' }),
});
const textOf = (event: object): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
const eventOf = (jobId: string): Uint8Array => textOf({ type: 'mapping.changed', jobId });

/**
 * A client of one job and one test run. A wait ends when the test says so, or is given up; the waits that `ends` names
 * end immediately.
 */
class Rig {
  status: 'running' | 'idle' = 'running';
  reads = 0;
  listening = 0;
  readonly waits: number[] = [];
  ends: (milliseconds: number) => boolean = () => false;
  /** Called whenever the client has processed all events. */
  nextEvent: () => Promise<Uint8Array> = () => new Promise(() => undefined);
  readonly client: DialtreeClient;
  #onWait: () => void = () => undefined;
  #waiting: AbortSignal | undefined;

  constructor(random: number) {
    this.client = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'dt_key',
      retry: { random: () => random, wait: (milliseconds, signal) => this.#wait(milliseconds, signal) },
      fetch: (url, init) =>
        Promise.resolve(
          String(url).endsWith('/events') ? this.#listen(init?.signal ?? undefined) : this.#read(String(url)),
        ),
    });
  }

  get isWaiting(): boolean {
    return this.#waiting?.aborted === false;
  }

  /** Settles when the client waits for news. */
  async waiting(): Promise<void> {
    while (!this.isWaiting)
      await new Promise<void>((resolve) => {
        this.#onWait = resolve;
      });
  }

  #wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.waits.push(milliseconds);
    if (this.ends(milliseconds)) return Promise.resolve();
    return new Promise((_resolve, reject) => {
      this.#waiting = signal;
      if (signal?.aborted === true) reject(signal.reason as Error);
      else signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.#onWait();
    });
  }

  #read(url: string): Response {
    this.reads += 1;
    if (!url.endsWith(`/testing/runs/${id}`)) return Response.json(jobOf(this.status));
    return Response.json(resultsOf(this.status === 'idle' ? 'completed' : 'running'));
  }

  #listen(signal: AbortSignal | undefined): Response {
    this.listening += 1;
    return new Response(
      new ReadableStream(
        {
          start: (controller) => {
            signal?.addEventListener(
              'abort',
              () => {
                this.listening -= 1;
                controller.error(signal.reason);
              },
              { once: true },
            );
          },
          pull: async (controller) => controller.enqueue(await this.nextEvent()),
        },
        { highWaterMark: 0 },
      ),
    );
  }
}

describe('DialtreeClient.waitForRun', () => {
  it('polls every 5 to 10 s and opens no stream', async () => {
    for (const [random, milliseconds] of [
      [0, 5000],
      [1, 10_000],
    ] as const) {
      const rig = new Rig(random);
      rig.ends = () => true;
      const seen: string[] = [];
      const job = await rig.client.waitForRun(id, {
        by: 'polling',
        onChange: ({ status }) => {
          seen.push(status);
          if (seen.length === 3) rig.status = 'idle';
        },
      });
      assert.equal(job.status, 'idle');
      assert.deepEqual(seen, ['running', 'running', 'running', 'idle']);
      assert.deepEqual([rig.waits, rig.listening], [[milliseconds, milliseconds, milliseconds], 0]);
    }
  });

  it('reads when an event names its job, not another one, and stops listening', async () => {
    const rig = new Rig(0);
    let readsBefore = 0;
    const steps = [
      async () => {
        await rig.waiting();
        readsBefore = rig.reads;
        return eventOf(other);
      },
      async () => {
        assert.ok(rig.isWaiting, 'another job wakes nobody');
        assert.equal(rig.reads, readsBefore);
        rig.status = 'idle';
        return eventOf(id);
      },
    ];
    rig.nextEvent = () => steps.shift()?.() ?? new Promise(() => undefined);
    assert.equal((await rig.client.waitForRun(id)).status, 'idle');
    assert.deepEqual([rig.reads, rig.listening], [readsBefore + 1, 0]);
  });

  it('polls if the service sends no events', async () => {
    const rig = new Rig(0);
    rig.ends = (milliseconds) => {
      if (rig.reads === 2) rig.status = 'idle';
      return milliseconds === 10_000;
    };
    assert.equal((await rig.client.waitForRun(id)).status, 'idle');
    assert.deepEqual(rig.waits, [10_000, 10_000]);
  });

  it('limits its requests for a job that changes all the time', async () => {
    const rig = new Rig(0);
    rig.ends = (milliseconds) => milliseconds === 3000;
    rig.nextEvent = async () => {
      await rig.waiting();
      if (rig.reads === 7) rig.status = 'idle';
      return eventOf(id);
    };
    await rig.client.waitForRun(id);
    assert.equal(rig.reads, 8);
    assert.deepEqual(rig.waits.filter((milliseconds) => milliseconds === 3000).length, 4, 'the 4th to the 7th read');
    assert.equal(rig.waits.indexOf(3000), 3);
  });

  it('rejects with the reason of the signal, and stops listening', async () => {
    for (const by of ['events', 'polling'] as const) {
      const rig = new Rig(0);
      const stop = new AbortController();
      const waiting = rig.client.waitForRun(id, { by, signal: stop.signal });
      await rig.waiting();
      stop.abort(new Error('enough'));
      await assert.rejects(waiting, /enough/);
      assert.equal(rig.listening, 0);
    }
  });
});

describe('DialtreeClient.waitForTestRun', () => {
  it('settles with the results', async () => {
    const rig = new Rig(0);
    rig.status = 'idle';
    assert.equal((await rig.client.waitForTestRun(id)).outcome, 'PASS');
    assert.equal(rig.listening, 0);
  });
});
