/**
 * The port of this room: audio in, what was heard out; text in, audio out. Audio is linear PCM, 16 bit, mono, 8 kHz
 * unless said otherwise. All times are milliseconds of audio since the ear's first sample.
 */

export interface Word {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type SoundClass = 'ringback' | 'busy' | 'sit' | 'beep' | 'fax' | 'music' | 'silence';

export interface Utterance {
  readonly startMs: number;
  readonly endMs: number;
  /** After key rescoring. */
  readonly text: string;
  /** As the recogniser emitted it. */
  readonly rawText: string;
  /** Times from the aligner; empty where alignment failed. */
  readonly words: readonly Word[];
}

export type EarEvent =
  | { readonly type: 'speechStart'; readonly atMs: number }
  /**
   * About a quarter of a second without speech; more may follow. `atMs` is where the speech ended. Comes before the
   * text.
   */
  | { readonly type: 'speechPause'; readonly atMs: number }
  /** The utterance goes on after a pause. */
  | { readonly type: 'speechResume'; readonly atMs: number }
  /**
   * Text of an utterance up to a pause at `endMs`, after which it may go on. `startMs` names the utterance; each partial
   * replaces the one before. Not every pause has one: they come if a recogniser is free.
   */
  | { readonly type: 'partial'; readonly startMs: number; readonly endMs: number; readonly text: string }
  | { readonly type: 'utterance'; readonly utterance: Utterance }
  /** A sound class became sure; for `silence` each time it has lasted another second. `sinceMs` is where it began. */
  | { readonly type: 'sound'; readonly sound: SoundClass; readonly sinceMs: number; readonly atMs: number }
  /** What plays since `startMs` is the expected prompt `id`. */
  | { readonly type: 'promptMatched'; readonly id: string; readonly startMs: number; readonly atMs: number }
  /** The matched prompt stopped before its end (a key was taken), or went on differently. */
  | { readonly type: 'promptBroken'; readonly id: string; readonly atMs: number }
  /** The matched prompt was heard to its end. */
  | { readonly type: 'promptEnded'; readonly id: string; readonly atMs: number }
  /**
   * Nothing expected matches what plays now; sent as soon as it is sure (about 700 ms into the sound). After the next
   * quiet moment prompts are compared again.
   */
  | { readonly type: 'promptUnknown'; readonly atMs: number };

/**
 * A compact acoustic description of a prompt's audio, comparable after G.711, gain, light loss and noise. Serialisable.
 */
export type Fingerprint = Uint8Array;

export interface ExpectedPrompt {
  readonly id: string;
  readonly fingerprint: Fingerprint;
}

export interface Ear {
  /** Consecutive samples, any length. */
  push(pcm: Int16Array): void;
  /**
   * All events about the audio before this time have been told, but for texts. Lags behind what was pushed where the
   * machine is busy.
   */
  readonly heardMs: number;
  /**
   * From each onset of sound on, matches what plays against these prompts (each from its beginning); replaces earlier
   * expectations. With `recognise: false` known audio is not sent to the recogniser (a replayed prefix costs no
   * recognition).
   */
  expect(prompts: readonly ExpectedPrompt[], options?: { readonly recognise?: boolean }): void;
  listen(listener: (event: EarEvent) => void): () => void;
  /** What is being said ends with the newest sample; speech after it is another utterance. */
  cut(): void;
  /** Ends a running utterance at once and settles when its text has been delivered. */
  flush(): Promise<void>;
  close(): void;
}

export interface Transcript {
  readonly text: string;
  readonly words: readonly Word[];
  readonly utterances: readonly Utterance[];
}

/** Speech without a change of language. */
export interface LanguageStretch {
  readonly startMs: number;
  readonly endMs: number;
  /** How much of it is speech. */
  readonly speechSeconds: number;
  /** Absent where it is neither clearly: too short, noise, or another language. */
  readonly language?: 'fr' | 'en';
}

/** Where something is said, with its audio from `fromMs` on: a little more at both ends. */
export interface SpeechPiece {
  readonly startMs: number;
  readonly endMs: number;
  readonly fromMs: number;
  readonly pcm: Int16Array;
}

export interface SpeechEngine {
  openEar(): Ear;
  /**
   * Synthesises at 8 kHz; the same text and voice are spoken once and kept. Rejects with SpeechError on an unknown
   * voice.
   */
  speak(text: string, voice?: string): Promise<Int16Array>;
  readonly voices: readonly string[];
  /** A whole recording, 8 or 16 kHz. */
  transcribe(pcm: Int16Array, sampleRate: number): Promise<Transcript>;
  /**
   * Which of French and English is spoken in these pieces of a call, in their order; for each some tenths of its length
   * are needed. Rejects with SpeechError.
   */
  languagesOf(pieces: readonly SpeechPiece[]): Promise<readonly LanguageStretch[]>;
  /** Loads the models now instead of at first use. Rejects with SpeechError naming the missing file and what to do. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** A message fit for a user: names the cause (missing model file, unknown voice) and the next step. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
}
