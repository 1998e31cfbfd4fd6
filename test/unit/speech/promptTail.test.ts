import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Fingerprint } from '../../../src/speech/ear.ts';
import { fingerprintOf, readFingerprint } from '../../../src/speech/fingerprint.ts';
import { isPartOfPrompt, isTailOfPrompt, sharedTailMs } from '../../../src/speech/promptTail.ts';
import { readWav } from '../../../src/speech/wav.ts';
import { decodeUlaw, encodeUlaw } from '../../../src/base/g711.ts';

const prompts = new URL('../../fixtures/speech/prompts/', import.meta.url);
const names = ['vm-options', 'dir-intro', 'demo-instruct', 'basic-pbx-ivr-main', 'vm-tocancelmsg', 'agent-pass'];

describe('isTailOfPrompt', () => {
  const audio = new Map<string, Int16Array>();
  const fingerprints = new Map<string, Fingerprint>();
  const pcm = (name: string): Int16Array => audio.get(name) ?? assert.fail(name);
  const fingerprint = (name: string): Fingerprint => fingerprints.get(name) ?? assert.fail(name);
  const line = (samples: Int16Array): Int16Array =>
    decodeUlaw(
      encodeUlaw(
        samples.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample * 0.8 + ((index * 7919) % 31) - 15))),
      ),
    );

  before(async () => {
    for (const name of names) {
      const samples = readWav(await readFile(new URL(`${name}.wav`, prompts))).channels[0] ?? new Int16Array(0);
      audio.set(name, samples);
      fingerprints.set(name, fingerprintOf(samples));
    }
  });

  for (const part of [0.3, 0.5, 0.8]) {
    it(`recognises the last ${String(part * 100)} % of a prompt, and of no other`, () => {
      for (const name of names) {
        const tail = line(pcm(name).slice(Math.round(pcm(name).length * (1 - part)) + 37));
        // Too little speech proves nothing.
        if (tail.length < 12_000) continue;
        const like = names.filter((other) => isTailOfPrompt(tail, fingerprint(other)));
        assert.deepEqual(like, [name]);
      }
    });
  }

  it("doesn't mistake a prompt for the end of another, or a longer recording for its end", () => {
    for (const name of names)
      for (const other of names)
        if (name !== other)
          assert.equal(isTailOfPrompt(line(pcm(name)), fingerprint(other)), false, `${name} ${other}`);
    const whole = line(pcm('dir-intro'));
    const longer = new Int16Array(whole.length + 16_000);
    longer.set(line(pcm('vm-options')).subarray(0, 16_000));
    longer.set(whole, 16_000);
    assert.equal(isTailOfPrompt(longer, fingerprint('dir-intro')), false);
    assert.equal(isTailOfPrompt(new Int16Array(0), fingerprint('dir-intro')), false);
  });

  it('recognises what a prompt plays from a time on, and nothing else at that time', () => {
    for (const name of names) {
      const fromMs = Math.round(pcm(name).length / 32);
      const offsetMs = fromMs - readFingerprint(fingerprint(name)).leadMs;
      const heard = line(pcm(name).subarray(fromMs * 8, (fromMs + 2000) * 8));
      const like = names.filter((other) => isPartOfPrompt(heard, fingerprint(other), offsetMs + 150));
      assert.deepEqual(like, [name]);
      assert.equal(isPartOfPrompt(heard, fingerprint(name), offsetMs + 1500), false, name);
    }
    assert.equal(isPartOfPrompt(new Int16Array(0), fingerprint('dir-intro'), 0), false);
    assert.equal(isPartOfPrompt(line(pcm('dir-intro')), fingerprint('dir-intro'), 1e6), false);
  });

  it('describes a prompt from its own first sound, without the end of one that a key stopped', () => {
    for (const name of names) {
      const stopped = new Int16Array(pcm(name).length + 2400);
      stopped.set(pcm('vm-options').subarray(16_000, 16_320));
      stopped.set(pcm(name), 2400);
      const [plain, cut] = [pcm(name), stopped].map((audio) => readFingerprint(fingerprintOf(audio)));
      assert.ok(plain && cut);
      assert.ok(Math.abs(cut.leadMs - plain.leadMs - 300) <= 20, `${name}: ${cut.leadMs} ms`);
    }
    const click = new Int16Array(8000);
    click.fill(8000, 4000, 4160);
    assert.ok(readFingerprint(fingerprintOf(click)).frames.length > 0, 'a short sound alone is the prompt');
  });

  it('measures how much audio two recordings share at their ends', () => {
    const menu = pcm('basic-pbx-ivr-main');
    const [welcome, news] = [pcm('agent-pass'), pcm('vm-options').subarray(0, 40_000)];
    const behind = (lead: Int16Array): Int16Array => {
      const joined = new Int16Array(lead.length + 4000 + menu.length);
      joined.set(lead);
      joined.set(menu, lead.length + 4000);
      return joined;
    };
    const menuMs = menu.length / 8;
    const known = fingerprintOf(behind(welcome));
    for (const heard of [menu, behind(news)]) {
      const sharedMs = sharedTailMs(line(heard), known);
      assert.ok(Math.abs(sharedMs - menuMs) < 900, `${String(sharedMs)} of ${String(menuMs)}`);
    }
    for (const name of names)
      if (name !== 'basic-pbx-ivr-main') assert.ok(sharedTailMs(line(pcm(name)), known) < 1000, name);
    assert.equal(sharedTailMs(new Int16Array(0), known), 0);
  });
});
