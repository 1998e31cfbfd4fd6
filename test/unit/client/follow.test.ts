import assert from 'node:assert/strict';
import { ConnectionError, errorOf, TimeoutError } from '../../../src/client/errors.ts';
import { follow, followedRun, type Listen } from '../../../src/client/follow.ts';
import type { WorkspaceEvent } from '../../../src/contract/events.ts';

type State = 'running' | 'over';
const away = () => new ConnectionError('away', { preFlight: true });
const bare = (status: number, retryAfter?: number) => errorOf(status, {}, retryAfter, true);

/** Follows a resource whose readings a test lists: states, or errors. The last one repeats. */
class Followed {
  readonly seen: State[] = [];
  readonly waits: number[] = [];
  readonly stop = new AbortController();
  reads = 0;
  listening = 0;
  tell: (event: WorkspaceEvent | undefined) => void = () => undefined;
  /** Called before each wait. A wait ends at once unless this returns true. */
  holds: (milliseconds: number) => boolean = () => false;
  /** Called with each wait that isn't over when it begins. */
  waited: (milliseconds: number) => unknown = () => undefined;
  readonly #readings: (State | Error | (() => State))[];

  constructor(...readings: (State | Error | (() => State))[]) {
    this.#readings = readings;
  }

  readonly #listen: Listen = (listener) => {
    this.listening += 1;
    this.tell = listener;
    return () => {
      this.listening -= 1;
    };
  };

  result({ events = true, spaced = false } = {}): Promise<State> {
    return follow<State>(
      {
        listen: events ? this.#listen : undefined,
        random: () => 0,
        spaced,
        wait: async (milliseconds, signal) => {
          this.waits.push(milliseconds);
          const held = this.holds(milliseconds);
          signal?.throwIfAborted();
          this.waited(milliseconds);
          if (!held) return;
          await new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          });
        },
      },
      {
        read: async (signal) => {
          const reading = this.#readings[Math.min(this.reads, this.#readings.length - 1)];
          this.reads += 1;
          await Promise.resolve();
          const state = typeof reading === 'function' ? reading() : reading;
          signal.throwIfAborted();
          if (state instanceof Error) throw state;
          return state ?? 'over';
        },
        isConcerned: (event) => event.type === 'test.changed',
        isOver: (state) => state === 'over',
      },
      (state) => this.seen.push(state),
      this.stop.signal,
    );
  }
}

describe('following a resource', () => {
  it('waits for a service that is away, for half a minute', async () => {
    for (const error of [
      away(),
      new TimeoutError('late'),
      bare(429),
      bare(503),
      errorOf(502, { message: 'no' }, undefined),
    ]) {
      const short = new Followed(...Array.from({ length: 10 }, () => error), 'running', error, 'over');
      assert.equal(await short.result(), 'over');
      assert.deepEqual(short.waits, [...Array<number>(10).fill(3000), 10_000, 3000]);
      const long = new Followed(error);
      await assert.rejects(long.result(), error);
      assert.deepEqual([long.reads, long.listening], [11, 0]);
    }
  });

  it('waits as long as the service asks, and longer each time for a full minute', async () => {
    const asked = new Followed(bare(429, 7), bare(429, 0), 'over');
    await asked.result();
    assert.deepEqual(asked.waits, [7000, 1000]);
    const forever = new Followed(bare(429, 9_999_999_999), 'over');
    await forever.result();
    assert.deepEqual(forever.waits, [2 ** 31 - 1], 'a longer timer ends at once');
    const full = new Followed(bare(403), bare(403), bare(403), bare(403), bare(403), bare(403), 'over');
    await full.result();
    assert.deepEqual(full.waits, [2500, 5000, 10_000, 20_000, 30_000, 30_000]);
  });

  it('rejects with any other error at once, such as that of a run that was deleted', async () => {
    for (const error of [
      errorOf(404, { message: 'gone' }, undefined),
      errorOf(403, { message: 'no' }, undefined),
      errorOf(500, {}, undefined),
      new Error('x'),
    ]) {
      const followed = new Followed('running', error);
      await assert.rejects(followed.result(), error);
      assert.deepEqual([followed.reads, followed.listening], [2, 0]);
    }
  });

  it('resolves with the last reading if the signal aborts, wherever that is', async () => {
    const reason = new Error('enough');
    const inWait = new Followed('running');
    inWait.holds = () => {
      inWait.stop.abort(reason);
      return true;
    };
    const inRead: Followed = new Followed('running', () => {
      inRead.stop.abort(reason);
      return 'running';
    });
    const whileAway: Followed = new Followed('running', away());
    whileAway.holds = (milliseconds) => {
      if (milliseconds === 3000) whileAway.stop.abort(reason);
      return milliseconds === 3000;
    };
    for (const followed of [inWait, inRead, whileAway]) {
      assert.equal(await followed.result(), 'running');
      assert.deepEqual([followed.seen, followed.listening], [['running'], 0]);
    }
  });

  it("rejects with the signal's reason if it aborts before the first reading", async () => {
    const reason = new Error('enough');
    const before = new Followed('running');
    before.stop.abort(reason);
    const whileAway = new Followed(away());
    whileAway.holds = () => {
      whileAway.stop.abort(reason);
      return true;
    };
    for (const followed of [before, whileAway]) {
      await assert.rejects(followed.result(), reason);
      assert.deepEqual([followed.seen, followed.listening], [[], 0]);
    }
  });

  it('reads again at once if news arrives while it reads, and not for other news', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    for (const [event, waits] of [
      [{ type: 'test.changed', runId: id }, []],
      [undefined, []],
      [{ type: 'load.changed', loadTestId: id }, [10_000]],
    ] as const) {
      const waited: number[] = [];
      const followed: Followed = new Followed(() => {
        followed.tell(event);
        return 'running';
      }, 'over');
      followed.waited = (milliseconds) => waited.push(milliseconds);
      assert.equal(await followed.result(), 'over');
      assert.deepEqual([waited, followed.reads], [waits, 2]);
    }
  });

  it('only reads what is concerned', () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const { isConcerned, isOver } = followedRun({ call: () => Promise.reject(new Error('not called')) }, id);
    assert.ok(isConcerned({ type: 'test.changed', runId: id }));
    assert.ok(!isConcerned({ type: 'test.changed', runId: '22222222-2222-4222-8222-222222222222' }));
    assert.ok(!isConcerned({ type: 'mapping.changed', jobId: id }));
    assert.ok(!isOver({ status: 'running' } as Parameters<typeof isOver>[0]));
  });
});
