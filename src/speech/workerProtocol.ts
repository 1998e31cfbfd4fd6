import type { MenuSoFar } from './keys/menuSoFar.ts';
import type { Word } from './ear.ts';
import type { Leaning } from './languages/languageEar.ts';

/** The start settings of a speech worker. They contain paths, because a bundled worker doesn't know the source tree. */
export interface WorkerSettings {
  readonly assetsDir: string;
}

export interface Recognition {
  readonly text: string;
  readonly rawText: string;
  /** Milliseconds since the first sample of the recognised piece. */
  readonly words: readonly Word[];
}

/** The tasks of a worker: request and result by name. Audio is 8 kHz, 16 bit, and is copied. */
export interface WorkerTasks {
  /** Loads the voice activity model. */
  readonly loadListener: { readonly request: object; readonly result: null };
  /** Loads the models of the recogniser and the aligner. */
  readonly loadRecogniser: { readonly request: object; readonly result: null };
  readonly loadVoice: { readonly request: object; readonly result: null };
  readonly speak: { readonly request: { readonly text: string; readonly voice: string }; readonly result: Int16Array };
  /** Speech probability of each 256-sample frame; state is kept by stream. */
  readonly detect: {
    readonly request: { readonly stream: number; readonly pcm: Int16Array };
    readonly result: Float32Array;
  };
  readonly forgetStream: { readonly request: { readonly stream: number }; readonly result: null };
  readonly recognise: {
    /** `before`: what the call offered before this audio. `rawText`: what was heard, to check its keys again. */
    readonly request: { readonly pcm: Int16Array; readonly before?: MenuSoFar | undefined; readonly rawText?: string };
    readonly result: Recognition;
  };
  readonly lean: { readonly request: { readonly pcm: Int16Array }; readonly result: readonly Leaning[] };
}

export type TaskName = keyof WorkerTasks;

export type WorkerRequest =
  | {
      [Name in TaskName]: { readonly id: number; readonly task: Name; readonly input: WorkerTasks[Name]['request'] };
    }[TaskName]
  /** The result of request `id` isn't needed any more. It is still answered, perhaps with less. */
  | { readonly id: number; readonly task: 'abandon' };

export type WorkerReply =
  | { readonly id: number; readonly result: WorkerTasks[TaskName]['result'] }
  | { readonly id: number; readonly failure: string; readonly forUser: boolean };
