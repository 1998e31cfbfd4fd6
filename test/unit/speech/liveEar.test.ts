import assert from 'node:assert/strict';
import type { EarEvent } from '../../../src/speech/ear.ts';
import { speechEngineOn } from '../../../src/speech/engine.ts';
import type { SpeechWorker } from '../../../src/speech/workerHandle.ts';
import type { Recognition, WorkerTasks } from '../../../src/speech/workerProtocol.ts';

const silence = (ms: number): Int16Array => new Int16Array(ms * 8);
const loud = (ms: number): Int16Array => new Int16Array(ms * 8).fill(5000);

/** Loud audio is speech. The first recognitions of pieces return these texts; keys checked again are those of `again`. */
function workerOf(texts: readonly string[], again: (rawText: string) => string): SpeechWorker {
  const waiting = [...texts];
  const heard = (text: string, rawText = text): Recognition => ({ text, rawText, words: [] });
  const answer = (task: string, input: Partial<WorkerTasks['recognise']['request']>): unknown => {
    if (task === 'detect')
      return Float32Array.from({ length: (input.pcm?.length ?? 0) / 256 }, (_, at) =>
        (input.pcm?.[at * 256] ?? 0) > 500 ? 0.95 : 0.01,
      );
    if (input.rawText !== undefined) return heard(again(input.rawText), input.rawText);
    return heard(waiting.shift() ?? '');
  };
  const start = (task: string, input: object): unknown => ({
    result: Promise.resolve(answer(task, input)),
    abandon: () => undefined,
  });
  return { running: true, start, close: () => Promise.resolve() } as unknown as SpeechWorker;
}

/** Returns what the ear of a call delivers for these texts, one utterance each. */
async function hear(texts: readonly string[], cutAfter = Infinity): Promise<string[]> {
  const worker = workerOf(texts, (rawText) => rawText.replace('for us', 'press'));
  const engine = speechEngineOn({
    voice: worker,
    listener: worker,
    recognisers: [worker],
    linguist: worker,
    log: () => undefined,
  });
  // The transcription of a recording asks for each utterance once.
  const ear = engine.openEar();
  const events: EarEvent[] = [];
  ear.listen((event) => events.push(event));
  for (const at of texts.keys()) {
    ear.push(loud(1000));
    await ear.flush();
    if (at === cutAfter) ear.cut();
    ear.push(silence(1600));
    await ear.flush();
  }
  await engine.close();
  return events.flatMap((event) =>
    event.type === 'utterance' || event.type === 'correction'
      ? [`${event.type === 'correction' ? 'corrected: ' : ''}${event.utterance.text}`]
      : [],
  );
}

describe('the ear of a call', () => {
  it('corrects earlier offers of a prompt when a key shows that it is a menu, before the utterance with the key', async () =>
    assert.deepEqual(await hear(['For sales for us one.', 'Welcome to this.', 'For service, press two.']), [
      'For sales for us one.',
      'Welcome to this.',
      'corrected: For sales press one.',
      'For service, press two.',
    ]));

  it('corrects offers without any clear verb when the same words recur before keys', async () =>
    assert.deepEqual(await hear(['For sales for us one.', 'For service for us two.']), [
      'For sales for us one.',
      'corrected: For sales press one.',
      'For service press two.',
    ]));

  it('leaves the prompt before a key press as it was', async () =>
    assert.deepEqual(await hear(['For sales for us one.', 'For service, press two.'], 0), [
      'For sales for us one.',
      'For service, press two.',
    ]));
});
