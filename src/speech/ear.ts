/**
 * The interface of this module: audio in, what was heard out; text in, audio out. Audio is linear PCM, 16 bit, mono, 8
 * kHz unless stated otherwise. All times are milliseconds of audio since the ear's first sample.
 */

export interface Word {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type SoundClass = 'ringback' | 'busy' | 'dial' | 'sit' | 'beep' | 'shortBeep' | 'fax' | 'music' | 'silence';

export interface Utterance {
  readonly startMs: number;
  readonly endMs: number;
  /** After key rescoring. */
  readonly text: string;
  /** As the recogniser returned it. */
  readonly rawText: string;
  /** Times from the aligner; empty if alignment failed. */
  readonly words: readonly Word[];
}

export type EarEvent =
  | { readonly type: 'speechStart'; readonly atMs: number }
  /** A quarter of a second without speech; more may follow. `atMs`: the end of the speech. Comes before the text. */
  | { readonly type: 'speechPause'; readonly atMs: number }
  /** The utterance continues after a pause. */
  | { readonly type: 'speechResume'; readonly atMs: number }
  /**
   * Text of an utterance up to a pause at `endMs`, after which it can continue. `startMs` identifies the utterance;
   * each partial replaces the one before. Not every pause has one: they are produced if a recogniser is free.
   */
  | { readonly type: 'partial'; readonly startMs: number; readonly endMs: number; readonly text: string }
  | { readonly type: 'utterance'; readonly utterance: Utterance }
  /** Replaces the utterance with the same `startMs`: the rest of the prompt has shown what it says. */
  | { readonly type: 'correction'; readonly utterance: Utterance }
  /** A sound class became certain; for `silence`, after each further second. `sinceMs` is where it began. */
  | { readonly type: 'sound'; readonly sound: SoundClass; readonly sinceMs: number; readonly atMs: number }
  /** The sound since `startMs` is the expected prompt `id`, or its part from `offsetMs` of the prompt. */
  | {
      readonly type: 'promptMatched';
      readonly id: string;
      readonly startMs: number;
      readonly offsetMs?: number | undefined;
      readonly atMs: number;
    }
  /** The matched prompt stopped before its end (a key was accepted), or continued differently. */
  | { readonly type: 'promptBroken'; readonly id: string; readonly atMs: number }
  /** The matched prompt was heard to its end. */
  | { readonly type: 'promptEnded'; readonly id: string; readonly atMs: number }
  /**
   * Nothing expected matches the current sound; sent as soon as this is certain (about 700 ms into the sound). After
   * the next quiet moment, prompts are compared again.
   */
  | { readonly type: 'promptUnknown'; readonly atMs: number };

/** A serialisable description of a prompt's sound, comparable after G.711, gain, light loss and noise. */
export type Fingerprint = Uint8Array;

export interface ExpectedPrompt {
  readonly id: string;
  readonly fingerprint: Fingerprint;
  /** If this is only the rest of a prompt: where it begins in that prompt. */
  readonly offsetMs?: number;
}

export interface Ear {
  /** Consecutive samples, any length. */
  push(pcm: Int16Array): void;
  /** All events before this time were emitted, except texts. On a busy machine, this is behind the pushed audio. */
  readonly heardMs: number;
  /**
   * From each onset of sound, matches the audio against these prompts (each from its beginning); replaces earlier
   * expectations. With `recognise: false`, known audio isn't sent to the recogniser (a repeated beginning costs no
   * recognition).
   */
  expect(prompts: readonly ExpectedPrompt[], options?: { readonly recognise?: boolean }): void;
  listen(listener: (event: EarEvent) => void): () => void;
  /**
   * The current utterance ends with the newest sample, or at this time, which can be up to a second ago. Later speech is
   * another utterance, and another prompt.
   */
  cut(atMs?: number): void;
  /** Ends a running utterance immediately. Resolves when its text has been delivered. */
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
  readonly speechSeconds: number;
  /** Absent if it is clearly neither: too short, noise, or another language. */
  readonly language?: 'fr' | 'en' | undefined;
}

/** A span with speech, and its audio from `fromMs`: slightly more at both ends. */
export interface SpeechPiece {
  readonly startMs: number;
  readonly endMs: number;
  readonly fromMs: number;
  readonly pcm: Int16Array;
}

export interface SpeechEngine {
  openEar(): Ear;
  /** Synthesises at 8 kHz, and caches by text and voice. Rejects with SpeechError for an unknown voice. */
  speak(text: string, voice?: string): Promise<Int16Array>;
  readonly voices: readonly string[];
  /** A whole recording, 8 or 16 kHz. */
  transcribe(pcm: Int16Array, sampleRate: number): Promise<Transcript>;
  /**
   * Returns whether French or English is spoken in each of these pieces of a call, in order. Takes some tenths of each
   * piece's length. Rejects with SpeechError.
   */
  languagesOf(pieces: readonly SpeechPiece[]): Promise<readonly LanguageStretch[]>;
  /** Loads the models now instead of at first use. Rejects with SpeechError naming the missing file and what to do. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** An error with a message fit for users: the cause (missing model file, unknown voice) and the next step. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
}
