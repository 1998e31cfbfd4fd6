import { parentPort, workerData } from 'node:worker_threads';
import { AssetFiles } from './assetFiles.ts';
import { SpeechError } from './ear.ts';
import { Flite } from './flite.ts';
import { LanguageEar } from './languages/languageEar.ts';
import { OnnxModels } from './onnxRuntime.ts';
import { Recogniser } from './recogniser.ts';
import { Silero } from './silero.ts';
import type { TaskName, WorkerReply, WorkerRequest, WorkerSettings, WorkerTasks } from './workerProtocol.ts';

/** The thread in which models run. Each loads at first use; requests of one kind are answered in order. */
const port = parentPort;
if (!port) throw new Error('speech/worker.ts runs as a worker thread');

const assets = new AssetFiles((workerData as WorkerSettings).assetsDir);
const abandoned = new Set<number>();
let runtime: Promise<OnnxModels> | undefined;
let flite: Promise<Flite> | undefined;
let listener: Promise<Silero> | undefined;
let recogniser: Promise<Recogniser> | undefined;
let languages: Promise<LanguageEar> | undefined;

const voice = (): Promise<Flite> => (flite ??= Flite.load(assets));
const models = (): Promise<OnnxModels> => (runtime ??= OnnxModels.load(assets));
const ears = (): Promise<Silero> => (listener ??= models().then(async (onnx) => Silero.load(onnx)));
const texts = (): Promise<Recogniser> => (recogniser ??= models().then(async (onnx) => Recogniser.load(onnx, assets)));

const tasks: {
  [Name in TaskName]: (input: WorkerTasks[Name]['request'], id: number) => Promise<WorkerTasks[Name]['result']>;
} = {
  loadVoice: async () => {
    await voice();
    return null;
  },
  loadListener: async () => {
    await ears();
    return null;
  },
  loadRecogniser: async () => {
    await texts();
    return null;
  },
  speak: async ({ text, voice: name }) => (await voice()).speak(text, name),
  detect: async ({ stream, pcm }) => (await ears()).detect(stream, pcm),
  forgetStream: async ({ stream }) => {
    (await listener)?.forget(stream);
    return null;
  },
  recognise: async (input, id) => (await texts()).recognise(input, () => abandoned.has(id)),
  lean: async ({ pcm }) => (await (languages ??= LanguageEar.load(assets))).leanings(pcm),
};

async function answer(request: Exclude<WorkerRequest, { task: 'abandon' }>): Promise<WorkerReply> {
  try {
    const task = tasks[request.task] as (
      input: typeof request.input,
      id: number,
    ) => Promise<WorkerTasks[TaskName]['result']>;
    return { id: request.id, result: await task(request.input, request.id) };
  } catch (error) {
    // A model that failed to load may load after the user has fixed its file.
    runtime = undefined;
    flite = undefined;
    listener = undefined;
    recogniser = undefined;
    languages = undefined;
    const forUser = error instanceof SpeechError;
    return {
      id: request.id,
      failure: error instanceof Error ? (forUser ? error.message : (error.stack ?? error.message)) : String(error),
      forUser,
    };
  } finally {
    abandoned.delete(request.id);
  }
}

port.on('message', (request: WorkerRequest) => {
  if (request.task === 'abandon') abandoned.add(request.id);
  else void answer(request).then((reply) => port.postMessage(reply));
});
