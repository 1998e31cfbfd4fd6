import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { extractAssets } from '../../src/speech/assets/extract.mjs';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { createSpeechEngine, speechEngineOn } from '../../src/speech/engine.ts';
import { readWav } from '../../src/speech/wav.ts';
import { WorkerHandle } from '../../src/speech/workerHandle.ts';
import { systemClock } from '../../src/base/clock.ts';
import { RecordedRecognitions } from '../support/recordedRecognitions.ts';
import { decodeUlaw, encodeUlaw } from '../../src/base/g711.ts';

const prompts = new URL('../fixtures/speech/prompts/', import.meta.url);

const workerUrl = new URL('../../src/speech/worker.ts', import.meta.url);

async function models(): Promise<string> {
  const assetsDir = fileURLToPath(new URL('../../.assets/speech', import.meta.url));
  await extractAssets({ targetDir: assetsDir });
  return assetsDir;
}

/** An engine on the real models, which are downloaded if missing. */
export const realSpeech = async (): Promise<SpeechEngine> =>
  createSpeechEngine({ assetsDir: await models(), workerUrl, workers: 1 });

/** The same, with recognitions from this recording (`RecordedRecognitions`). */
export async function recordedSpeech(name: string): Promise<{
  readonly speech: SpeechEngine;
  /** Returns what is wrong with the recording. */
  close(): Promise<readonly string[]>;
}> {
  const worker = new WorkerHandle({
    name: 'recorded speech',
    url: workerUrl,
    settings: { assetsDir: await models() },
    clock: systemClock,
    idleMs: 5 * 60_000,
    log: () => undefined,
  });
  const recording = await RecordedRecognitions.open(name);
  const recorded = recording.over(worker);
  const speech = speechEngineOn({
    voice: recorded,
    listener: recorded,
    recognisers: [recorded],
    linguist: recorded,
    log: () => undefined,
  });
  return {
    speech,
    close: async () => {
      await speech.close();
      await worker.close();
      return recording.close();
    },
  };
}

/** Returns the audio as it arrives over G.711 µ-law, with half a second of silence around it. */
export function overTelephone(pcm: Int16Array): Int16Array {
  const padded = new Int16Array(pcm.length + 8000);
  padded.set(pcm, 4000);
  return decodeUlaw(encodeUlaw(padded));
}

export interface HumanPrompt {
  readonly name: string;
  readonly said: string;
  readonly pcm: Int16Array;
}

export async function humanPrompts(): Promise<HumanPrompt[]> {
  const names = (await readdir(prompts)).filter((name) => name.endsWith('.wav')).sort();
  return Promise.all(
    names.map(async (file) => {
      const name = file.slice(0, -'.wav'.length);
      const said = await readFile(new URL(`${name}.txt`, prompts), 'utf8');
      return {
        name,
        said: said.trim(),
        pcm: readWav(await readFile(new URL(file, prompts))).channels[0] ?? new Int16Array(0),
      };
    }),
  );
}
