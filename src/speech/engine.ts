import { systemClock } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';
import { SpeechError } from './ear.ts';
import type { Ear, LanguageStretch, SpeechEngine, Transcript, Utterance } from './ear.ts';
import { fliteVoices } from './flite.ts';
import { languageStretches } from './languages/languageStretches.ts';
import type { Leaning } from './languages/languageEar.ts';
import { LiveEar } from './liveEar.ts';
import { RecognitionQueue } from './recognitionQueue.ts';
import { recognitionThreads } from './recognitionThreads.ts';
import { downsample } from './resample.ts';
import { SpokenTexts } from './spokenTexts.ts';
import { replaceUtterance } from './utterances.ts';
import { WorkerHandle } from './workerHandle.ts';
import type { SpeechLog, SpeechWorker } from './workerHandle.ts';

interface SpeechEngineOptions {
  /** The folder that `assets/extract.mjs` fills. */
  readonly assetsDir: string;
  /** `src/speech/worker.ts` in development, the bundled worker otherwise. */
  readonly workerUrl: URL | string;
  /** Recognition threads; by default as many as this machine has cores for. */
  readonly workers?: number;
  readonly clock?: Clock;
  readonly log?: SpeechLog;
}

/** The parts of an engine; tests replace the workers. */
interface SpeechEngineParts {
  readonly voice: SpeechWorker;
  /** Finds speech in all calls, in a separate thread that doesn't wait for recognition. */
  readonly listener: SpeechWorker;
  /** At least one. */
  readonly recognisers: readonly SpeechWorker[];
  readonly linguist: SpeechWorker;
  readonly log: SpeechLog;
}

const idleMs = 5 * 60_000;
const keptSpeechSamples = 16_000_000;
const transcribePiece = 8000 * 2;

/** Works offline: models run in worker threads, load at first use, and are freed after five idle minutes. */
export function createSpeechEngine(options: SpeechEngineOptions): SpeechEngine {
  const log: SpeechLog = options.log ?? (() => undefined);
  const clock = options.clock ?? systemClock;
  const worker = (name: string): WorkerHandle =>
    new WorkerHandle({ name, url: options.workerUrl, settings: { assetsDir: options.assetsDir }, clock, idleMs, log });
  const count = options.workers ?? recognitionThreads();
  return speechEngineOn({
    voice: worker('speech voice'),
    listener: worker('speech listener'),
    recognisers: Array.from({ length: Math.max(1, count) }, (_, index) => worker(`speech recogniser ${index + 1}`)),
    // A separate thread, so that active calls don't wait for it.
    linguist: worker('speech languages'),
    log,
  });
}

export function speechEngineOn({ voice, listener, recognisers, linguist, log }: SpeechEngineParts): SpeechEngine {
  const queue = new RecognitionQueue(recognisers);
  const spoken = new SpokenTexts(keptSpeechSamples);
  const ears = new Set<LiveEar>();
  let nextEar = 1;

  const open = (early: boolean, onFailure: (error: unknown) => void): LiveEar => {
    const ear = new LiveEar({ id: nextEar++, listener, queue, early, onFailure, onClose: () => ears.delete(ear) });
    ears.add(ear);
    return ear;
  };

  return {
    voices: fliteVoices,

    openEar: (): Ear => open(true, (error) => log('error', `an utterance was not recognised: ${String(error)}`)),

    async speak(text: string, name = 'rms'): Promise<Int16Array> {
      if (!fliteVoices.includes(name)) {
        throw new SpeechError(`The voice "${name}" doesn't exist. Choose one of ${fliteVoices.join(', ')}.`);
      }
      return spoken.get(text, name, async () => voice.start('speak', { text, voice: name }).result);
    },

    async transcribe(pcm: Int16Array, sampleRate: number): Promise<Transcript> {
      if (sampleRate !== 8000 && sampleRate !== 16000) {
        throw new SpeechError(
          `Can't transcribe audio with ${sampleRate} samples per second. Convert it to 8000 or 16000.`,
        );
      }
      const audio = sampleRate === 16000 ? downsample(pcm) : pcm;
      const failures: unknown[] = [];
      const utterances: Utterance[] = [];
      const ear = open(false, (error) => failures.push(error));
      ear.listen((event) => {
        if (event.type === 'utterance' && event.utterance.text !== '') utterances.push(event.utterance);
        if (event.type === 'correction') replaceUtterance(utterances, event.utterance);
      });
      try {
        for (let at = 0; at < audio.length && failures.length === 0; at += transcribePiece) {
          ear.push(audio.subarray(at, at + transcribePiece));
          await ear.settled();
        }
        await ear.flush();
      } finally {
        ear.close();
      }
      if (failures.length > 0) throw failures[0];
      return {
        text: utterances.map((utterance) => utterance.text).join(' '),
        words: utterances.flatMap((utterance) => utterance.words),
        utterances,
      };
    },

    async languagesOf(pieces): Promise<readonly LanguageStretch[]> {
      const heard: Leaning[][] = [];
      for (const { startMs, endMs, fromMs, pcm } of pieces) {
        const parts = await linguist.start('lean', { pcm }).result;
        heard.push(
          parts.map((part) => ({
            ...part,
            startMs: Math.max(startMs, fromMs + part.startMs),
            endMs: Math.min(endMs, fromMs + part.endMs),
          })),
        );
      }
      return languageStretches(heard);
    },

    async warm(): Promise<void> {
      await Promise.all([
        voice.start('loadVoice', {}).result,
        listener.start('loadListener', {}).result,
        ...recognisers.map(async (handle) => handle.start('loadRecogniser', {}).result),
      ]);
    },

    async close(): Promise<void> {
      for (const ear of ears) ear.close();
      await Promise.all([voice, listener, linguist, ...recognisers].map(async (handle) => handle.close()));
    },
  };
}
