import assert from 'node:assert/strict';
import type { Dialer, ActiveCall } from '../../../src/engine/call/talk.ts';
import { silentLog } from '../../../src/service/basics/log.ts';
import { DialRecord } from '../../../src/service/runs/dialRecord.ts';
import type { Store } from '../../../src/service/store/store.ts';

const full = new Error('the disk is full');

function recordOnAFullDisk(): DialRecord {
  const store = { write: () => Promise.reject(full) } as unknown as Store;
  return new DialRecord({
    store,
    now: () => new Date(),
    log: silentLog,
    run: { runId: 'run', slotOf: 'run', attempt: 1 },
  });
}

function countedLine() {
  const seen = { dialled: 0, hungUp: 0 };
  const talk = {
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
      return Promise.resolve(talk);
    },
  };
  return { seen, line: dialer };
}

describe("service: a call whose record can't be stored", () => {
  it("isn't placed if it is outgoing", async () => {
    const { seen, line } = countedLine();
    await assert.rejects(recordOnAFullDisk().over(line).dial('sip:600@127.0.0.1', new AbortController().signal), full);
    assert.deepEqual(seen, { dialled: 0, hungUp: 0 });
  });

  it('is hung up if it is incoming', async () => {
    const { seen, line } = countedLine();
    await assert.rejects(
      recordOnAFullDisk().over(line, 'theirs').dial('sip:600@127.0.0.1', new AbortController().signal),
      full,
    );
    assert.deepEqual(seen, { dialled: 1, hungUp: 1 });
  });
});
