import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodeUlaw, encodeUlaw } from '../../../src/base/g711.ts';
import { fingerprintOf } from '../../../src/speech/fingerprint.ts';
import { PromptStop } from '../../../src/speech/promptStop.ts';
import { readWav } from '../../../src/speech/wav.ts';

const prompts = new URL('../../fixtures/speech/prompts/', import.meta.url);
const packet = 160;

/** As received over a line with noise. */
const line = (samples: Int16Array): Int16Array =>
  decodeUlaw(
    encodeUlaw(
      samples.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample * 0.8 + ((index * 7919) % 31) - 15))),
    ),
  );

describe('PromptStop', () => {
  let menu: Int16Array;
  let others: readonly Int16Array[];
  before(async () => {
    const read = async (name: string): Promise<Int16Array> =>
      readWav(await readFile(new URL(`${name}.wav`, prompts))).channels[0] ?? assert.fail(name);
    menu = await read('basic-pbx-ivr-main');
    others = await Promise.all(['dir-intro', 'vm-options', 'agent-pass'].map(read));
  });

  /** Returns where the menu's prompt stops if this was heard; a key was pressed at `keyMs`. */
  const stopIn = (heard: Int16Array, keyMs: number, untilMs: number): number | undefined => {
    const fromMs = Math.max(0, keyMs - 1500);
    const before = heard.slice(fromMs * 8, keyMs * 8);
    const stop = PromptStop.after(before, fromMs, { fingerprints: [fingerprintOf(menu)], beganMs: 30 });
    assert.ok(stop, `the prompt isn't found at ${String(keyMs)} ms`);
    for (let at = keyMs * 8; at + packet <= untilMs * 8; at += packet) {
      const found = stop.push(heard.subarray(at, at + packet));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  it('finds where another prompt begins at once', () => {
    for (let keyMs = 1500; keyMs < menu.length / 8 - 3000; keyMs += 730)
      for (const other of others) {
        const stopMs = keyMs + 140;
        const heard = new Int16Array((stopMs + 1000) * 8);
        heard.set(menu.subarray(0, stopMs * 8));
        heard.set(other.subarray(0, 8000), stopMs * 8);
        const found = stopIn(line(heard), keyMs, stopMs + 1000) ?? assert.fail(`${String(keyMs)}: no stop`);
        const soundMs = fingerprintOf(other)[1] ?? 0;
        assert.ok(
          found > stopMs - 250 && found < stopMs + 60 + soundMs * 20,
          `${String(keyMs)}: ${String(found)} instead of ${String(stopMs)}`,
        );
      }
  });

  it('leaves no sound of the prompt behind where silence follows', () => {
    for (let keyMs = 1500; keyMs < menu.length / 8 - 3000; keyMs += 730) {
      const stopMs = keyMs + 145;
      const heard = new Int16Array((stopMs + 1500) * 8);
      heard.set(line(menu.subarray(0, stopMs * 8)));
      const found = stopIn(heard, keyMs, stopMs + 1500) ?? assert.fail(`${String(keyMs)}: no stop`);
      // Positions are accurate to two frames.
      const rest = heard.subarray(found * 8 + packet, stopMs * 8);
      const sound = rest.reduce((sum, sample) => sum + sample * sample, 0) / 8 / 1000;
      assert.ok(found > stopMs - 250 && sound < 1000, `${String(keyMs)}: ${String(found)}, ${sound.toFixed(0)}`);
    }
  });

  it('finds no stop while the prompt continues, although a packet is lost', () => {
    for (let keyMs = 1500; keyMs < menu.length / 8 - 3000; keyMs += 730) {
      const heard = line(menu);
      heard.fill(0, (keyMs + 300) * 8, (keyMs + 320) * 8);
      assert.equal(stopIn(heard, keyMs, keyMs + 2000), undefined, String(keyMs));
    }
  });

  it("doesn't follow another prompt", () => {
    for (const other of others)
      assert.equal(
        PromptStop.after(line(other).subarray(0, 12_000), 3000, {
          fingerprints: [fingerprintOf(menu)],
          beganMs: 0,
        }),
        undefined,
      );
    assert.equal(
      PromptStop.after(new Int16Array(0), 0, { fingerprints: [fingerprintOf(menu)], beganMs: 0 }),
      undefined,
    );
  });
});
