import assert from 'node:assert/strict';
import { serverLimits } from '../../../src/contract/limits.ts';
import { Waits, type Progress } from '../../../src/service/runs/waits.ts';
import { EventBus } from '../../../src/service/store/events.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';

const principal = { workspaceId: 'w', keyId: 'k' };
const jobId = '00000000-0000-4000-8000-000000000001';
const { seconds, perKey, perWorkspace } = serverLimits.waits;

describe('waits for the end of a run', () => {
  let clock = new ManualClock();
  let events = new EventBus();
  let waits = new Waits(events, clock);
  let reads = 0;
  let running = true;
  let steps = 0;
  beforeEach(() => {
    clock = new ManualClock();
    events = new EventBus();
    waits = new Waits(events, clock);
    [reads, running, steps] = [0, true, 0];
  });

  const awaited = {
    read() {
      reads += 1;
      return Promise.resolve(running ? 'running' : 'ended');
    },
    running: (value: string) => (value === 'running' ? [jobId] : []),
    progress: (): Progress => ({ done: steps, message: `${String(steps)} steps` }),
  };
  const wait = (more: { signal?: AbortSignal; onProgress?: (progress: Progress) => void; keyId?: string } = {}) => {
    const { keyId = 'k', ...rest } = more;
    return waits.during(
      { principal: { ...principal, keyId }, seconds, signal: new AbortController().signal, ...rest },
      (waitFor) => waitFor(awaited),
    );
  };
  const change = (ended = false): void =>
    events.publish('w', { type: 'mapping.changed', jobId, ...(ended && { ended: true }) });

  it('read at the start and at the end only, however much changes between them', async () => {
    const answer = wait();
    await settle();
    for (let changes = 0; changes < 50; changes += 1) {
      change();
      clock.advance(100);
      await settle();
    }
    assert.equal(reads, 1);
    running = false;
    change(true);
    assert.equal(await answer, 'ended');
    assert.equal(reads, 2);
  });

  it('answer with the current state when the time is over', async () => {
    const answer = wait();
    await settle();
    clock.advance(seconds * 1000 - 1);
    await settle();
    assert.equal(reads, 1);
    clock.advance(1);
    assert.equal(await answer, 'running');
    assert.equal(reads, 2);
  });

  it('notice a run that ends while they read, and one that starts again', async () => {
    const during = waits.during({ principal, seconds, signal: new AbortController().signal }, (waitFor) =>
      waitFor({
        ...awaited,
        async read() {
          const value = await awaited.read();
          // The first reading is old when it arrives.
          if (reads === 1) {
            running = false;
            change(true);
          }
          return value;
        },
      }),
    );
    assert.equal(await during, 'ended');

    running = true;
    const again = wait();
    await settle();
    change(true);
    await settle();
    const readings = reads;
    await settle();
    assert.equal(reads, readings, 'the next run is waited for, without reading');
    running = false;
    change(true);
    assert.equal(await again, 'ended');
  });

  it('end with what they know if the client leaves, or the service stops', async () => {
    const leaving = new AbortController();
    const left = wait({ signal: leaving.signal });
    const stopped = wait();
    await settle();
    leaving.abort();
    assert.equal(await left, 'running');
    waits.stop();
    assert.equal(await stopped, 'running');
    assert.equal(reads, 2);
    assert.equal(await wait(), 'running', 'a stopping service lets no request wait');
  });

  it('reject with 401 when their key is revoked, and read nothing more', async () => {
    const refused = assert.rejects(wait(), { status: 401, code: 'unauthorized' });
    const other = wait({ keyId: 'other' });
    await settle();
    waits.endOf('k');
    await refused;
    assert.equal(reads, 2, 'one each');
    running = false;
    change(true);
    assert.equal(await other, 'ended');
  });

  it('read again if events may have been lost', async () => {
    const answer = wait();
    await settle();
    running = false;
    waits.readAgain();
    assert.equal(await answer, 'ended');
  });

  it('report progress about once per second to those that show it', async () => {
    const shown: number[] = [];
    const answer = wait({ onProgress: ({ done }) => shown.push(done) });
    await settle();
    for (steps = 1; steps <= 30; steps += 1) {
      change();
      clock.advance(100);
      await settle();
    }
    assert.deepEqual(shown, [0, 10, 20, 30]);
    running = false;
    change(true);
    assert.equal(await answer, 'ended');
  });

  it('refuse more than a key and a workspace may have, before any work', async () => {
    const over = new AbortController();
    const waiting = Array.from({ length: perKey }, () => wait({ signal: over.signal }));
    let worked = false;
    const refused = (keyId: string): Promise<unknown> =>
      waits.during(
        { principal: { ...principal, keyId }, seconds, signal: over.signal },
        () => ((worked = true), Promise.resolve()),
      );
    await assert.rejects(refused('k'), { status: 429, code: 'too_many_waits', retryAfterSeconds: seconds });
    for (let key = 1; waiting.length < perWorkspace; key += 1)
      waiting.push(wait({ signal: over.signal, keyId: String(key) }));
    await assert.rejects(refused('other'), { status: 429, code: 'too_many_waits' });
    assert.equal(worked, false);
    over.abort();
    await Promise.all(waiting);
    running = false;
    assert.equal(await wait(), 'ended');
  });
});
