import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endSoundOf } from '../../src/practice/sounds.ts';
import { writeWav } from '../../src/speech/wav.ts';
import { ivr, PracticeLab } from './practiceCalls.ts';

const bye = { prompt: 'Goodbye.', end: 'hangup' };
const long =
  'This is a rather long announcement about nothing in particular, which nobody needs to hear to its very end.';
const menu = { prompt: long, keys: { 1: 'first', 2: 'bye' } };
const first = { prompt: 'You have pressed one.', end: 'dead-air' };

describe('a call to a practice IVR over SIP', function () {
  let lab: PracticeLab;
  before(async () => {
    lab = await PracticeLab.open();
  });
  afterEach(() => lab.clear());
  after(() => lab.close());

  it('plays its prompt, whole and in its voice', async () => {
    const server = await lab.serve({
      'a.ivr.json': ivr('A', { main: { prompt: 'Welcome to the bank.', end: 'dead-air' } }, { voice: 'slt' }),
    });
    const call = lab.call(server, 'a');
    const [slt, rms] = await Promise.all(
      ['slt', 'rms'].map((voice) => lab.speech.speak('Welcome to the bank.', voice)),
    );
    assert.ok(slt && rms);
    await call.hears(slt);
    await call.hearsSilence(40);
    assert.ok(call.share(slt) > 0.9, `${String(call.share(slt))} of the prompt`);
    assert.ok(call.share(rms) < 0.1, 'not in another voice');
  });

  it('plays a recording', async () => {
    const pcm = Int16Array.from({ length: 16_000 }, (_, index) =>
      Math.round(6000 * Math.sin(index / 5) * Math.sin(index / 2000)),
    );
    await writeFile(path.join(lab.folder, 'tune.wav'), writeWav({ sampleRate: 8000, channels: [pcm] }));
    const server = await lab.serve({
      'wav.ivr.json': ivr('Wav', { main: { prompt: { wav: 'tune.wav', text: 'A tune.' }, end: 'hangup' } }),
    });
    const call = lab.call(server, 'wav');
    await call.hears(pcm);
    assert.deepEqual([(await call.ended).by, call.share(pcm) > 0.9], ['remote', true]);
  });

  it('stops the prompt at a key and goes where it leads', async () => {
    const server = await lab.serve({ 'barge.ivr.json': ivr('Barge', { main: menu, first, bye }) });
    const prompt = await lab.speech.speak(long);
    const call = lab.call(server, 'barge');
    await call.hears(prompt);
    await call.leg.sendDigits('1');
    await call.hears(await lab.speech.speak(first.prompt));
    assert.ok(call.share(prompt) < 0.7, 'the rest of the prompt was not played');
  });

  it('accepts in-band tones as keys', async () => {
    const server = await lab.serve({ 'tones.ivr.json': ivr('Tones', { main: menu, first, bye }) });
    const call = lab.call(server, 'tones');
    await call.hears(await lab.speech.speak(long));
    await call.leg.sendDigits('1', { via: 'inband' });
    await call.hears(await lab.speech.speak(first.prompt));
  });

  it("accepts the caller's speech", async () => {
    const server = await lab.serve({
      'voice.ivr.json': ivr('Voice', {
        main: { prompt: 'How can I help?', speech: { 'lost card': 'bye', billing: 'first' }, timeoutMs: 20_000 },
        first,
        bye,
      }),
    });
    const call = lab.call(server, 'voice');
    await call.hears(await lab.speech.speak('How can I help?'));
    await call.hearsSilence(25);
    await call.leg.play(await lab.speech.speak('I would like to talk about billing.'));
    await call.hears(await lab.speech.speak(first.prompt));
  });

  it('ends with the sound of its file, an empty one as silence', async () => {
    const pcm = Int16Array.from({ length: 4000 }, (_, index) =>
      Math.round(6000 * Math.sin(index / 3 + index ** 2 / 1e5)),
    );
    const sounds = { 'own.wav': pcm, 'none.wav': new Int16Array(0) };
    for (const [wav, sound] of Object.entries(sounds))
      await writeFile(path.join(lab.folder, wav), writeWav({ sampleRate: 8000, channels: [sound] }));
    const server = await lab.serve(
      Object.fromEntries(
        Object.keys(sounds).map((wav) => [
          `${wav}.ivr.json`,
          ivr(wav, { main: { prompt: 'Please hold.', end: 'hold-music', sound: { wav, text: 'A tune.' } } }),
        ]),
      ),
    );
    const own = lab.call(server, 'own.wav');
    await own.hears(pcm);
    assert.ok(own.share(endSoundOf('music')) < 0.2, 'no other music');
    const none = lab.call(server, 'none.wav');
    await none.hears(await lab.speech.speak('Please hold.'));
    await none.hearsSilence(40);
  });

  it('rings with early media if its file says so', async () => {
    const server = await lab.serve({
      'early.ivr.json': ivr('Early', { main: menu, first, bye }, { answerAfterMs: 1500, earlyMedia: true }),
    });
    const call = lab.call(server, 'early');
    await call.hears(endSoundOf('ringback'));
    await call.hears(await lab.speech.speak(long));
    assert.ok((call.at('earlyMedia') ?? Infinity) < (call.at('answered') ?? 0), 'it rings before the answer');
  });

  it('announces before it answers or rejects a call if its file says so', async () => {
    const announcement = 'This number has changed.';
    const server = await lab.serve({
      'moved.ivr.json': ivr('Moved', { main: menu, first, bye }, { announcement }),
      'gone.ivr.json': ivr(
        'Gone',
        { main: menu, first, bye },
        { announcement, faults: { rejectRate: 1, rejectWith: 410 } },
      ),
    });
    const words = await lab.speech.speak(announcement);
    const moved = lab.call(server, 'moved');
    await moved.hears(words);
    assert.equal(moved.at('answered'), undefined);
    await moved.hears(await lab.speech.speak(long));
    const gone = lab.call(server, 'gone');
    assert.equal((await gone.ended).status, 410);
    assert.ok(gone.share(words) > 0.95, 'to its last word');
  });

  it('drops the call if its fault says so', async () => {
    const server = await lab.serve({
      'drop.ivr.json': ivr('Drop', { main: menu, first, bye }, { faults: { dropCallAfterMs: 500 } }),
    });
    const call = lab.call(server, 'drop');
    const { by, kind } = await call.ended;
    assert.deepEqual([by, kind], ['remote', 'hangup']);
    assert.ok((call.at('ended') ?? 0) - (call.at('answered') ?? Infinity) > 400, 'it was dropped too early');
    assert.ok(call.share(await lab.speech.speak(long)) < 0.5, 'in the midst of the prompt');
  });

  it('loses and disturbs its audio if its faults say so', async () => {
    const server = await lab.serve({
      'lossy.ivr.json': ivr('Lossy', { main: menu, first, bye }, { faults: { loss: 0.2 } }),
      'noisy.ivr.json': ivr('Noisy', { main: menu, first, bye }, { faults: { noiseDb: -30 } }),
    });
    const [lossy, noisy] = [lab.call(server, 'lossy'), lab.call(server, 'noisy')];
    await Promise.all([lossy, noisy].map((call) => call.until(() => call.frames >= 150)));
    const { lost, received } = lossy.leg.stats();
    assert.ok(
      lost / (lost + received) > 0.1 && lost / (lost + received) < 0.35,
      `${String(lost)} of ${String(lost + received)} lost`,
    );
    assert.ok(noisy.share(await lab.speech.speak(long)) < 0.05, 'no frame arrives as it was spoken');
  });

  it("hangs up and reports an error if a prompt can't be synthesised; other calls continue", async () => {
    const errors: [string, unknown][] = [];
    const broken = {
      ...lab.speech,
      speak: (text: string, voice?: string) =>
        text === 'Unspeakable.' ? Promise.reject(new Error('no voice today')) : lab.speech.speak(text, voice),
    };
    const server = await lab.serve(
      {
        'bad.ivr.json': ivr('Bad', { main: { prompt: 'Unspeakable.', end: 'hangup' } }),
        'good.ivr.json': ivr('Good', { main: first }),
      },
      { speech: broken, onError: (name, error) => errors.push([name, error]) },
    );
    const { by, kind } = await lab.call(server, 'bad').ended;
    assert.deepEqual([by, kind], ['remote', 'hangup']);
    assert.deepEqual(errors, [['Bad', new Error('no voice today')]]);
    await lab.call(server, 'good').hears(await lab.speech.speak(first.prompt));
  });

  it('hangs up every call when it closes', async () => {
    const server = await lab.serve({ 'a.ivr.json': ivr('A', { main: { prompt: 'Hello.', end: 'hold-music' } }) });
    const calls = [1, 2, 3].map(() => lab.call(server, 'a'));
    await Promise.all(calls.map((call) => call.until(() => call.frames > 0)));
    await server.close();
    for (const call of calls) assert.equal((await call.ended).by, 'remote');
  });
});
