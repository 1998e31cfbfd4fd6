import type { CallEnd, CallerAccount, SendDigitsOptions } from '../../telephony/call.ts';
import type { EarEvent, ExpectedPrompt, Fingerprint, LanguageStretch } from '../../speech/ear.ts';

/** What is heard on a call, and its end. All times are milliseconds of the call's audio. */
export type TalkEvent = EarEvent | { readonly type: 'ended'; readonly atMs: number; readonly end: CallEnd };

/** One answered call, as an exploring caller sees it. */
export interface Talk {
  readonly ended: CallEnd | undefined;
  /** INVITE to the first audio, in seconds; 0 where they called us. */
  readonly setupSeconds: number;
  /** Wall-clock seconds from the answer to the end, or until now. Budgets and bills count these. */
  readonly durationSeconds: number;
  /** Milliseconds of audio so far, in step with the clock whatever the far side sends. */
  now(): number;
  /** Up to here speech and sounds have been told apart; a busy machine lags behind `now`. */
  heardMs(): number;
  listen(listener: (event: TalkEvent) => void): () => void;
  expect(prompts: readonly ExpectedPrompt[], options?: { readonly recognise?: boolean }): void;
  /**
   * A key was pressed into a prompt: what is being said now ends at the next quiet moment and is not told; what follows
   * is another prompt.
   */
  cut(): void;
  press(keys: string, options?: SendDigitsOptions): Promise<void>;
  say(text: string): Promise<void>;
  hangUp(): Promise<void>;
  /** RTP so far: how many packets could be played, and in which other codecs some came. */
  received(): { readonly packets: number; readonly otherCodecs: readonly string[] };
  /** What was received from `fromMs` to `toMs`: 8 kHz, 16 bit, mono. */
  audio(fromMs: number, toMs: number): Int16Array;
  /** What we said, and from when on in the call's audio; keys are not among it. */
  spoken(): readonly { readonly startMs: number; readonly pcm: Int16Array }[];
  /** Describes what was received from `fromMs` to `toMs`, so that it is recognised when it plays again. */
  fingerprint(fromMs: number, toMs: number): Fingerprint;
  /** Which of these prompts was received from `fromMs` to `toMs`, from its first sound to its last. */
  promptIn(fromMs: number, toMs: number, prompts: readonly ExpectedPrompt[]): string | undefined;
  /** In which language these spans were spoken, in their order. Rejects with SpeechError. */
  languages(spans: readonly Pick<LanguageStretch, 'startMs' | 'endMs'>[]): Promise<readonly LanguageStretch[]>;
  /** How many milliseconds at the end of what was received then are the same audio as the end of this prompt. */
  sharedTailMs(fromMs: number, toMs: number, prompt: Fingerprint): number;
  /** Whether what was received then is the last part of this prompt. */
  soundsLikeTailOf(fromMs: number, toMs: number, prompt: Fingerprint): boolean;
}

/**
 * From the decision to hang up until the far side has heard of it: budgets of seconds keep so much back for each call.
 */
export const lettingGoSeconds = 0.5;

/** How a caller speaks and presses keys. */
export interface Manner {
  /** One of `SpeechEngine.voices`. */
  readonly voice?: string;
  /** Of every key; a press that asks for slower ones gets them. */
  readonly keys?: Pick<SendDigitsOptions, 'toneMs' | 'gapMs'>;
}

/** Who calls, by default nobody in particular, and how long it may ring, by default `callBounds.setup`. */
export interface DialOptions extends CallerAccount, Manner {
  readonly ringSeconds?: number;
}

/** Places calls. Rejects with DialError when the call is not answered. */
export interface Dialer {
  dial(target: string, signal: AbortSignal, options?: DialOptions): Promise<Talk>;
}

/** The same dialer, with these options for all of its calls. */
export const callingAs = (dialer: Dialer, as: DialOptions): Dialer => ({
  dial: (target, signal, options) => dialer.dial(target, signal, { ...options, ...as }),
});

export class DialError extends Error {
  override readonly name = 'DialError';
  readonly end: CallEnd;
  /** What a person is told, where the end alone does not tell it. */
  readonly sentence: string | undefined;

  constructor(end: CallEnd, sentence?: string) {
    super(end.reason);
    this.end = end;
    this.sentence = sentence;
  }
}
