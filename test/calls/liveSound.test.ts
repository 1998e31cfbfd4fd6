import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../src/contract/testConfigs.ts';
import { runScript } from '../../src/engine/script/script.ts';
import { LiveSounds } from '../../src/service/runs/liveSounds.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const prompt = 'Thank you for calling Maple Trading. We are open from nine to five on weekdays.';
const states = { main: { prompt, end: 'hangup' } };
const ivr = ivrFileSchema.parse({ name: 'Sound', start: 'main', voice: 'slt', states });

/** Returns the best correlation of two sounds at any shift of up to 1.5 s: 1 if they are the same, 0 if unrelated. */
function likeness(heard: Int16Array, played: Int16Array): number {
  const likenessAt = (shift: number): number => {
    let [product, one, other] = [0, 0, 0];
    for (let index = 0; index < played.length; index += 7) {
      const [here, there] = [heard[index + shift] ?? 0, played[index] ?? 0];
      [product, one, other] = [product + here * there, one + here ** 2, other + there ** 2];
    }
    return product / Math.sqrt(one * other || 1);
  };
  return Math.max(...Array.from({ length: 12_000 }, (_none, shift) => likenessAt(shift)));
}

describe('the live sound of a call', () => {
  it('repeats what the IVR plays, for every listener, and delays nothing', async () => {
    const calls = await VirtualCalls.open('live-sound');
    const listen = (listeners: number) =>
      calls.to({ ivr, file: 'sound.ivr.json', recordings: new Map() }, async ({ target, dialer, clock }) => {
        const sounds = new LiveSounds(clock);
        const end = sounds.begin('run');
        const { signal } = new AbortController();
        const heard = Array.from({ length: listeners }, async (_none, index) => {
          const listener = { runId: 'run', workspaceId: 'workspace', keyId: String(index) };
          const parts: Buffer[] = [];
          for await (const part of sounds.open(listener, signal, () => 0)) parts.push(Buffer.from(part).swap16());
          return new Int16Array(Uint8Array.from(Buffer.concat(parts)).buffer);
        });
        const steps = [testStepSchema.parse({ name: 'dial', action: { type: 'dial' }, expectedTranscript: '*' })];
        const onSound = sounds.answered.bind(sounds, 'run');
        let seconds = 0;
        for await (const event of runScript({ target, dialer, clock, signal, steps, onSound }))
          if (event.type === 'ended') seconds = event.ended.callSeconds;
        end();
        return { seconds, heard: await Promise.all(heard) };
      });
    const { seconds, heard } = await listen(2);
    assert.equal(seconds, (await listen(0)).seconds);
    const other = await calls.speak('Goodbye, and have a nice day. We are sorry to see you go so soon.', 'slt');
    const [first = new Int16Array(), second] = heard;
    const [like, unlike] = [likeness(first, await calls.speak(prompt, 'slt')), likeness(first, other)];
    assert.ok(like > 0.9 && unlike < 0.5, `${like.toFixed(2)} like its prompt, ${unlike.toFixed(2)} like another`);
    assert.deepEqual(second, first);
    assert.deepEqual(await calls.close(), []);
  });
});
