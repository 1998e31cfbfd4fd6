import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { extractAssets } from '../../src/speech/assets/extract.mjs';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { readWav } from '../../src/speech/wav.ts';
import { decodeUlaw, encodeUlaw } from '../../src/base/g711.ts';

const prompts = new URL('../fixtures/speech/prompts/', import.meta.url);

/** An engine on the real models, which are fetched when they are not there. */
export async function realSpeech(): Promise<SpeechEngine> {
  const assetsDir = fileURLToPath(new URL('../../.assets/speech', import.meta.url));
  await extractAssets({ targetDir: assetsDir });
  return createSpeechEngine({
    assetsDir,
    workerUrl: new URL('../../src/speech/worker.ts', import.meta.url),
    workers: 1,
  });
}

/** As it arrives over G.711 µ-law, with half a second of silence around it. */
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
