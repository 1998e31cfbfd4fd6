import assert from 'node:assert/strict';
import { DialtreeClient } from '../../../src/client/client.ts';
import { NotFoundError } from '../../../src/client/errors.ts';

const id = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const resultsOf = (status: 'running' | 'completed') => ({
  id,
  runType: 'standard',
  status,
  phoneNumber: '+12025550101',
  startedAt: '2026-01-01T00:00:00Z',
  steps: [],
  ...(status === 'completed' && { outcome: 'PASS' }),
});
const eventOf = (event: object): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);

describe('DialtreeClient.waitForTestRun', () => {
  it('reads when an event names its run, not another run or job, and settles with the results', async () => {
    let status: 'running' | 'completed' = 'running';
    let reads = 0,
      readsBefore = 0,
      listening = 0;
    let waiting: AbortSignal | undefined;
    let onWait = (): void => undefined;
    const untilWaiting = async (): Promise<void> => {
      while (waiting?.aborted !== false)
        await new Promise<void>((resolve) => {
          onWait = resolve;
        });
    };
    const steps = [
      async () => {
        await untilWaiting();
        readsBefore = reads;
        return eventOf({ type: 'test.changed', runId: other });
      },
      async () => eventOf({ type: 'mapping.changed', jobId: id }),
      async () => {
        assert.ok(waiting?.aborted === false, 'nobody was woken');
        assert.equal(reads, readsBefore);
        status = 'completed';
        return eventOf({ type: 'test.changed', runId: id });
      },
    ];
    const client = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'dt_key',
      retry: {
        random: () => 0,
        wait: (_milliseconds, signal) =>
          new Promise((_resolve, reject) => {
            waiting = signal;
            if (signal?.aborted === true) reject(signal.reason as Error);
            else
              signal?.addEventListener(
                'abort',
                () => {
                  reject(signal.reason as Error);
                },
                { once: true },
              );
            onWait();
          }),
      },
      fetch: (url, init) => {
        if (!String(url).endsWith('/events')) {
          reads += 1;
          assert.ok(String(url).endsWith(`/testing/runs/${id}`));
          return Promise.resolve(new Response(JSON.stringify(resultsOf(status))));
        }
        listening += 1;
        return Promise.resolve(
          new Response(
            new ReadableStream(
              {
                start: (controller) => {
                  init?.signal?.addEventListener(
                    'abort',
                    () => {
                      listening -= 1;
                      controller.error(init.signal?.reason);
                    },
                    { once: true },
                  );
                },
                pull: async (controller) => {
                  controller.enqueue(await (steps.shift()?.() ?? new Promise<Uint8Array>(() => undefined)));
                },
              },
              { highWaterMark: 0 },
            ),
          ),
        );
      },
    });
    const seen: string[] = [];
    const results = await client.waitForTestRun(id, {
      onChange: (state) => {
        seen.push(state.status);
      },
    });
    assert.deepEqual([results.outcome, seen.at(-1), reads, listening], ['PASS', 'completed', readsBefore + 1, 0]);
  });

  it('polls if asked to, and gives up with its signal', async () => {
    const waits: number[] = [];
    const stop = new AbortController();
    const client = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      fetch: (url) => {
        assert.ok(!String(url).endsWith('/events'));
        return Promise.resolve(new Response(JSON.stringify(resultsOf('running'))));
      },
      retry: {
        random: () => 0.5,
        wait: (milliseconds) => {
          waits.push(milliseconds);
          if (waits.length === 2) stop.abort(new Error('enough'));
          return Promise.resolve();
        },
      },
    });
    await assert.rejects(client.waitForTestRun(id, { by: 'polling', signal: stop.signal }), /enough/);
    assert.deepEqual(waits, [7500, 7500]);
  });

  it("rejects if the run doesn't exist", async () => {
    const client = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      fetch: () => Promise.resolve(new Response('{"message":"none"}', { status: 404 })),
    });
    await assert.rejects(client.waitForTestRun(id), NotFoundError);
  });
});
