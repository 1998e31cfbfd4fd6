import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpeechError } from '../../../src/speech/ear.ts';
import type { EarEvent, SpeechEngine, Utterance } from '../../../src/speech/ear.ts';
import { createSpeechEngine } from '../../../src/speech/engine.ts';
import { fingerprintOf } from '../../../src/speech/fingerprint.ts';
import { ManualClock } from '../../support/manualClock.ts';

const fakeWorker = new URL('./fakeWorker.ts', import.meta.url);
const realWorker = new URL('../../../src/speech/worker.ts', import.meta.url);

const silence = (ms: number): Int16Array => new Int16Array(ms * 8);
const loud = (ms: number, level: number, hz = 300): Int16Array =>
  Int16Array.from({ length: ms * 8 }, (_, at) => Math.round(level * Math.sin((at * hz * 2 * Math.PI) / 8000)));
const join16 = (...parts: readonly Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]));
const utterances = (events: readonly EarEvent[]): Utterance[] =>
  events.flatMap((event) => (event.type === 'utterance' ? [event.utterance] : []));

describe('speech engine', () => {
  let engine: SpeechEngine;
  let directory: string;
  const clock = new ManualClock();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dialtree-no-models-'));
    engine = createSpeechEngine({ assetsDir: directory, workerUrl: fakeWorker, workers: 1, clock });
  });

  afterEach(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('delivers utterances with stream times, in order, and reports pauses first', async () => {
    const ear = engine.openEar();
    const events: EarEvent[] = [];
    ear.listen((event) => events.push(event));
    ear.push(join16(silence(960), loud(960, 5000), silence(1600), loud(960, 5000), silence(1600)));
    await ear.flush();
    assert.deepEqual(
      utterances(events).map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [960, 1920],
        [3520, 4480],
      ],
    );
    assert.deepEqual(utterances(events)[1]?.words, [
      { text: 'thread', startMs: 3520 - 200 + 100, endMs: 3520 - 200 + 200 },
    ]);
    const order = events.map(({ type }) => type).filter((type) => type !== 'sound' && type !== 'partial');
    assert.deepEqual(
      order.filter((type) => type !== 'utterance'),
      ['speechStart', 'speechPause', 'speechStart', 'speechPause'],
    );
  });

  it('ends a running utterance when flushed', async () => {
    const ear = engine.openEar();
    const events: EarEvent[] = [];
    ear.listen((event) => events.push(event));
    ear.push(loud(1000, 5000));
    await ear.flush();
    assert.equal(utterances(events).length, 1);
  });

  it('continues after a worker died, with empty text for the lost utterance', async () => {
    const ear = engine.openEar();
    const texts: string[] = [];
    ear.listen((event) => {
      if (event.type === 'utterance') texts.push(event.utterance.text);
    });
    ear.push(join16(loud(960, 30_000), silence(1600)));
    await ear.flush();
    assert.deepEqual(texts, ['']);
    ear.push(join16(loud(960, 5000), silence(1600)));
    await ear.flush();
    assert.equal(texts.length, 2);
    assert.match(texts[1] ?? '', /^thread \d+$/);
  });

  it('serves the other recogniser of a worker that died', async () => {
    const [lost, other] = [engine.openEar(), engine.openEar()];
    const texts: string[] = [];
    other.listen((event) => {
      if (event.type === 'utterance') texts.push(event.utterance.text);
    });
    lost.push(join16(loud(960, 30_000), silence(1600)));
    await lost.flush();
    other.push(join16(loud(960, 5000), silence(1600)));
    await other.flush();
    assert.equal(texts.filter((text) => text.startsWith('thread')).length, 1);
  });

  it("doesn't recognise a known prompt again, and recognises what follows it", async () => {
    const prompt = join16(loud(700, 5000, 500), loud(600, 5000, 1200), loud(800, 5000, 700));
    const ear = engine.openEar();
    const events: EarEvent[] = [];
    ear.listen((event) => events.push(event));
    ear.expect([{ id: 'main', fingerprint: fingerprintOf(prompt) }], { recognise: false });
    ear.push(join16(silence(480), prompt, silence(1600), loud(1600, 5000, 900), silence(1600)));
    await ear.flush();
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith('prompt')).map(({ type }) => type),
      ['promptMatched', 'promptEnded', 'promptUnknown'],
    );
    assert.deepEqual(
      utterances(events).map(({ startMs }) => Math.round(startMs / 100)),
      [42],
    );
  });

  it('synthesises a text once and keeps it', async () => {
    const [first, again] = await Promise.all([engine.speak('hello'), engine.speak('hello')]);
    assert.deepEqual(first, again);
    first[1] = 99;
    assert.deepEqual(await engine.speak('hello'), again);
  });

  it('unloads the models after five idle minutes and loads them again on request', async () => {
    const [before] = await engine.speak('one');
    clock.advance(4 * 60_000);
    const [still] = await engine.speak('two');
    assert.equal(still, before);
    clock.advance(5 * 60_000);
    const [after] = await engine.speak('three');
    assert.notEqual(after, before);
  });

  it('names the voices if one is unknown', async () => {
    await assert.rejects(
      engine.speak('hello', 'nobody'),
      (error) => error instanceof SpeechError && /nobody.*rms/.test(error.message),
    );
  });

  it('names the supported sample rates', async () => {
    await assert.rejects(
      engine.transcribe(silence(10), 44_100),
      (error) => error instanceof SpeechError && /44100/.test(error.message),
    );
  });

  it('names the missing model file and the next step', async () => {
    const bare = createSpeechEngine({ assetsDir: directory, workerUrl: realWorker, workers: 1 });
    const named = (error: unknown): boolean =>
      error instanceof SpeechError && error.message.includes(directory) && /missing.*extract\.mjs/s.test(error.message);
    try {
      await assert.rejects(bare.warm(), named);
      await assert.rejects(bare.speak('hello'), named);
      await assert.rejects(bare.transcribe(silence(1000), 8000), named);
    } finally {
      await bare.close();
    }
  });
});
