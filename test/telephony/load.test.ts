import assert from 'node:assert/strict';
import { loadStatsSchema } from '../../src/contract/loadTests.ts';
import { startCallerThreads } from '../../src/engine/load/callerThreads.ts';
import type { CallerThreads } from '../../src/engine/load/callerThreads.ts';
import type { LoadCaller } from '../../src/engine/load/loadCaller.ts';
import type { LoadEvent, LoadOptions } from '../../src/engine/load/loadOptions.ts';
import { localCaller } from '../../src/engine/load/localCaller.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';

const workerUrl = new URL('../../src/engine/load/callerThread.ts', import.meta.url);
const VOICE = Int16Array.from({ length: 8000 * 20 }, (_, i) =>
  i < 800 ? 0 : 6000 * Math.sin(i / 3) * Math.abs(Math.sin(i / 4000)),
);

/** Returns the last event of a load test; `each` receives the earlier ones. */
async function finish(
  options: LoadOptions,
  each: (event: LoadEvent) => void = () => undefined,
): Promise<Extract<LoadEvent, { type: 'ended' }>> {
  for await (const event of runLoad(options)) {
    each(event);
    if (event.type === 'ended') return event;
  }
  return assert.fail('it ended without saying so');
}

describe('load over real sockets', function () {
  let callee: SipAgent;
  let agent: SipAgent;
  let threads: CallerThreads | undefined;
  let legs: IncomingCallLeg[];
  let abort: AbortController;

  beforeEach(async () => {
    legs = [];
    abort = new AbortController();
    callee = await startSipAgent({ host: '127.0.0.1' });
    callee.onCall((leg) => {
      legs.push(leg);
      leg.ring();
      leg.answer();
      void leg.play(VOICE);
    });
    agent = await startSipAgent({ host: '127.0.0.1' });
  });
  afterEach(async () => {
    abort.abort();
    await threads?.close();
    threads = undefined;
    await Promise.all([agent.close(), callee.close()]);
  });

  const options = (caller: LoadCaller, rest: Partial<LoadOptions> = {}): LoadOptions => ({
    target: `sip:ivr@127.0.0.1:${callee.address.port}`,
    caller,
    signal: abort.signal,
    concurrency: 30,
    rampSeconds: 0.5,
    holdSeconds: 3,
    callsPerSecond: 200,
    ...rest,
  });

  for (const [where, open] of [
    ['this thread', () => Promise.resolve(localCaller(agent))],
    [
      'two threads of their own',
      async () => (threads = await startCallerThreads({ workerUrl, threads: 2, agent: { host: '127.0.0.1' } })),
    ],
  ] as const) {
    it(`holds thirty calls from ${where}, loses none and measures them`, async () => {
      const callers = new Set<string>();
      const caller = await open();
      const startedAt = performance.now();
      const { status, stats } = await finish(options(caller), (event) => {
        if (event.type === 'progress') for (const leg of legs) callers.add(leg.remoteUri);
      });
      assert.equal(status, 'completed');
      loadStatsSchema.parse(stats);
      assert.deepEqual(
        [stats.callsPlaced, stats.callsAnswered, stats.setupSuccess, stats.peakConcurrency],
        [30, 30, 1, 30],
      );
      assert.deepEqual(
        [stats.outcomes, stats.hangUps, stats.callsEndedEarly, stats.callsWithoutPrompt],
        [{ answered: 30 }, { us: 30 }, 0, 0],
      );
      assert.equal(stats.audio?.packetsLost, 0);
      // No call can last longer than the test.
      const seconds = (performance.now() - startedAt) / 1000;
      for (const times of [stats.answerSeconds, stats.postDialSeconds, stats.promptSeconds])
        assert.ok(times && times.p50 > 0 && times.p99 <= seconds, JSON.stringify(times));
      assert.ok(stats.callSeconds > 0 && stats.callSeconds <= 30 * seconds, String(stats.callSeconds));
      assert.ok((stats.caller?.tickLatenessMs.p50 ?? -1) >= 0);
      assert.equal(callers.size, where === 'this thread' ? 1 : 2);
      for (const caller of callers)
        assert.equal(legs.filter(({ remoteUri }) => remoteUri === caller).length, 30 / callers.size, 'in turn');
      assert.ok(legs.every((leg) => leg.state === 'ended'));
    });
  }

  it('hangs up all calls when cancelled', async () => {
    threads = await startCallerThreads({ workerUrl, agent: { host: '127.0.0.1' } });
    const { status, stats } = await finish(options(threads, { holdSeconds: 60 }), (event) => {
      if (event.type === 'progress' && event.active === 30) abort.abort();
    });
    assert.deepEqual([status, stats.hangUps], ['aborted', { us: 30 }]);
    assert.ok(legs.every((leg) => leg.state === 'ended'));
  });

  it("reports the system’s error if the threads can't listen", async () => {
    await assert.rejects(startCallerThreads({ workerUrl, agent: { host: '127.0.0.1', port: agent.address.port } }), {
      code: 'EADDRINUSE',
    });
  });

  it('ends the calls of a run whose threads were closed', async () => {
    const caller = (threads = await startCallerThreads({ workerUrl, agent: { host: '127.0.0.1' } }));
    const { status, stats } = await finish(
      options(caller, { holdSeconds: 60, concurrency: 3, rampSeconds: 0 }),
      (event) => {
        if (event.type === 'progress' && event.active === 3) void caller.close();
      },
    );
    assert.equal(status, 'completed');
    assert.deepEqual([stats.callsAnswered, stats.callsEndedEarly], [3, 3]);
  });
});
