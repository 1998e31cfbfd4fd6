import { createSpeechEngine } from '../../speech/engine.ts';
import type { SpeechEngine } from '../../speech/ear.ts';
import { findInstallation, speechAssets } from '../../service/basics/installation.ts';

export async function withSpeech<Result>(work: (speech: SpeechEngine) => Promise<Result>): Promise<Result> {
  const installation = findInstallation();
  const speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
  try {
    return await work(speech);
  } finally {
    await speech.close();
  }
}
