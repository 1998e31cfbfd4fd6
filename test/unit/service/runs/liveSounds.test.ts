import assert from 'node:assert/strict';
import { LiveSounds } from '../../../../src/service/runs/liveSounds.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('LiveSounds', () => {
  it('let a slow listener, or one whose network is slow, lose the oldest sound', async () => {
    const clock = new ManualClock();
    const sounds = new LiveSounds(clock);
    const end = sounds.begin('run');
    /** Each sample is its own millisecond. */
    const read = (fromMs: number, toMs: number): Int16Array<ArrayBuffer> =>
      Int16Array.from({ length: toMs - fromMs }, (_none, at) => fromMs + at);
    sounds.answered('run', { isOver: false, now: () => clock.now(), read });
    let [unsent, part] = [0, undefined as Int16Array | undefined];
    const listener = { runId: 'run', workspaceId: 'workspace', keyId: 'key' };
    const reader = sounds.open(listener, new AbortController().signal, () => unsent).getReader();
    const ask = (): void => {
      part = undefined;
      void reader.read().then(({ value }) => {
        if (value) part = new Int16Array(Buffer.from(Uint8Array.from(value).buffer).swap16().buffer);
      });
    };
    /** Returns how old the first sample is, and how many there are. */
    const within = async (ms: number): Promise<unknown> =>
      (await clock.run(() => part !== undefined, ms)) && [clock.now() - (part?.[0] ?? 0), part?.length];
    ask();
    assert.deepEqual(await within(100), [40, 40]);
    clock.advance(1000);
    ask();
    assert.deepEqual(await within(10), [310, 300], 'it read nothing for a second');
    unsent = 640;
    ask();
    assert.equal(await within(1000), false, 'earlier sound has not left yet');
    unsent = 0;
    assert.deepEqual(await within(30), [300, 300]);
    end();
    assert.equal((await reader.read()).done, true);
  });
});
