import assert from 'node:assert/strict';
import {
  DialError,
  type Dialer,
  type ActiveCall,
  type ActiveCallEvent,
  type CountedCall,
} from '../../../src/engine/call/activeCall.ts';
import type { Logger } from '../../../src/service/basics/log.ts';
import { silentLog } from '../../../src/service/basics/log.ts';
import { DialRecord } from '../../../src/service/runs/dialRecord.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { serviceStopping } from '../../../src/service/store/storeGate.ts';

const full = new Error('the disk is full');

const recordOn = (
  store: Partial<Record<keyof Store, () => Promise<unknown>>>,
  log: Logger = silentLog,
  active = new Set<CountedCall>(),
): DialRecord =>
  new DialRecord({
    store: store as unknown as Store,
    now: () => new Date(),
    log,
    active,
    run: { runId: 'run', slotOf: 'run', attempt: 1 },
  });
const recordOnAFullDisk = (): DialRecord => recordOn({ write: () => Promise.reject(full) });

function countedLine() {
  const seen = { dialled: 0, hungUp: 0 };
  const call = {
    ended: undefined,
    listen: () => () => undefined,
    hangUp: () => {
      seen.hungUp++;
      return Promise.resolve();
    },
  } as unknown as ActiveCall;
  const dialer: Dialer = {
    dial: () => {
      seen.dialled++;
      return Promise.resolve(call);
    },
  };
  return { seen, line: dialer };
}

describe("service: a call whose record can't be stored", () => {
  it("doesn't start if it is outgoing", async () => {
    const { seen, line } = countedLine();
    await assert.rejects(recordOnAFullDisk().over(line).dial('sip:600@127.0.0.1', new AbortController().signal), full);
    assert.deepEqual(seen, { dialled: 0, hungUp: 0 });
  });

  it('ends if it is incoming', async () => {
    const { seen, line } = countedLine();
    await assert.rejects(
      recordOnAFullDisk().over(line, 'theirs').dial('sip:600@127.0.0.1', new AbortController().signal),
      full,
    );
    assert.deepEqual(seen, { dialled: 1, hungUp: 1 });
  });
});

describe('service: a call of a run that was cancelled', () => {
  it("isn't dialled, and leaves no record, even if its record was being written", async () => {
    const stop = new AbortController();
    const stored: string[] = [];
    const transaction = { deleteFrom: (table: string) => ({ where: () => ({ execute: () => stored.push(table) }) }) };
    const record = recordOn({
      write: () => Promise.resolve(stored.push('record')),
      sync: () => {
        stop.abort();
        return Promise.resolve();
      },
      writeUnguarded: ((work: (on: unknown) => unknown) => Promise.resolve(work(transaction))) as never,
    });
    const { seen, line } = countedLine();
    for (const when of ['meanwhile', 'before']) {
      await assert.rejects(record.over(line).dial('sip:600@127.0.0.1', stop.signal), DialError, when);
      await record.stored();
      assert.deepEqual([seen.dialled, stored], [0, ['record', 'dials']], when);
    }
  });
});

describe('service: the end of a call', () => {
  const hangUp = { by: 'local', kind: 'hangup', reason: 'hung up' } as const;
  /** Stores the beginning of calls. `end`: stores or refuses their ends. */
  async function answeredCall(end: () => Promise<unknown>) {
    let listener: (event: ActiveCallEvent) => void = () => undefined;
    const call = {
      ended: undefined as typeof hangUp | undefined,
      durationSeconds: 12,
      listen: (added: typeof listener) => {
        listener = added;
        return () => undefined;
      },
    };
    const logged: string[] = [];
    const log = { info: () => undefined, error: (_: unknown, message: string) => logged.push(message) };
    const active = new Set<CountedCall>();
    const record = recordOn(
      { write: () => Promise.resolve(), sync: () => Promise.resolve(), writeUnguarded: end },
      log as unknown as Logger,
      active,
    );
    const dialer: Dialer = { dial: () => Promise.resolve(call as unknown as ActiveCall) };
    await record.over(dialer).dial('sip:600@127.0.0.1', new AbortController().signal);
    return {
      record,
      active,
      logged,
      hangUp: () => (call.ended = hangUp),
      reportEnd: () => listener({ type: 'ended', atMs: 12_000, end: hangUp }),
    };
  }

  it('enters the store once before the run ends, even if its last words are understood later', async () => {
    let stored = 0;
    const call = await answeredCall(() => Promise.resolve((stored += 1)));
    await call.record.stored();
    assert.equal(stored, 0);
    call.hangUp();
    await call.record.stored();
    assert.equal(stored, 1);
    call.reportEnd();
    await call.record.stored();
    assert.equal(stored, 1);
  });

  it('ends the count of the call as active, once', async () => {
    const call = await answeredCall(() => Promise.resolve());
    assert.equal(call.active.size, 1);
    call.reportEnd();
    call.reportEnd();
    assert.equal(call.active.size, 0);
  });

  it('logs no error if the service stops first', async () => {
    const call = await answeredCall(() => Promise.reject(serviceStopping()));
    call.hangUp();
    call.reportEnd();
    await call.record.stored();
    assert.deepEqual(call.logged, []);
  });

  it('logs an error if the store fails', async () => {
    const call = await answeredCall(() => Promise.reject(full));
    call.hangUp();
    call.reportEnd();
    await call.record.stored();
    assert.deepEqual(call.logged, ['the end of a call could not be stored']);
  });
});
