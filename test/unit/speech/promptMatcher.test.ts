import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ExpectedPrompt } from '../../../src/speech/ear.ts';
import { fingerprintOf, restsAfterPauses } from '../../../src/speech/fingerprint.ts';
import { promptBegunIn, recordedPromptIn, PromptMatcher } from '../../../src/speech/promptMatcher.ts';
import type { MatchEvent } from '../../../src/speech/promptMatcher.ts';
import { readWav } from '../../../src/speech/wav.ts';
import { decodeUlaw, encodeUlaw } from '../../../src/base/g711.ts';
import { listed } from '../../support/listed.ts';

const prompts = new URL('../../fixtures/speech/prompts/', import.meta.url);
const names = listed(`
  agent-pass agent-incorrect vm-options dir-intro dir-nomatch demo-instruct vm-tocancelmsg conf-getpin vm-undelete
  basic-pbx-ivr-main
`);

const join16 = (...parts: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    whole.set(part, at);
    return at + part.length;
  }, 0);
  return whole;
};
const silence = (ms: number): Int16Array => new Int16Array(ms * 8);

/**
 * A telephone line: gain, noise, G.711 and packets of 20 ms, some of which are lost and concealed by the previous one.
 */
function line(pcm: Int16Array, { gainDb = 0, noiseDb = -65, loss = 0, seed = 3 } = {}): Int16Array {
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const noisy = pcm.map((sample) =>
    Math.max(
      -32_768,
      Math.min(32_767, sample * 10 ** (gainDb / 20) + (random() * 2 - 1) * 32_768 * 1.73 * 10 ** (noiseDb / 20)),
    ),
  );
  const out = decodeUlaw(encodeUlaw(noisy));
  for (let at = 160; at + 160 <= out.length; at += 160) if (random() < loss) out.copyWithin(at, at - 160, at);
  return out;
}

function match(expected: readonly ExpectedPrompt[], pcm: Int16Array): MatchEvent[] {
  const matcher = new PromptMatcher(expected);
  const events: MatchEvent[] = [];
  for (let at = 0; at < pcm.length; at += 160) events.push(...matcher.push(pcm.subarray(at, at + 160)));
  return events;
}

const story = (events: readonly MatchEvent[]): string[] =>
  events
    .filter(({ type }) => type !== 'onset')
    .map((event) => ('id' in event ? `${event.type} ${event.id}` : event.type));

describe('PromptMatcher', () => {
  const audio = new Map<string, Int16Array>();
  let expected: ExpectedPrompt[] = [];
  const pcm = (name: string): Int16Array => audio.get(name) ?? assert.fail(name);
  const only = (...wanted: readonly string[]): ExpectedPrompt[] => expected.filter(({ id }) => wanted.includes(id));

  before(async () => {
    for (const name of names)
      audio.set(name, readWav(await readFile(new URL(`${name}.wav`, prompts))).channels[0] ?? silence(0));
    expected = names.map((id) => ({ id, fingerprint: fingerprintOf(pcm(id)) }));
  });

  for (const [name, quality] of Object.entries({
    'a clean line': {},
    'a loud line': { gainDb: 6 },
    'a faint line with loss': { gainDb: -6, loss: 0.02 },
    'a noisy line': { noiseDb: -46, loss: 0.02, gainDb: 3 },
  })) {
    it(`recognises each prompt among ten on ${name}, to its end`, () => {
      const missed: string[] = [];
      names.forEach((id, index) => {
        const lead = silence(400 + index * 7);
        const events = match(expected, line(join16(lead, pcm(id), silence(400)), { ...quality, seed: index + 1 }));
        if (story(events).join() !== `promptMatched ${id},promptEnded ${id}`)
          missed.push(`${id}: ${story(events).join()}`);
      });
      assert.deepEqual(missed, []);
    });
  }

  it('identifies a prompt that a recording contains completely', () => {
    for (const id of names) assert.equal(recordedPromptIn(line(pcm(id)), expected), id);
    const other = pcm('vm-options');
    assert.equal(
      recordedPromptIn(line(join16(pcm('agent-pass'), silence(300), other)), expected),
      undefined,
      'more follows',
    );
    assert.equal(recordedPromptIn(line(other.subarray(0, other.length / 2)), expected), undefined, 'it breaks off');
    assert.equal(recordedPromptIn(line(other), only('agent-pass', 'dir-intro')), undefined, 'it is another');
    assert.equal(recordedPromptIn(silence(3000), expected), undefined);
  });

  it('identifies a prompt that breaks off, wherever that is', () => {
    for (const id of ['vm-options', 'demo-instruct', 'basic-pbx-ivr-main']) {
      const whole = pcm(id);
      for (const share of [0.4, 0.5, 0.6, 0.8]) {
        const begun = line(whole.subarray(0, whole.length * share));
        assert.equal(promptBegunIn(begun, expected), id, `${id}, ${String(share)}`);
        const others = expected.filter((other) => other.id !== id);
        assert.equal(promptBegunIn(begun, others), undefined, `${id} isn't expected`);
      }
      assert.equal(promptBegunIn(line(join16(whole, pcm('agent-pass'))), expected), undefined, 'more follows');
    }
    assert.equal(promptBegunIn(silence(3000), expected), undefined);
  });

  it('decides within 600 ms after the onset of a prompt with a unique beginning', () => {
    const late = names.filter((id) => {
      const events = match(only(id, 'conf-getpin'), line(join16(silence(300), pcm(id), silence(300))));
      const onset = events.find(({ type }) => type === 'onset');
      const matched = events.find(({ type }) => type === 'promptMatched');
      return !onset || !matched || matched.atMs - onset.atMs > 600;
    });
    assert.deepEqual(late, []);
  });

  it('gives the start of the prompt, including its leading silence', () => {
    const [event] = match(only('vm-options'), line(join16(silence(1000), pcm('vm-options')))).filter(
      ({ type }) => type === 'promptMatched',
    );
    assert.ok(event?.type === 'promptMatched' && Math.abs(event.startMs - 1000) <= 40, JSON.stringify(event));
  });

  it('notices within 300 ms that a prompt was interrupted, by silence or by another', () => {
    const cut = pcm('demo-instruct').subarray(0, 8000 * 4);
    for (const next of [silence(1500), pcm('dir-nomatch')]) {
      const events = match(only('demo-instruct'), line(join16(silence(400), cut, next)));
      const broken = events.find(({ type }) => type === 'promptBroken');
      assert.deepEqual(story(events).slice(0, 2), ['promptMatched demo-instruct', 'promptBroken demo-instruct']);
      const delay = (broken?.atMs ?? 0) - 4400;
      assert.ok(delay > -100 && delay <= 300, `after ${delay} ms`);
    }
  });

  it('distinguishes prompts with the same beginning once they differ', () => {
    const beginning = pcm('agent-pass').subarray(0, 8 * 1500);
    const versions = [join16(beginning, pcm('vm-undelete')), join16(beginning, pcm('dir-nomatch'))];
    const both = versions.map((version, index) => ({ id: `v${index}`, fingerprint: fingerprintOf(version) }));
    versions.forEach((version, index) =>
      assert.deepEqual(story(match(both, line(join16(silence(300), version, silence(300))))), [
        `promptMatched v${index}`,
        `promptEnded v${index}`,
      ]),
    );
  });

  it('reports unknown speech once per stretch', () => {
    for (const id of ['vm-options', 'demo-instruct', 'conf-getpin']) {
      const events = match(only('dir-intro', 'agent-pass'), line(join16(silence(400), pcm(id))));
      assert.deepEqual([...new Set(story(events))], ['promptUnknown']);
      const onsets = events.filter(({ type }) => type === 'onset');
      const first = events.find(({ type }) => type === 'promptUnknown');
      assert.ok(story(events).length <= onsets.length);
      assert.ok((first?.atMs ?? 0) - (onsets[0]?.atMs ?? 0) >= 600);
    }
  });

  it('withdraws a match that the audio departs from', () => {
    const imitation = join16(pcm('vm-options').subarray(0, 8 * 1500), pcm('dir-nomatch'));
    assert.deepEqual(story(match(only('vm-options'), line(join16(silence(300), imitation)))).slice(0, 2), [
      'promptMatched vm-options',
      'promptBroken vm-options',
    ]);
  });

  it("follows a prompt whose beginning is loud and whose rest is quiet, and isn't confused if only the beginning is the same", () => {
    const tones = (hz: readonly number[]): Int16Array =>
      Int16Array.from({ length: 4800 }, (_, at) =>
        hz.reduce((sum, one) => sum + 200 * Math.sin((2 * Math.PI * one * at) / 8000), 0),
      );
    for (const loudMs of [160, 200, 240, 300, 340]) {
      const loud = pcm('vm-options').subarray(8 * 300, 8 * (300 + loudMs));
      const whole = (rest: Int16Array): Int16Array => join16(silence(200), loud, rest, silence(200));
      const expectedHere = [{ id: 'low', fingerprint: fingerprintOf(whole(tones([270, 410, 560, 730, 920]))) }];
      const events = match(expectedHere, whole(tones([1160, 1450, 1810, 2300, 3000])));
      assert.ok(!story(events).includes('promptEnded low'), story(events).join());
    }
  });

  it('recognises a prompt that follows unknown speech after a pause', () => {
    const events = match(
      only('dir-intro'),
      line(join16(silence(300), pcm('vm-undelete'), silence(500), pcm('dir-intro'), silence(300))),
    );
    assert.deepEqual(story(events).slice(-2), ['promptMatched dir-intro', 'promptEnded dir-intro']);
  });

  it('reports nothing during silence', () =>
    assert.deepEqual(match(expected, line(silence(5000), { noiseDb: -50 })), []));

  it('finds a prompt that follows without a gap', () => {
    const events = match(
      only('vm-options'),
      line(join16(pcm('dir-nomatch').subarray(2000, 2000 + 8 * 500), pcm('vm-options').subarray(8 * 150))),
    );
    assert.deepEqual(story(events), ['promptMatched vm-options', 'promptEnded vm-options']);
  });

  it('recognises what is left of a prompt after a pause, and reports where that begins', () => {
    const [notice, menu] = [audio.get('dir-intro'), audio.get('basic-pbx-ivr-main')];
    assert.ok(notice && menu);
    const fingerprint = fingerprintOf(join16(notice, silence(500), menu));
    const rests = restsAfterPauses(fingerprint, notice.length / 8 + 1000);
    const rest = rests.find(({ offsetMs }) => offsetMs > notice.length / 8);
    assert.ok(rest, 'the menu follows a pause');
    const expected = [{ id: 'whole', fingerprint }, ...rests.map((each) => ({ id: 'whole', ...each }))];
    const events = match(expected, line(join16(silence(400), menu, silence(600))));
    const [matched] = events.filter(({ type }) => type === 'promptMatched');
    assert.deepEqual(matched?.type === 'promptMatched' && { id: matched.id, offsetMs: matched.offsetMs }, {
      id: 'whole',
      offsetMs: rest.offsetMs,
    });
    assert.equal(events.filter(({ type }) => type === 'promptEnded').length, 1);
  });

  it("doesn't take a phrase and the pause after it for the rest of a prompt", () => {
    const [phrase, menu] = [audio.get('vm-undelete')?.subarray(0, 8 * 900), audio.get('basic-pbx-ivr-main')];
    assert.ok(phrase && menu);
    const fingerprint = fingerprintOf(join16(menu.subarray(0, 8 * 3000), silence(400), phrase, silence(2200), menu));
    const rests = restsAfterPauses(fingerprint, Infinity).map((each) => ({ id: 'whole', ...each }));
    assert.ok(
      rests.some(({ offsetMs }) => offsetMs > 3000 && offsetMs < 4500),
      'the phrase begins after a pause',
    );
    const events = match(rests, line(join16(silence(400), phrase, silence(2200), pcm('dir-intro'))));
    assert.deepEqual(
      story(events).filter((event) => event.startsWith('promptMatched')),
      [],
    );
  });

  for (const noiseDb of [-46, -41.5, -40, -36])
    it(`begins no rest of a prompt in the noise of its pause, at ${String(noiseDb)} dB`, () => {
      const [notice, menu] = [audio.get('dir-intro'), audio.get('basic-pbx-ivr-main')];
      assert.ok(notice && menu);
      const fingerprint = fingerprintOf(line(join16(notice, silence(2200), menu), { noiseDb }));
      const rests = restsAfterPauses(fingerprint, notice.length / 8 + 2000);
      const menuMs = notice.length / 8 + 2200;
      const inPause = rests.filter(({ offsetMs }) => offsetMs > notice.length / 8 && offsetMs < menuMs - 200);
      assert.deepEqual(
        inPause.map(({ offsetMs }) => offsetMs),
        [],
      );
    });
});
