import assert from 'node:assert/strict';
import { Listeners } from '../../../../src/base/listeners.ts';
import type { Clock, TimerHandle } from '../../../../src/base/clock.ts';
import type { CallerThreads } from '../../../../src/engine/load/callerThreads.ts';
import type { CallPlan, LoadCallListener, LoadCallRecord } from '../../../../src/engine/load/loadCaller.ts';
import { silentLog } from '../../../../src/service/basics/log.ts';
import type { LoadRoute } from '../../../../src/service/load/loadMessages.ts';
import { LoadShares } from '../../../../src/service/load/loadShares.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { MemoryMail } from '../../../support/memoryMail.ts';

const target = 'sip:ivr@192.0.2.1';
const loadTestId = 'load';
const recordAt = (placedAt: number): LoadCallRecord => ({
  placedAt,
  answeredAt: placedAt + 10,
  endedAt: placedAt + 20,
  end: { by: 'remote', kind: 'hangup', reason: 'they hung up' },
  letGo: false,
  rtp: { sent: 0, received: 0, lost: 0, late: 0, concealed: 0, jitterMs: 0, tickLatenessMs: 0 },
});

/** Calls that a test answers and ends. */
class ScriptedCallers implements CallerThreads {
  readonly placed: { readonly plan: CallPlan; readonly listener: LoadCallListener; isHungUp: boolean }[] = [];
  readonly ticks = new Listeners<[latenessMs: number, missed: number]>();
  isClosed = false;

  place(plan: CallPlan, listener: LoadCallListener): { hangUp: () => void } {
    const call = { plan, listener, isHungUp: false };
    this.placed.push(call);
    return {
      hangUp: () => {
        call.isHungUp = true;
      },
    };
  }

  watchTicks(watcher: (latenessMs: number, missed: number) => void): () => void {
    return this.ticks.add(watcher);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

interface Process {
  readonly shares: LoadShares;
  readonly callers: ScriptedCallers;
  /** Otherwise it is halted, like a process after SIGSTOP. */
  isAlive: boolean;
}

/** Processes with one database. */
class Machines {
  readonly clock = new ManualClock();
  readonly mail = new MemoryMail();

  start({
    room = 4,
    ahead = 0,
    route = { target },
  }: { room?: number; ahead?: number; route?: LoadRoute | undefined } = {}): Process {
    const callers = new ScriptedCallers();
    const { mail } = this;
    const clock: Clock = {
      now: () => this.clock.now() + ahead,
      setTimeout: (callback, ms) => {
        const fire = (): void => {
          if (process.isAlive) callback();
          else handle.timer = this.clock.setTimeout(fire, 10);
        };
        const handle = { timer: this.clock.setTimeout(fire, ms) };
        return handle;
      },
      clearTimeout: (handle) => {
        this.clock.clearTimeout((handle as { timer: TimerHandle }).timer);
      },
    };
    const process: Process = {
      callers,
      isAlive: true,
      shares: new LoadShares({
        mail: {
          send: (letters) => mail.send(letters),
          collect: (receiver) => mail.collect(receiver),
          discard: (mailbox) => mail.discard(mailbox),
          discardOld: () => mail.discardOld(),
          watch: (receiver, onMail) =>
            mail.watch(receiver, () => {
              if (process.isAlive) onMail();
            }),
          invite: (id, leader) => {
            mail.invite(id, leader);
          },
          onInvitation: (listener) => mail.onInvitation(listener),
        },
        clock,
        log: silentLog,
        callsOfProcess: room,
        startCallers: () => Promise.resolve(callers),
        findRoute: () => Promise.resolve(route),
      }),
    };
    return process;
  }

  async run<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    let result: Awaited<typeof settled> | undefined;
    void settled.then((one) => {
      result = one;
    });
    assert.ok(await this.clock.run(() => result !== undefined, 60_000), 'it never settled');
    return await work;
  }

  /** Lets this much time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.run(() => false, ms);
  }

  /** Distributes calls over the processes, from the first one. */
  distribute({ shares, callers }: Process, calls: number, route: LoadRoute = { target }): Promise<CallerThreads> {
    return this.run(shares.distribute({ id: loadTestId, route }, callers, calls, new AbortController().signal));
  }
}

const heard = (): LoadCallListener & { answered: number; readonly records: LoadCallRecord[] } => {
  const seen = {
    answered: 0,
    records: [] as LoadCallRecord[],
    onAnswered: () => {
      seen.answered += 1;
    },
    onEnded: (record: LoadCallRecord) => {
      seen.records.push(record);
    },
  };
  return seen;
};
const placedBy = (processes: readonly Process[]): number[] => processes.map(({ callers }) => callers.placed.length);

describe('the calls of a load test in several processes', () => {
  let machines: Machines;
  beforeEach(() => {
    machines = new Machines();
  });

  it('are all placed by one process if they are few', async () => {
    const all = [machines.start(), machines.start()] as const;
    const caller = await machines.distribute(all[0], 4);
    for (let call = 0; call < 4; call += 1) caller.place({ target }, heard());
    await machines.pass(1000);
    assert.deepEqual(placedBy(all), [4, 0]);
    assert.deepEqual(machines.mail.invitations, []);
    await caller.close();
  });

  it('are distributed by the room of each process, with their keys and not more processes than necessary', async () => {
    const all = [machines.start(), machines.start({ room: 8 }), machines.start(), machines.start()] as const;
    const caller = await machines.distribute(all[0], 16);
    const keys = [{ afterSeconds: 1, digits: '7' }];
    for (let call = 0; call < 16; call += 1) caller.place({ target, keys }, heard());
    await machines.pass(1000);
    assert.deepEqual(placedBy(all), [4, 8, 4, 0]);
    assert.deepEqual(all[2].callers.placed[0]?.plan, { target, keys });
    await machines.run(caller.close());
    await machines.pass(1000);
    assert.deepEqual(
      all.map(({ callers }) => callers.isClosed),
      [false, true, true, false],
    );
    assert.deepEqual(machines.mail.letters, []);
  });

  it('are all placed by one process, if no other may call there', async () => {
    const elsewhere = machines.start({ route: { target: 'sip:ivr@192.0.2.9' } });
    const all = [machines.start(), elsewhere, machines.start({ route: { target, line: 'main' } })] as const;
    const caller = await machines.distribute(all[0], 12);
    for (let call = 0; call < 12; call += 1) caller.place({ target }, heard());
    await machines.pass(10_000);
    assert.deepEqual(placedBy(all), [12, 0, 0]);
    await machines.run(caller.close());
    await machines.pass(1000);
    assert.deepEqual(machines.mail.letters, []);
  });

  it('use the account that each process knows, which is never stored', async () => {
    const call = { credentials: { user: 'u', password: 'swordfish' } };
    const route = { target, line: 'main', call };
    const all = [machines.start({ room: 1, route }), machines.start({ route })] as const;
    const caller = await machines.distribute(all[0], 4, route);
    for (let number = 0; number < 4; number += 1) caller.place({ target, call }, heard());
    await machines.pass(1000);
    assert.ok(all[1].callers.placed.length > 0);
    assert.deepEqual(all[1].callers.placed[0]?.plan, { target, call });
    assert.ok(!JSON.stringify(machines.mail.stored).includes('swordfish'));
    await machines.run(caller.close());
  });

  it('have times on the clock of the process that runs the test', async () => {
    const all = [machines.start({ room: 1 }), machines.start({ ahead: 5_000_000 })] as const;
    const caller = await machines.distribute(all[0], 4);
    const seen = heard();
    caller.place({ target }, seen);
    await machines.pass(200);
    const { listener } = all[1].callers.placed[0]!;
    const at = machines.clock.now();
    listener.onAnswered();
    listener.onEnded(recordAt(5_000_000 + at));
    await machines.pass(1000);
    assert.equal(seen.answered, 1);
    const [record] = seen.records;
    // Half of a round trip, in which each side can wait for a tenth of a second.
    assert.ok(Math.abs((record?.placedAt ?? NaN) - at) <= 100, JSON.stringify(record));
    assert.equal((record?.endedAt ?? NaN) - (record?.placedAt ?? NaN), 20);
    await machines.run(caller.close());
  });

  it('count with the ticks of all processes', async () => {
    const all = [machines.start({ room: 1 }), machines.start()] as const;
    const caller = await machines.distribute(all[0], 4);
    const ticks: (readonly [number, number])[] = [];
    caller.watchTicks((...tick) => ticks.push(tick));
    all[0].callers.ticks.tell(3, 0);
    all[1].callers.ticks.tell(31, 2);
    await machines.pass(1000);
    assert.deepEqual(ticks, [
      [3, 0],
      [31, 2],
    ]);
    await machines.run(caller.close());
  });

  it('are lost if their process no longer responds, and later calls go to the others', async () => {
    const all = [machines.start({ room: 2 }), machines.start({ room: 2 }), machines.start({ room: 2 })] as const;
    const caller = await machines.distribute(all[0], 6);
    const seen = Array.from({ length: 6 }, heard);
    for (const listener of seen) caller.place({ target }, listener);
    await machines.pass(1000);
    assert.deepEqual(placedBy(all), [2, 2, 2]);
    all[1].isAlive = false;
    await machines.pass(4000);
    assert.equal(seen.flatMap(({ records }) => records).length, 0, 'it can be slow');
    await machines.pass(4000);
    const lost = seen.flatMap(({ records }) => records);
    assert.deepEqual(
      lost.map(({ end }) => end),
      Array.from({ length: 2 }, () => ({
        by: 'local',
        kind: 'internal',
        reason: 'the process that placed this call stopped responding',
      })),
    );
    for (let call = 0; call < 4; call += 1) caller.place({ target }, heard());
    await machines.pass(1000);
    assert.deepEqual(placedBy(all), [4, 2, 4]);
    assert.equal(all[1].callers.isClosed, false);
    all[1].isAlive = true;
    await machines.pass(1000);
    assert.equal(all[1].callers.isClosed, true, 'it was only slow');
    await machines.run(caller.close());
    await machines.pass(1000);
    assert.deepEqual(machines.mail.letters, []);
  });

  it('are hung up if the process that runs the test no longer responds', async () => {
    const all = [machines.start(), machines.start()] as const;
    const caller = await machines.distribute(all[0], 8);
    for (let call = 0; call < 8; call += 1) caller.place({ target }, heard());
    await machines.pass(1000);
    assert.deepEqual(placedBy(all), [4, 4]);
    all[0].isAlive = false;
    await machines.pass(8000);
    assert.equal(all[1].callers.isClosed, true);
    assert.deepEqual(machines.mail.letters, []);
    const again = machines.start();
    const next = await machines.distribute(again, 8);
    for (let call = 0; call < 8; call += 1) next.place({ target }, heard());
    await machines.pass(1000);
    assert.equal(all[1].callers.placed.length, 8, 'it helps with the next test');
    await machines.run(next.close());
  });

  it('are lost at once if their process stops, and are hung up', async () => {
    const all = [machines.start(), machines.start()] as const;
    const caller = await machines.distribute(all[0], 8);
    const seen = Array.from({ length: 8 }, heard);
    for (const listener of seen) caller.place({ target }, listener);
    await machines.pass(1000);
    await machines.run(all[1].shares.stop());
    await machines.pass(500);
    assert.equal(all[1].callers.isClosed, true);
    assert.deepEqual(
      seen.flatMap(({ records }) => records.map(({ end }) => end.reason)),
      Array.from({ length: 4 }, () => 'the process that placed this call was stopped'),
    );
    await machines.run(caller.close());
    assert.deepEqual(machines.mail.letters, []);
  });

  it('are lost, and hung up, if messages are lost for ever', async () => {
    const all = [machines.start(), machines.start()] as const;
    const caller = await machines.distribute(all[0], 8);
    const seen = Array.from({ length: 8 }, heard);
    for (const listener of seen) caller.place({ target }, listener);
    await machines.pass(1000);
    let dropped = 0;
    machines.mail.afterStoring = () => {
      const kept = machines.mail.letters.filter(
        ({ messages }) => !messages.some((message) => (message as { readonly report?: string }).report === 'ended'),
      );
      dropped += machines.mail.letters.length - kept.length;
      machines.mail.letters = kept;
    };
    const [call] = all[1].callers.placed;
    call?.listener.onEnded(recordAt(machines.clock.now()));
    await machines.pass(2000);
    assert.equal(dropped, 1);
    assert.deepEqual(
      seen.flatMap(({ records }) => records.map(({ end }) => end.reason)),
      Array.from({ length: 4 }, () => 'messages of the process that placed this call were lost'),
    );
    assert.equal(all[1].callers.isClosed, true);
    await machines.run(caller.close());
  });

  it('are placed and hung up if notices are lost', async () => {
    machines.mail.announces = false;
    const all = [machines.start({ room: 1 }), machines.start({ room: 3 })] as const;
    const caller = await machines.distribute(all[0], 4);
    const calls = Array.from({ length: 4 }, () => caller.place({ target }, heard()));
    await machines.pass(2000);
    assert.deepEqual(placedBy(all), [1, 3]);
    for (const { hangUp } of calls) hangUp();
    await machines.pass(1000);
    assert.deepEqual(
      all[1].callers.placed.map(({ isHungUp }) => isHungUp),
      [true, true, true],
    );
    await machines.run(caller.close());
  });

  it("are placed once, even if the sender doesn't know that an order was stored", async () => {
    const all = [machines.start({ room: 1 }), machines.start({ room: 3 })] as const;
    const caller = await machines.distribute(all[0], 4);
    let failures = 0;
    machines.mail.afterStoring = () => {
      if (failures++ < 2) throw new Error('the connection broke');
    };
    for (let call = 0; call < 4; call += 1) caller.place({ target }, heard());
    await machines.pass(5000);
    assert.ok(failures > 2);
    assert.deepEqual(placedBy(all), [1, 3]);
    await machines.run(caller.close());
  });
});
