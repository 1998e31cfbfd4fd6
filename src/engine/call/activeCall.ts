import type { CallEnd, CallerAccount, CallLeg, SendDigitsOptions } from '../../telephony/call.ts';
import type { PlayingPrompt } from '../../speech/promptStop.ts';
import type { EarEvent, ExpectedPrompt, Fingerprint, LanguageStretch, Utterance } from '../../speech/ear.ts';

/** Events heard on a call, and its end. All times are milliseconds of the call's audio. */
export type ActiveCallEvent =
  | EarEvent
  /** As in `CallEvent`. */
  | { readonly type: 'transfer'; readonly atMs: number; readonly target: string }
  | { readonly type: 'ended'; readonly atMs: number; readonly end: CallEnd };

declare const cleared: unique symbol;
/** Keys or words that may be sent. Only `Door` makes them, and only after it has judged them. */
export type Cleared = string & { readonly [cleared]: true };

/** Words of the caller. */
export interface CallerWords {
  readonly text: string;
  readonly startMs: number;
  readonly pcm: Int16Array;
}

/** What was said before a call was answered or refused (RFC 3960). Tones alone, such as ringing, aren't early media. */
export interface EarlyMedia {
  readonly text: string;
  /** In milliseconds of `pcm`. */
  readonly utterances: readonly Utterance[];
  /** All audio before the answer: 8 kHz, 16 bit, mono. */
  readonly pcm: Int16Array;
  /** Its last words didn't become text in time. */
  readonly isUnread: boolean;
}

export interface ActiveCall {
  readonly ended: CallEnd | undefined;
  /** From INVITE to the first audio, in seconds; 0 for inbound calls. */
  readonly setupSeconds: number;
  /** What was said before the answer, once it is text; absent if this side didn't listen. Never rejects. */
  readonly early?: Promise<EarlyMedia | undefined> | undefined;
  /** Wall-clock seconds from the answer to the end, or until now. Budgets and bills count these. */
  readonly durationSeconds: number;
  /** Milliseconds of audio so far, in step with the clock whatever the called side sends. */
  now(): number;
  /** Speech and sounds have been distinguished up to this time. On a busy machine it is behind `now`. */
  heardMs(): number;
  listen(listener: (event: ActiveCallEvent) => void): () => void;
  expect(prompts: readonly ExpectedPrompt[], options?: { readonly recognise?: boolean }): void;
  /** A key is about to be pressed during this known prompt. The next cut is made where it stops. */
  follow(prompt: PlayingPrompt): void;
  /** Where the followed prompt seems to have stopped; undefined while it continues, and if no prompt is followed. */
  readonly stop: { readonly atMs: number; readonly isSure: boolean } | undefined;
  /**
   * A key was pressed during a prompt: the current speech ends where the followed prompt stops, or at the next quiet
   * moment while it continues, and isn't reported. What follows is another prompt.
   */
  cut(): void;
  press(keys: Cleared, options?: SendDigitsOptions): Promise<void>;
  say(text: Cleared): Promise<void>;
  /** Puts the called side on hold, or resumes. Resolves to false if that was refused, and if the call has ended. */
  hold(isHeld: boolean): Promise<boolean>;
  /** Why keys that were pressed may not have been understood, as sentences; undefined if nothing is known. */
  keyTrouble(): string | undefined;
  hangUp(): Promise<void>;
  /** RTP so far: the number of packets that could be played, and other codecs that were received. */
  received(): {
    readonly packets: number;
    readonly otherCodecs: readonly string[];
    readonly elsewhere?: string;
    /** Packets that don't fit the agreed keys. */
    readonly refusedPackets?: number;
  };
  /** Returns the received audio from `fromMs` to `toMs`: 8 kHz, 16 bit, mono. */
  audio(fromMs: number, toMs: number): Int16Array;
  /** What the caller said, with its start in the call's audio. Keys aren't included. */
  spoken(): readonly CallerWords[];
  /** Returns the fingerprint of the received audio from `fromMs` to `toMs`, to recognise it when it plays again. */
  fingerprint(fromMs: number, toMs: number): Fingerprint;
  /** Returns which of these prompts was received from `fromMs` to `toMs`, from its first sound to its last. */
  promptIn(fromMs: number, toMs: number, prompts: readonly ExpectedPrompt[]): string | undefined;
  /** Returns the language of each of these spans, in order. Rejects with SpeechError. */
  languages(spans: readonly Pick<LanguageStretch, 'startMs' | 'endMs'>[]): Promise<readonly LanguageStretch[]>;
  /** Returns how many milliseconds at the end of the received span have the same audio as the end of this prompt. */
  sharedTailMs(fromMs: number, toMs: number, prompt: Fingerprint): number;
  /** Returns true if the received span is the last part of this prompt. */
  soundsLikeTailOf(fromMs: number, toMs: number, prompt: Fingerprint): boolean;
  /** Returns true if the received span is what this prompt plays from `offsetMs` on. */
  soundsLikePartOf(fromMs: number, toMs: number, prompt: Fingerprint, offsetMs: number): boolean;
}

/** From the decision to hang up until the called side received it. Budgets of seconds reserve this for each call. */
export const lettingGoSeconds = 0.5;

/** How a caller speaks and presses keys. */
export interface CallerOptions {
  /** One of `SpeechEngine.voices`. */
  readonly voice?: string;
  /** For every key. A press that asks for slower keys gets them. */
  readonly keys?: Pick<SendDigitsOptions, 'toneMs' | 'gapMs'>;
}

/** Who calls, by default anonymous, and how long it may ring, by default `callBounds.setup`. */
export interface DialOptions extends CallerAccount, CallerOptions {
  readonly ringSeconds?: number;
  /** Called when the call is placed, to measure it. */
  readonly onLeg?: (leg: CallLeg) => void;
}

/** Places calls. Rejects with a DialError if the call isn't answered. */
export interface Dialer<Call = ActiveCall> {
  dial(target: string, signal: AbortSignal, options?: DialOptions): Promise<Call>;
}

export type CountedCall = Pick<ActiveCall, 'ended' | 'durationSeconds' | 'listen' | 'hangUp'>;

/** Returns the same dialer, with these options for all its calls. */
export const callingAs = <Call>(dialer: Dialer<Call>, as: DialOptions): Dialer<Call> => ({
  dial: (target, signal, options) => dialer.dial(target, signal, { ...options, ...as }),
});

export class DialError extends Error {
  override readonly name = 'DialError';
  readonly end: CallEnd;
  /** A sentence for the user, if the end alone isn't enough. */
  readonly sentence: string | undefined;
  /** What was said instead of an answer. */
  readonly early: EarlyMedia | undefined;

  constructor(end: CallEnd, sentence?: string, early?: EarlyMedia) {
    super(end.reason);
    this.end = end;
    this.sentence = sentence;
    this.early = early;
  }
}
