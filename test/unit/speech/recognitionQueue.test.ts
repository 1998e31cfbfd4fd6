import assert from 'node:assert/strict';
import { RecognitionQueue } from '../../../src/speech/recognitionQueue.ts';
import type { SpeechWorker } from '../../../src/speech/workerHandle.ts';
import type { Recognition, WorkerTasks } from '../../../src/speech/workerProtocol.ts';

const audio = (length: number): Int16Array => new Int16Array(length);
const heard = (text: string): Recognition => ({ text, rawText: text, words: [] });

/** A worker whose tasks end when the test says so, in starting order. */
function slowWorker(): {
  readonly worker: SpeechWorker;
  readonly begun: number[];
  readonly befores: unknown[];
  readonly heards: unknown[];
  readonly abandoned: number[];
  readonly finish: (text: string) => Promise<void>;
} {
  const begun: number[] = [];
  const befores: unknown[] = [];
  const heards: unknown[] = [];
  const abandoned: number[] = [];
  const ends: ((recognition: Recognition) => void)[] = [];
  const worker = {
    running: true,
    start: (_task: string, { pcm, before, rawText }: WorkerTasks['recognise']['request']) => {
      begun.push(pcm.length);
      befores.push(before);
      heards.push(rawText);
      return {
        result: new Promise<Recognition>((resolve) => ends.push(resolve)),
        abandon: () => abandoned.push(pcm.length),
      };
    },
    close: () => Promise.resolve(),
  } as unknown as SpeechWorker;
  const finish = async (text: string): Promise<void> => {
    ends.shift()?.(heard(text));
    await new Promise(setImmediate);
  };
  return { worker, begun, befores, heards, abandoned, finish };
}

describe('RecognitionQueue', () => {
  it('recognises final utterances before early ones, taking turns among calls', async () => {
    const { worker, begun, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    queue.submit(1, audio(1), 'final');
    queue.submit(1, audio(2), 'early');
    queue.submit(1, audio(3), 'final');
    queue.submit(2, audio(4), 'final');
    for (const text of ['one', 'two', 'three', 'four']) await finish(text);
    assert.deepEqual(begun, [1, 4, 3, 2]);
  });

  it('abandons early work if its utterance continues and a final one waits', async () => {
    const { worker, begun, abandoned, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    const early = queue.submit(1, audio(1), 'early');
    early.makePartial();
    assert.deepEqual(abandoned, []);
    const final = queue.submit(2, audio(2), 'final');
    assert.deepEqual(abandoned, [1]);
    assert.deepEqual(await early.result, heard(''));
    await finish('half of it');
    await finish('all of it');
    assert.deepEqual([begun, await final.result], [[1, 2], heard('all of it')]);
  });

  it('passes on what the current prompt of the same call has offered', async () => {
    const { worker, befores, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    queue.submit(1, audio(1), 'final');
    await finish('For sales, choose one.');
    queue.submit(1, audio(2), 'final');
    await finish('For support, for us two.');
    queue.submit(2, audio(3), 'final');
    await finish('For parking, press one.');
    queue.newPrompt(1);
    queue.submit(1, audio(4), 'final');
    await finish('');
    queue.forget(1);
    queue.submit(1, audio(5), 'final');
    assert.deepEqual(befores, [
      undefined,
      { verb: 'choose', keys: ['one'], verbsHeard: [] },
      undefined,
      { verb: 'choose', keys: [], verbsHeard: ['us ?'] },
      undefined,
    ]);
  });

  it('puts the keys of earlier audio, which is checked again, before those of the prompt so far', async () => {
    const { worker, heards, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    queue.submit(1, audio(1), 'final');
    await finish('For support, press two.');
    const before = { verb: 'press', keys: ['two'], verbsHeard: [] };
    queue.submit(1, audio(2), 'final', { rawText: 'For sales for us one.', before });
    await finish('For sales press one.');
    assert.deepEqual(heards, [undefined, 'For sales for us one.']);
    assert.deepEqual(queue.menuOf(1), { verb: 'press', keys: ['one', 'two'], verbsHeard: [] });
  });

  it('keeps early work if its utterance is over', async () => {
    const { worker, abandoned, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    const early = queue.submit(1, audio(1), 'early');
    early.makeFinal();
    queue.submit(2, audio(2), 'final');
    await finish('all of it');
    assert.deepEqual([abandoned, await early.result], [[], heard('all of it')]);
  });

  it('reports itself idle only if nothing waits and a worker is free', async () => {
    const { worker, finish } = slowWorker();
    const queue = new RecognitionQueue([worker]);
    assert.equal(queue.idle, true);
    queue.submit(1, audio(1), 'final');
    assert.equal(queue.idle, false);
    await finish('done');
    assert.equal(queue.idle, true);
  });
});
