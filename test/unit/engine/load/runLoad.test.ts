import assert from 'node:assert/strict';
import { loadStatsSchema } from '../../../../src/contract/loadTests.ts';
import { testStepSchema, type TestStep } from '../../../../src/contract/testConfigs.ts';
import type { LoadEvent, LoadOptions } from '../../../../src/engine/load/loadOptions.ts';
import { localCaller } from '../../../../src/engine/load/localCaller.ts';
import { runLoad } from '../../../../src/engine/load/runLoad.ts';
import type { IncomingCallLeg, SipAgent } from '../../../../src/telephony/call.ts';
import type { OpenMediaSocket } from '../../../../src/telephony/rtp/mediaSocket.ts';
import { Pacer } from '../../../../src/telephony/rtp/pacer.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';

const TARGET = 'sip:ivr@10.0.0.2';
/** 300 ms of silence, then a voice-like tone with occasional pauses. */
const PROMPT = Int16Array.from({ length: 8000 * 6 }, (_, i) =>
  i < 2400 || i % 8000 > 6400 ? 0 : 6000 * Math.sin(i / 3),
);

/** A caller and a callee on an in-memory network. */
class Bench {
  readonly clock = new ManualClock();
  readonly pacer = new Pacer(this.clock, (play) => play());
  readonly caller: SipAgent;
  readonly callee: SipAgent;
  readonly taken: { readonly leg: IncomingCallLeg; readonly at: number }[] = [];
  readonly events: LoadEvent[] = [];
  readonly abort = new AbortController();

  readonly #link = new TelephonyLink(this.clock);

  constructor(answer: (leg: IncomingCallLeg, index: number) => void) {
    this.caller = this.#link.agent('10.0.0.1', { pacer: this.pacer });
    this.callee = this.#link.agent('10.0.0.2');
    this.callee.onCall((leg) => {
      this.taken.push({ leg, at: this.clock.now() });
      answer(leg, this.taken.length - 1);
    });
  }

  start(options: Partial<LoadOptions>): Promise<void> {
    const all: LoadOptions = {
      target: TARGET,
      caller: localCaller(this.caller, this.clock, this.pacer),
      clock: this.clock,
      signal: this.abort.signal,
      concurrency: 5,
      rampSeconds: 0,
      holdSeconds: 3,
      ...options,
    };
    return (async () => {
      for await (const event of runLoad(all)) this.events.push(event);
    })();
  }

  /** Runs a load test to its end, up to two minutes of virtual time. */
  async run(options: Partial<LoadOptions> = {}): Promise<Extract<LoadEvent, { type: 'ended' }>> {
    void this.start(options);
    await this.clock.run(() => this.ended !== undefined, 120_000);
    return this.ended ?? assert.fail('it never ended');
  }

  /** Creates another caller on the same network that opens its sockets like this. */
  callerWith(open: (usual: OpenMediaSocket) => OpenMediaSocket): SipAgent {
    return this.#link.agent('10.0.0.3', { pacer: this.pacer, openMedia: open(this.#link.media('10.0.0.3')) });
  }

  /** Nothing arrives from now on. */
  cut(): void {
    this.#link.deliver = () => undefined;
  }

  get ended(): Extract<LoadEvent, { type: 'ended' }> | undefined {
    const last = this.events.at(-1);
    return last?.type === 'ended' ? last : undefined;
  }
}

const speak = (leg: IncomingCallLeg): void => {
  leg.answer();
  void leg.play(PROMPT);
};
/** The caller of a bench, which reports the index of each call that begins and ends. */
const watched = (
  { caller, clock, pacer }: Bench,
  onEnd: (call: number) => void,
  onBegin?: (call: number) => void,
): LoadOptions['caller'] => {
  const inner = localCaller(caller, clock, pacer);
  let placed = 0;
  return {
    ...inner,
    place: (plan, listener) => {
      const call = placed++;
      onBegin?.(call);
      return inner.place(plan, {
        ...listener,
        onEnded: (record) => {
          onEnd(call);
          listener.onEnded(record);
        },
      });
    },
  };
};
const between = (value: number | undefined, low: number, high: number): void => {
  assert.ok(value !== undefined && value >= low && value <= high, `${String(value)} is not within ${low} … ${high}`);
};

describe('a load test', () => {
  it('starts its calls evenly over the ramp, holds them all and hangs them up', async () => {
    const bench = new Bench(speak);
    const { status, reason, stats } = await bench.run({ concurrency: 10, rampSeconds: 5, holdSeconds: 4 });
    assert.deepEqual([status, reason], ['completed', undefined]);
    bench.taken.forEach(({ at }, index) => between(at, index * 500, index * 500 + 30));
    assert.deepEqual(stats.outcomes, { answered: 10 });
    assert.deepEqual(stats.hangUps, { us: 10 });
    assert.deepEqual(
      [stats.callsPlaced, stats.callsAnswered, stats.setupSuccess, stats.peakConcurrency, stats.callsEndedEarly],
      [10, 10, 1, 10, 0],
    );
    // 10 calls that last between 9 s and 4.5 s.
    between(stats.callSeconds, 67, 69);
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
    loadStatsSchema.parse(stats);
  });

  it("fails, and hangs up its calls, if the end of a call can't be counted", async () => {
    const bench = new Bench(speak);
    const usual = localCaller(bench.caller, bench.clock, bench.pacer);
    let placed = 0;
    const bad = {
      ...usual,
      place: (...[plan, listener]: Parameters<typeof usual.place>) =>
        usual.place(
          plan,
          placed++ > 0
            ? listener
            : {
                ...listener,
                onEnded: () => listener.onEnded(undefined as never),
              },
        ),
    };
    bench.clock.setTimeout(() => {
      void bench.taken[0]?.leg.hangup();
    }, 1000);
    const { status, reason, fault, stats } = await bench.run({ caller: bad, concurrency: 3, holdSeconds: 60 });
    assert.deepEqual([status, reason?.slice(0, 30)], ['failed', 'Dialtree had an internal error']);
    assert.match(String(fault), /TypeError/);
    // The figures so far are kept.
    assert.deepEqual([stats.callsPlaced, stats.callsAnswered, stats.hangUps], [3, 3, { us: 2 }]);
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
  });

  it('measures post-dial delay, answer and the beginning of the prompt', async () => {
    const bench = new Bench((leg) => {
      bench.clock.setTimeout(() => leg.ring(), 200);
      bench.clock.setTimeout(() => speak(leg), 700);
    });
    const { stats } = await bench.run();
    between(stats.postDialSeconds?.p50, 0.2, 0.23);
    between(stats.answerSeconds?.p99, 0.7, 0.73);
    // 300 ms of silence, the jitter buffer's 60 ms, and a tick at either end.
    between(stats.promptSeconds?.p50, 0.34, 0.43);
    assert.equal(stats.callsWithoutPrompt, 0);
  });

  it('ignores early media when it measures the prompt', async () => {
    const bench = new Bench((leg) => {
      leg.ring(183);
      void leg.play(PROMPT.subarray(2400, 5600));
      bench.clock.setTimeout(() => speak(leg), 1000);
    });
    const { stats } = await bench.run();
    between(stats.answerSeconds?.p50, 1, 1.03);
    between(stats.promptSeconds?.p50, 0.28, 0.43);
  });

  it('measures loss and jitter of the audio and estimates its MOS', async () => {
    const clean = (await new Bench(speak).run()).stats;
    assert.equal(clean.audio?.packetsLost, 0);
    assert.ok((clean.audio?.packetsReceived ?? 0) > 5 * 140);
    const lossy = new Bench((leg) => {
      let packets = 0;
      leg.answer({
        impairRtp: (packet, send) => {
          if (packets++ % 10 !== 4) send(packet);
        },
      });
      void leg.play(PROMPT);
    });
    const { stats } = await lossy.run();
    between(stats.audio?.lossShare, 0.08, 0.12);
    const median = (of: typeof stats): number => of.estimatedMos?.median ?? 0;
    between(median(clean), 4, 4.6);
    between(median(stats), 1, median(clean) - 0.5);
  });

  it('reports how calls fail, each call once', async () => {
    const refusals = [486, 503, 404, 480];
    const bench = new Bench((leg, index) => {
      const status = refusals[index];
      if (status === undefined) speak(leg);
      else leg.reject(status);
    });
    const { stats } = await bench.run({ concurrency: 8, callsPerSecond: 1000 });
    assert.deepEqual(stats.outcomes, { busy: 1, 'rejected 503': 1, notFound: 1, noAnswer: 1, answered: 4 });
    assert.equal(stats.setupSuccess, 0.5);
    assert.equal(bench.events.findLast((event) => event.type === 'progress')?.failed, 4);
  });

  it('ends as soon as a criterion is broken, if requested, once enough calls show it', async () => {
    const bench = new Bench((leg, index) => {
      if (index === 0) leg.reject(480);
      else speak(leg);
    });
    const { status, reason, stats } = await bench.run({
      concurrency: 30,
      rampSeconds: 30,
      holdSeconds: 60,
      criteria: { minSetupSuccess: 1 },
      abortWhen: { minimumCalls: 5, criterionBroken: true },
    });
    assert.equal(status, 'aborted');
    assert.match(reason ?? '', /^Set-up success is 80 %\. Required: ≥ 100 %\. The test ends/);
    assert.deepEqual([stats.verdict?.outcome, stats.callsPlaced], ['fail', 5]);
  });

  it('places calls half as often each second in which a full called side refuses them', async () => {
    const bench = new Bench((leg, index) => {
      if (index >= 20) leg.reject(index % 2 === 0 ? 486 : 603);
      else speak(leg);
    });
    const { stats } = await bench.run({
      concurrency: 100,
      callsPerSecond: 10,
      holdSeconds: 10,
      abortWhen: { failureShare: 1 },
    });
    const placedIn = (second: number): number =>
      bench.taken.filter(({ at }) => at >= (second - 1) * 1000 + 50 && at < second * 1000 + 50).length;
    assert.deepEqual([1, 2, 3, 4, 5].map(placedIn), [10, 10, 10, 5, 2]);
    assert.match(stats.warnings?.[0] ?? '', /refused \d+ calls for lack of room .* at most 0\.63 calls per second/);
    assert.deepEqual(stats.rateHalvedAtSeconds, [3, 4, 5, 7]);
  });

  it('counts silent calls, and those that the called side ends', async () => {
    const bench = new Bench((leg, index) => {
      leg.answer();
      if (index === 0)
        bench.clock.setTimeout(() => {
          void leg.hangup();
        }, 1000);
    });
    const { stats } = await bench.run();
    assert.equal(stats.callsWithoutPrompt, 5);
    assert.deepEqual([stats.callsEndedEarly, stats.hangUps], [1, { us: 4, them: 1 }]);
    assert.equal(stats.promptSeconds, undefined);
  });

  it('replaces calls that end early, if requested', async () => {
    const short = (leg: IncomingCallLeg): void => {
      speak(leg);
      bench.clock.setTimeout(() => {
        void leg.hangup();
      }, 1000);
    };
    let bench = new Bench(short);
    assert.equal((await bench.run({ concurrency: 4, holdSeconds: 5 })).stats.callsPlaced, 4);
    // It doesn't wait for the end of the hold time once all calls are over.
    assert.ok(bench.events.length <= 4);
    bench = new Bench(short);
    const { stats } = await bench.run({ concurrency: 4, holdSeconds: 5, replace: true });
    between(stats.callsPlaced, 16, 20);
    assert.equal(stats.peakConcurrency, 4);
  });

  it('gives each call its own duration, and makes a steady rate of them', async () => {
    const bench = new Bench(speak);
    const { stats } = await bench.run({ concurrency: 4, holdSeconds: 6, callSeconds: 2, replace: true });
    between(stats.callsPlaced, 9, 16);
    assert.equal(stats.callsEndedEarly, 0);
  });

  it('presses keys at the given times after the answer', async () => {
    const pressed: string[] = [];
    const bench = new Bench((leg) => {
      speak(leg);
      const answeredAt = bench.clock.now();
      leg.listen((event) => {
        if (event.type === 'digit')
          pressed.push(`${event.digit} ${String(Math.floor((bench.clock.now() - answeredAt) / 1000))}`);
      });
    });
    await bench.run({
      concurrency: 1,
      holdSeconds: 5,
      keys: [
        { afterSeconds: 1, digits: '1' },
        { afterSeconds: 3, digits: '42#' },
      ],
    });
    assert.deepEqual(pressed, ['1 1', '4 3', '2 3', '# 3']);
  });

  for (const [what, options, told] of [
    ['keys that are none', { keys: [{ afterSeconds: 1, digits: '1x' }] }, /“1x” contains characters that aren't keys/],
    ['no calls', { concurrency: 0 }, /at least one call/],
    ['a hold that is no time', { holdSeconds: NaN }, /0 seconds or more/],
    ['no calls a second', { callsPerSecond: 0 }, /more than 0/],
  ] as const) {
    it(`rejects ${what} before any call`, async () => {
      const bench = new Bench(speak);
      const { status, reason } = await bench.run(options);
      assert.equal(status, 'failed');
      assert.match(reason ?? '', told);
      assert.equal(bench.taken.length, 0);
    });
  }

  it('counts calls that still ring after a sufficient hold time as failed, and warns if it was too short', async () => {
    const halfRing = (leg: IncomingCallLeg, index: number): void => {
      if (index % 2 === 0) speak(leg);
      else leg.ring();
    };
    const long = (await new Bench(halfRing).run({ concurrency: 6, holdSeconds: 12 })).stats;
    assert.deepEqual([long.outcomes, long.setupSuccess, long.warnings], [{ answered: 3, noAnswer: 3 }, 0.5, undefined]);
    const short = (await new Bench(halfRing).run({ concurrency: 6, holdSeconds: 5 })).stats;
    assert.deepEqual([short.outcomes, short.setupSuccess], [{ answered: 3, cancelled: 3 }, 1]);
    assert.match(
      short.warnings?.[0] ?? '',
      /^When Dialtree hung up, 3 calls had been neither answered nor refused.* 10 s or more/,
    );
  });

  it("doesn't blame the target for calls that it couldn't place itself", async () => {
    const bench = new Bench(speak);
    let sockets = 0;
    const crowded = bench.callerWith(
      (open) =>
        (...args) =>
          sockets++ < 3 ? open(...args) : Promise.reject(new Error('bind EMFILE 0.0.0.0')),
    );
    const { stats } = await bench.run({
      caller: localCaller(crowded, bench.clock, bench.pacer),
      concurrency: 5,
      criteria: { minSetupSuccess: 1 },
    });
    assert.deepEqual([stats.outcomes, stats.setupSuccess], [{ answered: 3, notPlaced: 2 }, 0.6]);
    assert.deepEqual(
      [stats.verdict?.outcome, stats.verdict?.reason, stats.verdict?.criteria[0]?.value],
      ['inconclusive', '2 calls failed because of Dialtree or this machine, and say nothing about the called side.', 1],
    );
    assert.match(
      stats.warnings?.[0] ?? '',
      /^This machine couldn't place 2 calls: bind EMFILE 0\.0\.0\.0\. .*ulimit -n/,
    );
  });

  it('gives up on a callee that rings forever, and on a silent one', async () => {
    for (const [callee, outcome] of [
      [(leg: IncomingCallLeg) => leg.ring(), 'noAnswer'],
      [undefined, 'unreachable'],
    ] as const) {
      const bench = new Bench(callee ?? (() => undefined));
      if (!callee) bench.cut();
      const { status, reason, stats } = await bench.run({ concurrency: 40, holdSeconds: 100 });
      assert.deepEqual([status, stats.callsAnswered, stats.setupSuccess], ['aborted', 0, 0]);
      assert.match(reason ?? '', /20 of 20 calls failed/);
      assert.ok((stats.outcomes[outcome] ?? 0) >= 20, JSON.stringify(stats.outcomes));
    }
  });

  it('survives a callee that hangs up immediately, even with replacement calls', async () => {
    const hasty = (leg: IncomingCallLeg): void => {
      leg.answer();
      void leg.hangup();
    };
    const { status, stats } = await new Bench(hasty).run({ concurrency: 5, holdSeconds: 30 });
    assert.deepEqual(
      [status, stats.outcomes, stats.hangUps, stats.callsEndedEarly, stats.callsWithoutPrompt],
      ['completed', { answered: 5 }, { them: 5 }, 5, 5],
    );
    const bench = new Bench(hasty);
    const replaced = (await bench.run({ concurrency: 5, holdSeconds: 4, replace: true, callsPerSecond: 10 })).stats;
    between(replaced.callsPlaced, 40, 45);
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
  });

  it('gives up on a callee that refuses all calls after the first twenty', async () => {
    const bench = new Bench((leg, index) => {
      if (index < 20) speak(leg);
      else leg.reject(503);
    });
    const { status, reason, stats } = await bench.run({ concurrency: 200, rampSeconds: 20, holdSeconds: 60 });
    assert.deepEqual([status, reason], ['aborted', '20 of 40 calls failed. The test ends when 50 % have failed.']);
    assert.deepEqual([stats.outcomes['rejected 503'], stats.outcomes['answered'], stats.peakConcurrency], [20, 20, 20]);
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
  });

  it('gives up when its own tick runs too late', async () => {
    const bench = new Bench(speak);
    bench.pacer.add({
      sendTick: () => {
        if (bench.taken.length > 0) bench.clock.advance(12);
      },
      playTick: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    const { status, reason } = await bench.run({ holdSeconds: 60, abortWhen: { tickLatenessMs: 10 } });
    assert.equal(status, 'aborted');
    assert.match(reason ?? '', /calling machine is too slow/);
  });

  it('warns when the caller was the bottleneck, and says why', async () => {
    const good = (await new Bench(speak).run()).stats;
    assert.deepEqual([good.caller?.limited, good.caller?.ticksMissed, good.warnings], [false, 0, undefined]);
    const bench = new Bench(speak);
    // The process stalls for 300 ms once a second: five ticks are made up for, the others skipped.
    let ticks = 0;
    bench.pacer.add({
      sendTick: () => {
        if (++ticks % 40 === 0) bench.clock.advance(300);
      },
      playTick: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    const { stats } = await bench.run({ holdSeconds: 10 });
    assert.ok((stats.caller?.tickLatenessMs.p99 ?? 0) > 100);
    assert.ok((stats.caller?.ticksMissed ?? 0) > 20);
    assert.equal(stats.caller?.limited, true);
    assert.match(stats.warnings?.[0] ?? '', /calling machine was the bottleneck: .* ms late at p99 .* skipped/);
  });

  it('stops when its call seconds are used up', async () => {
    const bench = new Bench(speak);
    const { status, reason, stats } = await bench.run({ concurrency: 10, holdSeconds: 60, budgetSeconds: 30 });
    assert.equal(status, 'aborted');
    assert.match(reason ?? '', /budget of 30 s of call time/);
    between(stats.callSeconds, 24, 30);
  });

  it('places no call with an empty budget', async () => {
    const bench = new Bench(speak);
    const { status, stats } = await bench.run({ budgetSeconds: 0 });
    assert.deepEqual([status, stats.callsPlaced, stats.setupSuccess], ['aborted', 0, 0]);
  });

  it('hangs up every call within two seconds of a cancel, answered or not', async () => {
    const bench = new Bench((leg, index) => {
      if (index % 2 === 0) speak(leg);
      else leg.ring();
    });
    void bench.start({ concurrency: 6, holdSeconds: 60 });
    await bench.clock.run(
      () => bench.events.some((event) => event.type === 'progress' && event.placed === 6 && event.active === 3),
      10_000,
    );
    const at = bench.clock.now();
    bench.abort.abort();
    await bench.clock.run(() => bench.ended !== undefined, 10_000);
    between(bench.clock.now() - at, 0, 2000);
    assert.deepEqual([bench.ended?.status, bench.ended?.reason], ['aborted', 'Cancelled.']);
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
    // Calls that we cancelled aren't failures of the called side.
    assert.equal(bench.ended?.stats.setupSuccess, 1);
    assert.deepEqual(bench.ended?.stats.outcomes, { answered: 3, cancelled: 3 });
  });

  it('hangs up within two seconds of a cancel although the called side is dead', async () => {
    const bench = new Bench(speak);
    void bench.start({ concurrency: 4, holdSeconds: 60 });
    await bench.clock.run(() => bench.taken.length === 4, 10_000);
    await bench.clock.run(() => bench.events.some((event) => event.type === 'progress' && event.active === 4), 10_000);
    bench.cut();
    const at = bench.clock.now();
    bench.abort.abort();
    await bench.clock.run(() => bench.ended !== undefined, 10_000);
    between(bench.clock.now() - at, 0, 2050);
  });

  it('ends its calls one after the other, and all together on a cancel meanwhile', async () => {
    const end = async (cancel: boolean): Promise<number> => {
      const bench = new Bench(speak);
      void bench.start({ concurrency: 200, callsPerSecond: 2000, holdSeconds: 1 });
      await bench.clock.run(() => bench.taken.some(({ leg }) => leg.state === 'ended'), 10_000, 1);
      const at = bench.clock.now();
      if (cancel) bench.abort.abort();
      await bench.clock.run(() => bench.ended !== undefined, 10_000, 1);
      return bench.clock.now() - at;
    };
    between(await end(false), 190, 230);
    between(await end(true), 0, 20);
  });

  it('ends immediately if it is cancelled before it begins', async () => {
    const bench = new Bench(speak);
    bench.abort.abort();
    const { status, stats } = await bench.run();
    assert.deepEqual([status, stats.callsPlaced], ['aborted', 0]);
  });

  it("hangs up if its events aren't read any more", async () => {
    const bench = new Bench(speak);
    const options = {
      target: TARGET,
      caller: localCaller(bench.caller, bench.clock, bench.pacer),
      clock: bench.clock,
      signal: bench.abort.signal,
      concurrency: 3,
      rampSeconds: 0,
      holdSeconds: 60,
    };
    const reading = (async () => {
      for await (const event of runLoad(options)) if (event.type === 'progress' && event.active === 3) break;
    })();
    await bench.clock.run(
      () => bench.taken.length === 3 && bench.taken.every(({ leg }) => leg.state === 'ended'),
      10_000,
    );
    await reading;
    assert.ok(bench.taken.every(({ leg }) => leg.state === 'ended'));
  });

  it('waits for a shared T0, reports it, and counts its seconds from there', async () => {
    const bench = new Bench(speak);
    await bench.run({ startAt: 5000, holdSeconds: 3 });
    assert.deepEqual(bench.events[0], { type: 'started', t0: 5000 });
    between(bench.taken[0]?.at, 5000, 5030);
    const progress = bench.events.filter((event) => event.type === 'progress');
    assert.deepEqual(
      progress
        .slice(0, 3)
        .map(({ second, placed, answered, active, failed }) => [second, placed, answered, active, failed]),
      [
        [1, 5, 5, 5, 0],
        [2, 5, 5, 5, 0],
        [3, 5, 5, 5, 0],
      ],
    );
    assert.deepEqual(bench.ended?.stats.timeline?.[0], { second: 1, placed: 5, answered: 5, active: 5, failed: 0 });
  });

  describe('with stages', () => {
    /** The number of active calls in each full second. */
    const activeOf = (bench: Bench): number[] =>
      bench.events.flatMap((event) => (event.type === 'progress' ? [event.active] : []));
    const spike: Partial<LoadOptions> = {
      concurrency: 2,
      holdSeconds: 3,
      stages: [
        { concurrency: 10, rampSeconds: 4, holdSeconds: 3 },
        { concurrency: 2, rampSeconds: 4, holdSeconds: 3 },
      ],
    };
    const step = (name: string, action: TestStep['action']): TestStep => testStepSchema.parse({ name, action });
    /** A test of ten seconds. */
    const script = {
      steps: [step('answer', { type: 'dial' }), step('stay', { type: 'wait', seconds: 10 })],
      reference: { prompts: [], spoken: new Map<string, Int16Array>(), callSeconds: 10 },
    };

    it('hangs up the oldest calls after a spike, evenly over the ramp', async () => {
      const bench = new Bench(speak);
      const ends: [call: number, at: number][] = [];
      const { status, stats } = await bench.run({
        ...spike,
        caller: watched(bench, (call) => ends.push([call, bench.clock.now()])),
      });
      assert.equal(status, 'completed');
      assert.deepEqual(activeOf(bench).slice(0, 16), [2, 2, 2, 4, 6, 8, 10, 10, 10, 10, 8, 6, 4, 2, 2, 2]);
      assert.deepEqual(
        ends.map(([call]) => call),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
      ends.slice(0, 8).forEach(([, at], index) => between(at, 10_020 + index * 500, 10_080 + index * 500));
      assert.deepEqual([stats.callsPlaced, stats.callsEndedEarly, stats.setupSuccess], [10, 0, 1]);
    });

    it('places only as many calls as a stage needs in addition, without replacing any', async () => {
      const bench = new Bench((leg, index) => {
        speak(leg);
        if (index === 0)
          bench.clock.setTimeout(() => {
            void leg.hangup();
          }, 1000);
      });
      const { stats } = await bench.run({
        concurrency: 3,
        holdSeconds: 3,
        stages: [{ concurrency: 5, rampSeconds: 0, holdSeconds: 3 }],
      });
      assert.deepEqual([stats.callsPlaced, stats.peakConcurrency], [5, 4]);
    });

    it('waits for the next stage up although no call is left, but not for one down', async () => {
      const bench = new Bench((leg) => {
        speak(leg);
        bench.clock.setTimeout(() => {
          void leg.hangup();
        }, 1000);
      });
      const { status, stats } = await bench.run({
        concurrency: 3,
        holdSeconds: 5,
        stages: [
          { concurrency: 5, rampSeconds: 0, holdSeconds: 5 },
          { concurrency: 1, rampSeconds: 0, holdSeconds: 50 },
        ],
      });
      assert.deepEqual([status, stats.callsPlaced], ['completed', 5]);
      between(bench.clock.now(), 6000, 6500);
    });

    it("doesn't cut off the tests of a stage, and doesn't replace them", async () => {
      const bench = new Bench(speak);
      const { stats } = await bench.run({
        concurrency: 4,
        holdSeconds: 5,
        replace: true,
        scripts: [script],
        stages: [{ concurrency: 1, rampSeconds: 1, holdSeconds: 30 }],
      });
      const active = activeOf(bench);
      assert.deepEqual([active[7], active[9], active[12], active[20]], [4, 4, 1, 1]);
      // 36 s of one call at a time, and three calls that aren't replaced.
      assert.deepEqual([stats.callsPlaced, stats.tested?.passed, stats.tested?.unfinished], [7, 6, 1]);
    });

    it('passes on the first five calls that fail, unless a secret was given', async () => {
      const steps = [
        step('answer', { type: 'dial' }),
        step('enter', { type: 'press', keys: '1' }),
        step('stay', { type: 'wait', seconds: 5 }),
      ];
      const examplesOf = async (options: Partial<LoadOptions>): Promise<[call: number, seconds: number][]> => {
        const bench = new Bench((leg, index) => {
          speak(leg);
          if (index >= 2)
            bench.clock.setTimeout(() => {
              void leg.hangup();
            }, 2000);
        });
        const { stats } = await bench.run({ concurrency: 14, holdSeconds: 15, ...options });
        assert.deepEqual([stats.tested?.passed, stats.tested?.failures.length], [2, 12]);
        return bench.events.flatMap((event) => {
          if (event.type !== 'example') return [];
          assert.equal(event.us.length, event.them.length);
          assert.ok(event.stepMs > 0 && event.stepMs < event.them.length / 8, 'the failed step is in it');
          return [[event.call, Math.round(event.them.length / 8000)]];
        });
      };
      const scripts = [{ ...script, steps }];
      assert.deepEqual(
        await examplesOf({ scripts, keepsExamples: true }),
        Array.from({ length: 5 }, (_, index) => [index + 3, 2]),
      );
      assert.deepEqual(await examplesOf({ scripts }), []);
      const [answer, enter, stay] = steps as [TestStep, TestStep, TestStep];
      const secret = [{ ...script, steps: [answer, { ...enter, secret: true }, stay] }];
      assert.deepEqual(await examplesOf({ scripts: secret, keepsExamples: true }), []);
    });

    it('counts a call without a result as an error of the test, because its thread has ended', async () => {
      const bench = new Bench(speak);
      const usual = localCaller(bench.caller, bench.clock, bench.pacer);
      let placed = 0;
      const caller = {
        ...usual,
        place: (...[plan, listener]: Parameters<typeof usual.place>) => {
          const isLost = (placed += 1) === 2;
          return usual.place(plan, {
            ...listener,
            onEnded: ({ test, ...record }) => listener.onEnded({ ...record, ...(test && !isLost && { test }) }),
          });
        },
      };
      const { stats } = await bench.run({
        caller,
        concurrency: 3,
        holdSeconds: 15,
        scripts: [script],
        criteria: { minPassed: 1 },
      });
      assert.deepEqual([stats.tested?.passed, stats.tested?.errors], [2, 1]);
      assert.equal(stats.verdict?.outcome, 'inconclusive');
    });

    it('never has more calls than its largest stage, even if the tests of an earlier one still run', async () => {
      for (const options of [{ scripts: [script] }, {}]) {
        const bench = new Bench(speak);
        let [now, most] = [0, 0];
        const { stats } = await bench.run({
          ...options,
          concurrency: 6,
          holdSeconds: 5,
          caller: watched(
            bench,
            () => (now -= 1),
            () => (most = Math.max(most, (now += 1))),
          ),
          stages: [
            { concurrency: 1, rampSeconds: 0, holdSeconds: 0 },
            { concurrency: 6, rampSeconds: 0, holdSeconds: 3 },
          ],
        });
        assert.deepEqual([most, stats.callsPlaced], [6, options.scripts ? 6 : 11]);
      }
    });

    it('places the calls of a stage at half the rate after refusals', async () => {
      const bench = new Bench((leg, index) => {
        if (index >= 4 && index < 10) leg.reject(486);
        else speak(leg);
      });
      const { stats } = await bench.run({
        concurrency: 4,
        callsPerSecond: 10,
        holdSeconds: 2,
        abortWhen: { failureShare: 1 },
        stages: [{ concurrency: 24, rampSeconds: 0, holdSeconds: 3 }],
      });
      const gaps = bench.taken.slice(15).map(({ at }, index) => at - (bench.taken[14 + index]?.at ?? 0));
      for (const gap of gaps.slice(1)) between(gap, 180, 220);
      assert.match(stats.warnings?.[0] ?? '', /at most 5 calls per second/);
    });
  });
});
