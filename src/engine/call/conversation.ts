import { Listeners } from '../../base/listeners.ts';
import { callBounds } from '../../model/calls/callBudget.ts';
import type { Ear, EarEvent, Fingerprint, LanguageStretch, SpeechEngine } from '../../speech/ear.ts';
import { fingerprintOf } from '../../speech/fingerprint.ts';
import { recordedPromptIn } from '../../speech/promptMatcher.ts';
import { alignedMs, PromptStop, type PlayingPrompt } from '../../speech/promptStop.ts';
import { isPartOfPrompt, isTailOfPrompt, sharedTailMs } from '../../speech/promptTail.ts';
import type { CallEnd, CallLeg, SendDigitsOptions, SipAgent } from '../../telephony/call.ts';
import { systemClock, type Clock, type TimerHandle } from '../../base/clock.ts';
import { payloadName } from '../../telephony/rtp/payloadName.ts';
import { hostReference } from '../../telephony/sip/uri.ts';
import { samplesPerMs } from './callAudio.ts';
import type { AudioSpan } from './callAudio.ts';
import { Cutter } from './cutter.ts';
import { EarlyEar } from './earlyMedia.ts';
import { Recording } from './recording.ts';
import {
  DialError,
  type Dialer,
  type CallerOptions,
  type ActiveCall,
  type ActiveCallEvent,
  type Cleared,
  type CallerWords,
} from './activeCall.ts';

type ConversationSpeech = Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'>;

interface DialerParts {
  readonly agent: Pick<SipAgent, 'call'>;
  readonly speech: ConversationSpeech;
  readonly clock?: Clock;
  /** Receives the audio of a call, which then isn't kept: 1 MB a minute. `ActiveCall.audio` is empty. */
  readonly onAudio?: (pcm: Int16Array) => void;
}

/** If the called side sends no audio, it is heard as silence, this much behind the clock. */
const silenceLagMs = 200;
/** If the called side sends too little audio, for example in a stall, it can fall this far behind the clock. */
const maxLagMs = 2000;
/** The audio can run this much ahead of the clock, which is more than the jitter buffer holds back. */
const maxLeadMs = 200;
/** Audio that is late at this many consecutive checks is missing. After a stall here, it catches up sooner. */
const lagChecks = 5;
/** Speech begins and ends slightly outside its detected times. */
const edgeMs = 100;

/** Creates a dialer that connects telephony and speech: dial, hear, press, say, hang up. */
export function createDialer({ agent, speech, clock = systemClock, onAudio }: DialerParts): Dialer {
  return {
    async dial(target, signal, { ringSeconds = callBounds.setup, voice, keys, onLeg, ...as } = {}) {
      const dialledAt = clock.now();
      const leg = agent.call(target, { ...as, signal, answerTimeoutMs: ringSeconds * 1000 });
      onLeg?.(leg);
      const ear = onAudio ? undefined : new EarlyEar(leg, speech);
      const end = await answered(leg);
      if (end)
        throw new DialError(
          end,
          end.kind === 'noAnswer' && end.by === 'local'
            ? `The call wasn't answered within ${String(Math.round(ringSeconds))} s.`
            : undefined,
          await ear?.finish(clock, signal),
        );
      const call = new Conversation(
        leg,
        speech,
        clock,
        { ...(voice !== undefined && { voice }), ...(keys && { keys }) },
        (clock.now() - dialledAt) / 1000,
        onAudio,
      );
      call.early = ear?.finish(clock, signal);
      return call;
    },
  };
}

/** Joins an inbound call when it is answered. */
export const joinCall = (leg: CallLeg, speech: SpeechEngine, clock: Clock, caller: CallerOptions = {}): ActiveCall =>
  new Conversation(leg, speech, clock, caller, 0);

/** Returns the longer of both tones, and of both gaps. */
function slower(own: CallerOptions['keys'], asked: SendDigitsOptions | undefined): SendDigitsOptions | undefined {
  if (!own || !asked) return asked ?? own;
  const longer = (member: 'toneMs' | 'gapMs'): number => Math.max(own[member] ?? 0, asked[member] ?? 0);
  return {
    ...asked,
    ...((own.toneMs ?? asked.toneMs) !== undefined && { toneMs: longer('toneMs') }),
    ...((own.gapMs ?? asked.gapMs) !== undefined && { gapMs: longer('gapMs') }),
  };
}

/** Resolves with undefined when the call is answered, or with its end if it isn't. */
function answered(leg: CallLeg): Promise<CallEnd | undefined> {
  return new Promise((resolve) => {
    const stop = leg.listen((event) => {
      if (event.type !== 'answered' && event.type !== 'ended') return;
      stop();
      resolve(event.type === 'ended' ? event.end : undefined);
    });
  });
}

class Conversation implements ActiveCall {
  readonly setupSeconds: number;
  early: ActiveCall['early'];
  readonly #leg: CallLeg;
  readonly #speech: ConversationSpeech;
  readonly #clock: Clock;
  readonly #caller: CallerOptions;
  readonly #ear: Ear;
  readonly #listeners = new Listeners<[ActiveCallEvent]>();
  /** Undefined if `onAudio` receives the audio. */
  readonly #recording: Recording | undefined;
  #samples = 0;
  readonly #onAudio: DialerParts['onAudio'];
  readonly #spoken: CallerWords[] = [];
  readonly #cutter = new Cutter();
  readonly #answeredAt: number;
  #endedAt: number | undefined;
  #silenceTimer: TimerHandle | undefined;
  /** How far the audio was behind the clock at the last checks, in milliseconds. */
  #lags: number[] = [];
  /** Consecutive checks without new audio. */
  #misses = 0;
  #hasCome = false;
  #ended: CallEnd | undefined;
  #toldEnd: ActiveCallEvent | undefined;

  constructor(
    leg: CallLeg,
    speech: ConversationSpeech,
    clock: Clock,
    caller: CallerOptions,
    setupSeconds: number,
    onAudio?: DialerParts['onAudio'],
  ) {
    this.#leg = leg;
    this.#speech = speech;
    this.#clock = clock;
    this.#caller = caller;
    this.setupSeconds = setupSeconds;
    this.#answeredAt = clock.now();
    this.#onAudio = onAudio;
    this.#recording = onAudio ? undefined : new Recording();
    this.#ear = speech.openEar();
    this.#ear.listen((event: EarEvent) =>
      this.#guarded(() => {
        const own = this.#cutter.withoutInterrupted(event);
        if (own) this.#emit(own);
      }),
    );
    leg.listen((event) => {
      if (event.type === 'audio') this.#take(event.frame.pcm);
      else if (event.type === 'transfer') this.#emit({ type: 'transfer', atMs: this.now(), target: event.target });
      else if (event.type === 'ended') this.#end(event.end);
    });
    // The call may have ended at the moment it was answered; then there are no other events.
    if (leg.ended) this.#end(leg.ended);
    else this.#fillSilence();
  }

  get ended(): CallEnd | undefined {
    return this.#ended;
  }
  get durationSeconds(): number {
    return ((this.#endedAt ?? this.#clock.now()) - this.#answeredAt) / 1000;
  }
  now(): number {
    return this.#samples / samplesPerMs;
  }

  listen(listener: (event: ActiveCallEvent) => void): () => void {
    const remove = this.#listeners.add(listener);
    const reportedEnd = this.#toldEnd;
    // Listeners that are added after the end are still notified of it.
    if (reportedEnd)
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) this.#guarded(() => listener(reportedEnd));
      });
    return remove;
  }

  expect(...[prompts, options]: Parameters<ActiveCall['expect']>): void {
    this.#ear.expect(prompts, options);
  }
  heardMs(): number {
    return this.#ended ? this.now() : this.#ear.heardMs;
  }
  follow(prompt: PlayingPrompt): void {
    const fromMs = Math.max(0, this.now() - alignedMs);
    this.#cutter.follow(PromptStop.after(this.audio(fromMs, this.now()), fromMs, prompt), this.now());
  }
  get stop(): ActiveCall['stop'] {
    return this.#cutter.stop;
  }
  cut(): void {
    this.#cutter.arm(this.now());
  }
  press(...[keys, options]: Parameters<ActiveCall['press']>): Promise<void> {
    return this.#leg.sendDigits(keys, slower(this.#caller.keys, options));
  }

  keyTrouble(): string | undefined {
    return this.#leg.keyTrouble;
  }

  async say(text: Cleared): Promise<void> {
    const pcm = await this.#speech.speak(text, this.#caller.voice);
    this.#spoken.push({ text, startMs: this.now(), pcm });
    await this.#leg.play(pcm);
  }

  hold(isHeld: boolean): Promise<boolean> {
    return this.#leg.hold(isHeld);
  }

  async hangUp(): Promise<void> {
    await this.#leg.hangup();
  }

  audio(fromMs: number, toMs: number): Int16Array {
    return (
      this.#recording?.slice(Math.round(fromMs * samplesPerMs), Math.round(toMs * samplesPerMs)) ?? new Int16Array()
    );
  }

  received(): ReturnType<ActiveCall['received']> {
    const { received: packets, elsewhere, refusedPackets } = this.#leg.stats();
    const otherCodecs = this.#leg.otherPayloadTypes.map(payloadName);
    return {
      packets,
      otherCodecs,
      ...(refusedPackets !== undefined && { refusedPackets }),
      ...(elsewhere && { elsewhere: `${hostReference(elsewhere.host)}:${String(elsewhere.port)}` }),
    };
  }
  spoken(): readonly CallerWords[] {
    return this.#spoken;
  }
  fingerprint(fromMs: number, toMs: number): Fingerprint {
    return fingerprintOf(this.audio(fromMs, toMs));
  }
  promptIn(...[fromMs, toMs, prompts]: Parameters<ActiveCall['promptIn']>): string | undefined {
    return recordedPromptIn(this.audio(fromMs, toMs), prompts);
  }
  languages(spans: readonly AudioSpan[]): Promise<readonly LanguageStretch[]> {
    return this.#speech.languagesOf(
      spans.map(({ startMs, endMs }) => {
        const fromMs = Math.max(0, startMs - edgeMs);
        return { startMs, endMs, fromMs, pcm: this.audio(fromMs, endMs + edgeMs) };
      }),
    );
  }
  sharedTailMs(fromMs: number, toMs: number, prompt: Fingerprint): number {
    return sharedTailMs(this.audio(fromMs, toMs), prompt);
  }
  soundsLikeTailOf(fromMs: number, toMs: number, prompt: Fingerprint): boolean {
    return isTailOfPrompt(this.audio(fromMs, toMs), prompt);
  }
  soundsLikePartOf(fromMs: number, toMs: number, prompt: Fingerprint, offsetMs: number): boolean {
    return isPartOfPrompt(this.audio(fromMs, toMs), prompt, offsetMs);
  }

  #emit(event: ActiveCallEvent): void {
    for (const { error } of this.#listeners.tellAll(event)) this.#leg.fail(error);
  }

  /** An error in one call ends only that call. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#leg.fail(error);
    }
  }

  #take(pcm: Int16Array): void {
    this.#hasCome = true;
    if (this.#lagMs() - pcm.length / samplesPerMs >= -maxLeadMs) this.#hear(pcm);
  }

  #lagMs(): number {
    return this.durationSeconds * 1000 - this.now();
  }

  #hear(pcm: Int16Array): void {
    if (this.#ended) return;
    this.#recording?.append(pcm);
    this.#samples += pcm.length;
    this.#onAudio?.(pcm);
    this.#ear.push(pcm);
    const cutMs = this.#cutter.cutAt(pcm, this.now());
    if (cutMs !== undefined) this.#ear.cut(cutMs);
  }

  #end(end: CallEnd): void {
    if (this.#ended) return;
    this.#ended = end;
    this.#endedAt = this.#clock.now();
    this.#clock.clearTimeout(this.#silenceTimer ?? 0);
    // Words that were being said when the call ended are still recognised before the end is reported.
    void this.#ear
      .flush()
      .catch(() => undefined)
      .then(() => {
        this.#toldEnd = { type: 'ended', atMs: this.now(), end };
        this.#emit(this.#toldEnd);
        this.#guarded(() => this.#ear.close());
      });
  }

  /**
   * Keeps the audio's time in step with the clock, whatever the called side sends. While audio arrives, this waits as
   * long as it can: silence within a word breaks it in two, and silence in a pause looks like the end of a prompt.
   */
  #fillSilence(): void {
    if (this.#ended) return;
    this.#misses = this.#hasCome ? 0 : this.#misses + 1;
    this.#hasCome = false;
    this.#lags = [...this.#lags.slice(1 - lagChecks), this.#lagMs()];
    // After a stall, the timer can run before waiting packets are read, so one check without audio proves nothing.
    const missingMs =
      this.#misses >= 2
        ? this.#lagMs() - silenceLagMs
        : this.#lags.length < lagChecks
          ? 0
          : Math.min(...this.#lags) - maxLagMs;
    if (missingMs > 0) {
      this.#lags = this.#lags.map((before) => before - missingMs);
      this.#hear(new Int16Array(Math.floor(missingMs * samplesPerMs)));
    }
    this.#silenceTimer = this.#clock.setTimeout(() => this.#guarded(() => this.#fillSilence()), silenceLagMs);
  }
}
