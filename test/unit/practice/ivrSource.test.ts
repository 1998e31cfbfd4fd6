import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../../src/contract/errors.ts';
import { loadIvr, parseIvr, spokenTexts } from '../../../src/practice/ivrSource.ts';
import { writeWav } from '../../../src/speech/wav.ts';

const end = { prompt: 'Goodbye.', end: 'hangup' };
const withWav = {
  name: 'Test',
  start: 'main',
  states: { main: { prompt: { wav: 'sounds/main.wav', text: 'For the end, press 1.' }, keys: { 1: 'bye' } }, bye: end },
};

describe('loading a practice IVR', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-ivr-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function put(name: string, content: string | Uint8Array | object): Promise<string> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    );
    return file;
  }
  async function refused(loading: Promise<unknown>, code: string, ...patterns: RegExp[]): Promise<void> {
    await assert.rejects(loading, (error: unknown) => {
      assert.ok(error instanceof HumanError);
      assert.equal(error.code, code);
      for (const pattern of patterns) assert.match(error.message, pattern);
      return true;
    });
  }

  it('allows comments, trailing commas and a byte order mark', async () => {
    const file = await put(
      'a.ivr.json',
      `\uFEFF// a bank\n{ "name": "A", "start": "main", /* one state */ "states": { "main": ${JSON.stringify(end)}, }, }`,
    );
    assert.equal((await loadIvr(file)).ivr.name, 'A');
  });

  it('reports line and column of broken JSON', async () => {
    await refused(
      loadIvr(await put('b.ivr.json', '{\n  "name": "B",\n  "start" "main"\n}')),
      'ivr_invalid',
      /b\.ivr\.json:3:11: not valid JSON/,
    );
    for (const text of ['', '// nothing', '{"name": "x"', '{"a": 1} {"b": 2}', '{"a": tru}'])
      assert.throws(() => parseIvr(text, 'x.ivr.json'), /x\.ivr\.json:1:\d+: not valid JSON/);
  });

  it('reports the file and the place of every other error', async () => {
    const file = await put('c.ivr.json', {
      name: 'C',
      start: 'main',
      states: { main: { prompt: 'P', keys: { 1: 'nowhere' }, end: 'busy' } },
    });
    await refused(
      loadIvr(file),
      'ivr_invalid',
      /c\.ivr\.json: /,
      /states\.main: A state must continue in exactly one way/,
      /states\.main\.keys\.1: The state "nowhere" doesn't exist/,
    );
    await assert.rejects(
      loadIvr(file),
      (error: HumanError) => Array.isArray(error.details) && error.details.length === 2,
    );
  });

  it('reports an unreadable file', async () => {
    await refused(
      loadIvr(path.join(folder, 'missing.ivr.json')),
      'ivr_unreadable',
      /Couldn't read .*missing\.ivr\.json/,
    );
    await refused(loadIvr(folder), 'ivr_unreadable', /Couldn't read/);
  });

  it('reads a recording in the same folder, and converts 16 kHz', async () => {
    const pcm = Int16Array.from({ length: 1600 }, (_, index) =>
      Math.round(8000 * Math.sin((2 * Math.PI * 440 * index) / 16_000)),
    );
    await put('sounds/main.wav', writeWav({ sampleRate: 16_000, channels: [pcm] }));
    const { recordings } = await loadIvr(await put('d.ivr.json', withWav));
    const halved = recordings.get('sounds/main.wav');
    assert.equal(halved?.length, 800);
    assert.ok(Math.max(...halved) > 7000, 'the tone is still there');
    await put('sounds/main.wav', writeWav({ sampleRate: 8000, channels: [pcm, pcm] }));
    assert.deepEqual((await loadIvr(path.join(folder, 'd.ivr.json'))).recordings.get('sounds/main.wav'), pcm);
  });

  it('names a recording that is missing or invalid', async () => {
    const file = await put('e.ivr.json', withWav);
    await refused(loadIvr(file), 'ivr_recording', /e\.ivr\.json: can't use the recording .*sounds.main\.wav/);
    await put('sounds/main.wav', 'this is a text');
    await refused(loadIvr(file), 'ivr_recording', /sounds.main\.wav/, /RIFF|WAV/);
    const bytes = writeWav({ sampleRate: 8000, channels: [new Int16Array(80)] });
    new DataView(bytes.buffer).setUint32(24, 44_100, true);
    await put('sounds/main.wav', bytes);
    await refused(loadIvr(file), 'ivr_recording', /44100/);
  });

  it('lists each synthesised text once, and no recorded one', async () => {
    const ivr = parseIvr(
      JSON.stringify({
        ...withWav,
        states: {
          ...withWav.states,
          main: {
            ...withWav.states.main,
            onTimeout: { prompt: 'I did not hear you.' },
            onInvalid: { prompt: 'Goodbye.' },
          },
        },
      }),
      'f.ivr.json',
    );
    assert.deepEqual(spokenTexts(ivr).sort(), ['Goodbye.', 'I did not hear you.']);
  });
});
