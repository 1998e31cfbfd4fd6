import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { PracticeServer } from '../../src/practice/server.ts';
import { writeWav } from '../../src/speech/wav.ts';
import { ivr, PracticeLab } from './practiceCalls.ts';

const saying = (prompt: string | object, name = 'A', rest: object = {}): object =>
  ivr(name, { main: { prompt, end: 'dead-air' } }, rest);
const [first, second] = ['This is the first version.', 'Here comes another one.'];

describe('a practice IVR whose file changes', function () {
  let lab: PracticeLab;
  before(async () => {
    lab = await PracticeLab.open();
  });
  afterEach(() => lab.clear());
  after(() => lab.close());

  const fileOf = (name: string): string => path.join(lab.folder, name);
  const save = (content: object, name = 'a.ivr.json'): Promise<void> =>
    writeFile(fileOf(name), JSON.stringify(content));
  const serve = (content: object, problems: string[] = [], reload = loadIvr): Promise<PracticeServer> =>
    lab.serve({ 'a.ivr.json': content }, { reload, onStale: (problem) => problems.push(problem) });
  const assertHears = async (server: PracticeServer, text: string): Promise<void> => {
    const call = lab.call(server, 'a');
    await call.hears(await lab.speech.speak(text));
    await call.leg.hangup();
  };

  it('keeps its address under another name, rings until it is ready, and leaves an active call as it is', async () => {
    const server = await serve(
      ivr('A', { main: { prompt: first, keys: { 1: 'next' } }, next: { prompt: 'Still first.', end: 'dead-air' } }),
    );
    const before = lab.call(server, 'a');
    await before.hears(await lab.speech.speak(first));
    // As editors save: beside the file, then in its place.
    await save(saying(second, 'Renamed', { number: '+12025550155' }), 'a.ivr.json.tmp');
    await rename(fileOf('a.ivr.json.tmp'), fileOf('a.ivr.json'));
    const after = lab.call(server, 'a');
    await after.hears(await lab.speech.speak(second));
    assert.ok(after.at('ringing') !== undefined, 'rings');
    assert.ok(after.share(await lab.speech.speak(first)) < 0.1, 'nothing of the first version');
    await before.leg.sendDigits('1');
    await before.hears(await lab.speech.speak('Still first.'));
  });

  it('hears a recording that was replaced', async () => {
    const tone = (pitch: number): Int16Array =>
      Int16Array.from({ length: 16_000 }, (_, at) => Math.round(6000 * Math.sin(at / pitch) * Math.sin(at / 2000)));
    const put = (pcm: Int16Array): Promise<void> =>
      writeFile(fileOf('main.wav'), writeWav({ sampleRate: 8000, channels: [pcm] }));
    await put(tone(5));
    const server = await serve(saying({ wav: 'main.wav', text: 'Tone.' }));
    await put(tone(3));
    await lab.call(server, 'a').hears(tone(3));
  });

  it('plays a file that is half written when the call arrives, once it is whole', async () => {
    const problems: string[] = [];
    const reads: string[] = [];
    const server = await serve(saying(first), problems, async (file) => {
      try {
        const read = await loadIvr(file);
        reads.push('whole');
        return read;
      } catch (error) {
        reads.push('half');
        await save(saying(second));
        throw error;
      }
    });
    await writeFile(fileOf('a.ivr.json'), '{"name": "A", "sta');
    await assertHears(server, second);
    assert.deepEqual([reads[0], reads.at(-1), problems], ['half', 'whole', []]);
  });

  it('plays the last valid version while the file is invalid or gone, and reports each problem once', async () => {
    const problems: string[] = [];
    const server = await serve(saying(first), problems);
    await save(saying(first, 'A', { voice: 'unknown' }));
    await assertHears(server, first);
    await assertHears(server, first);
    await rm(fileOf('a.ivr.json'));
    await assertHears(server, first);
    await assertHears(server, first);
    assert.deepEqual(
      problems.map((problem) => /voice "unknown"|Couldn't read/.exec(problem)?.[0]),
      ['voice "unknown"', "Couldn't read"],
    );
    await save(saying(second));
    await assertHears(server, second);
  });
});
