import type { IvrFile } from '../../src/contract/ivrFile.ts';
import { promptText, type IvrPrompt as SpokenPrompt } from '../../src/contract/ivrPrompt.ts';
import {
  DialError,
  type Dialer,
  type ActiveCall,
  type ActiveCallEvent,
  type CallerWords,
  type EarlyMedia,
} from '../../src/engine/call/activeCall.ts';
import { IvrSession, type EndSound, type SessionCall } from '../../src/practice/session.ts';
import { patience } from '../../src/engine/hearing/patience.ts';
import type { AudioSpan } from '../../src/engine/call/callAudio.ts';
import type { ExpectedPrompt, Fingerprint, LanguageStretch, SoundClass, Utterance } from '../../src/speech/ear.ts';
import type { CallEnd, SendDigitsOptions } from '../../src/telephony/call.ts';
import type { Clock, TimerHandle } from '../../src/base/clock.ts';

export interface SimulatedDialerOptions {
  readonly ivr: IvrFile;
  readonly clock: Clock;
  /** Refuses the nth call (from 1) with this status. */
  readonly refuse?: (call: number) => number | undefined;
  readonly onCall?: (call: SimulatedCall) => void;
  /** Keys are lost for this long after a prompt begins. */
  readonly deafMs?: number;
  /** The IVR is the caller: it speaks this long after the answer. */
  readonly theyCall?: boolean;
  /** Speech becomes text this long after its end; from 1, the number of a call can decide. */
  readonly textMs?: number | ((call: number) => number);
  /** Silence before a prompt, in milliseconds. */
  readonly latencyOf?: (prompt: string) => number;
  /** A sound that begins after a prompt. */
  readonly soundAfter?: (prompt: string) => EndSound | 'shortBeep' | undefined;
}

const msAWord = 330;
const lags = {
  speechStart: 90,
  matched: 500,
  broken: 250,
  unknown: 700,
  pause: 300,
  text: 950,
  partial: 350,
  parting: 700,
} as const;
/** From a cut prompt to the next one: keys take time. */
const cutMs = 2000;
const beginning = (text: string): string => text.split(/\s+/).slice(0, 2).join(' ');
const soundOf: Readonly<Record<EndSound | 'shortBeep', readonly [SoundClass, number]>> = {
  ringback: ['ringback', 900],
  music: ['music', 2500],
  busy: ['busy', 1200],
  fax: ['fax', 900],
  beep: ['beep', 600],
  shortBeep: ['shortBeep', 400],
};

/**
 * Creates a line to a practice IVR's session without SIP, audio or models: prompts take their normal time, and are
 * heard exactly as written.
 */
export function simulatedDialer({
  ivr,
  clock,
  refuse,
  onCall,
  deafMs = 0,
  theyCall = false,
  textMs = lags.text,
  latencyOf = () => 0,
  soundAfter = () => undefined,
}: SimulatedDialerOptions): Dialer & { readonly calls: SimulatedCall[] } {
  const calls: SimulatedCall[] = [];
  let placed = 0;
  const lagOf = (call: number): number => (typeof textMs === 'number' ? textMs : textMs(call));
  return {
    calls,
    dial(_target, signal) {
      const call = ++placed;
      const status = refuse?.(call);
      return new Promise<ActiveCall>((resolve, reject) => {
        const early = earlyMediaOf(ivr.announcement, lagOf(call));
        const fail = (end: CallEnd): void => {
          reject(new DialError(end, undefined, early));
        };
        clock.setTimeout(
          () => {
            if (signal.aborted) {
              fail({ by: 'local', kind: 'cancelled', reason: 'cancelled' });
              return;
            }
            if (status !== undefined) {
              fail({ by: 'remote', kind: status === 486 ? 'busy' : 'rejected', status, reason: String(status) });
              return;
            }
            const simulated = new SimulatedCall(
              ivr,
              clock,
              deafMs,
              theyCall,
              lagOf(call),
              latencyOf,
              soundAfter,
              call - 1,
            );
            simulated.early = Promise.resolve(early);
            calls.push(simulated);
            onCall?.(simulated);
            resolve(simulated);
          },
          50 + (theyCall ? 0 : ivr.answerAfterMs),
        );
      });
    },
  };
}

function earlyMediaOf(announcement: string | undefined, textMs: number): EarlyMedia | undefined {
  if (announcement === undefined) return undefined;
  const endMs = 200 + announcement.split(/\s+/).length * msAWord;
  const isUnread = textMs > patience.text.lost;
  const utterances = [{ startMs: 200, endMs, text: announcement, rawText: announcement, words: [] }];
  return {
    text: isUnread ? '' : announcement,
    utterances: isUnread ? [] : utterances,
    pcm: new Int16Array(endMs * 8).fill(1000),
    isUnread,
  };
}

interface Unread {
  readonly timer: TimerHandle;
  readonly utterance: Utterance;
}

interface Playing {
  readonly text: string;
  readonly startMs: number;
  readonly settle: () => void;
  readonly timers: TimerHandle[];
}

export class SimulatedCall implements ActiveCall {
  readonly setupSeconds: number;
  early: ActiveCall['early'];
  readonly keys: string[] = [];
  readonly holds: boolean[] = [];
  acceptsHold: (isHeld: boolean) => boolean = () => true;
  ended: CallEnd | undefined;
  readonly #clock: Clock;
  readonly #session: IvrSession;
  readonly #deafMs: number;
  readonly #textMs: number;
  readonly #answeredAt: number;
  readonly #listeners = new Set<(event: ActiveCallEvent) => void>();
  readonly #spoken: CallerWords[] = [];
  /** The prompts so far, in the call's time. `endMs` is Infinity while one plays. */
  readonly played: { readonly text: string; readonly startMs: number; endMs: number }[] = [];
  #expected: readonly { readonly id: string; readonly texts: readonly string[] }[] = [];
  #match:
    | { readonly id: string; readonly texts: readonly string[]; part: number; told: boolean; readonly startMs: number }
    | undefined;
  #playing: Playing | undefined;
  #brokenOffAt = -Infinity;
  #cutAt = -Infinity;
  #pauses: TimerHandle[] = [];
  /** What was said and isn't text yet. */
  readonly #unread = new Set<Unread>();
  #endedAt: number | undefined;
  #transferTo: string | undefined;
  /** Our actions, which end with the call. */
  readonly #acting = new Set<() => void>();

  constructor(
    ivr: IvrFile,
    clock: Clock,
    deafMs: number,
    theyCall: boolean,
    textMs: number,
    latencyOf: (prompt: string) => number,
    soundAfter: NonNullable<SimulatedDialerOptions['soundAfter']>,
    callsBefore: number,
  ) {
    this.#clock = clock;
    this.#textMs = textMs;
    this.#deafMs = deafMs;
    this.#answeredAt = clock.now();
    this.setupSeconds = theyCall ? 0 : (50 + ivr.answerAfterMs) / 1000;
    const line: SessionCall = {
      play: async (prompt) => {
        const latencyMs = latencyOf(promptText(prompt));
        if (latencyMs > 0) await this.#wait(latencyMs);
        if (!this.ended) await this.#play(prompt);
        const sound = soundAfter(promptText(prompt));
        if (sound && this.#brokenOffAt < this.now()) this.#sound(sound);
      },
      sound: (sound) => this.#sound(sound),
      stop: () => this.#stop(),
      hangUp: () => this.hangUpByIvr(),
    };
    this.#session = new IvrSession(ivr, line, clock);
    // The caller must be listening before the first word.
    clock.setTimeout(
      () => {
        void this.#session.run(ivr.start, { callsBefore });
      },
      theyCall ? ivr.answerAfterMs : 20,
    );
    const { dropCallAfterMs } = ivr.faults;
    if (dropCallAfterMs !== null) clock.setTimeout(() => this.hangUpByIvr(), dropCallAfterMs);
  }

  get durationSeconds(): number {
    return this.now() / 1000;
  }
  now(): number {
    return (this.#endedAt ?? this.#clock.now()) - this.#answeredAt;
  }
  heardMs(): number {
    return this.now();
  }

  listen(listener: (event: ActiveCallEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  expect(prompts: readonly ExpectedPrompt[]): void {
    this.#expected = prompts.map(({ id, fingerprint }) => ({
      id,
      texts: JSON.parse(Buffer.from(fingerprint).toString()) as string[],
    }));
    this.#match = undefined;
  }

  fingerprint(fromMs: number, toMs: number): Uint8Array {
    return Buffer.from(
      JSON.stringify(
        this.played
          .filter(({ startMs, endMs }) => endMs > fromMs + 100 && startMs < toMs - 100)
          .map(({ text }) => text),
      ),
    );
  }

  sharedTailMs(fromMs: number, toMs: number, prompt: Fingerprint): number {
    const [heard, known] = [this.fingerprint(fromMs, toMs), prompt].map(
      (bytes) => JSON.parse(Buffer.from(bytes).toString()) as string[],
    );
    let shared = 0;
    while (heard?.at(-1 - shared) !== undefined && heard.at(-1 - shared) === known?.at(-1 - shared)) shared += 1;
    return shared === 0 ? 0 : (heard ?? []).slice(-shared).join(' ').split(/\s+/).length * msAWord;
  }

  soundsLikeTailOf(fromMs: number, toMs: number, prompt: Fingerprint): boolean {
    // What is heard of a continuing prompt is reported as the whole prompt.
    return Buffer.from(this.fingerprint(fromMs, toMs)).toString() === Buffer.from(prompt).toString();
  }

  soundsLikePartOf(fromMs: number, toMs: number, prompt: Fingerprint): boolean {
    return this.soundsLikeTailOf(fromMs, toMs, prompt);
  }

  languages(spans: readonly AudioSpan[]): Promise<readonly LanguageStretch[]> {
    return Promise.resolve(
      spans.map(({ startMs, endMs }) => {
        const text = this.played.find((played) => played.startMs < endMs && played.endMs > startMs)?.text ?? '';
        const language = /\b(?:vous|pour|votre|nous)\b/i.test(text)
          ? 'fr'
          : /\b(?:para|usted)\b/i.test(text)
            ? undefined
            : 'en';
        return { startMs, endMs, speechSeconds: (endMs - startMs) / 1000, ...(language && { language }) };
      }),
    );
  }

  promptIn(fromMs: number, toMs: number, prompts: readonly ExpectedPrompt[]): string | undefined {
    const heard = Buffer.from(this.fingerprint(fromMs, toMs)).toString();
    return prompts.find(({ fingerprint }) => Buffer.from(fingerprint).toString() === heard)?.id;
  }

  follow(): void {
    // Prompts begin so late after a key that a cut at the next quiet moment is right.
  }
  readonly stop = undefined;

  cut(): void {
    this.#cutAt = this.now();
    for (const timer of [...this.#pauses, ...[...this.#unread].map(({ timer }) => timer)])
      this.#clock.clearTimeout(timer);
    this.#pauses = [];
    this.#unread.clear();
    const playing = this.#playing;
    // A real recogniser starts a new utterance after a cut.
    if (playing && this.#cutAt > playing.startMs)
      this.#later(playing, lags.speechStart, () => this.#emit({ type: 'speechStart', atMs: this.#cutAt }));
  }

  async press(keys: string, _options?: SendDigitsOptions): Promise<void> {
    // 100 ms of tone, then 100 ms of silence.
    await this.#acts(100);
    for (const key of keys) {
      if (this.ended) return;
      this.keys.push(key);
      if (this.#deafMs > 0 && this.#playing && this.now() - this.#playing.startMs < this.#deafMs) continue;
      this.#session.key(key);
      await this.#acts(100);
    }
  }

  hold(isHeld: boolean): Promise<boolean> {
    this.holds.push(isHeld);
    return Promise.resolve(this.acceptsHold(isHeld));
  }
  async say(text: string): Promise<void> {
    const lastsMs = text.split(' ').length * msAWord;
    this.#spoken.push({ text, startMs: this.now(), pcm: new Int16Array(lastsMs * 8).fill(1000) });
    await this.#acts(lastsMs);
    if (!this.ended) this.#session.phrase(text);
  }

  hangUp(): Promise<void> {
    this.#end({ by: 'local', kind: 'hangup', reason: 'hang-up' });
    return Promise.resolve();
  }

  /** Ends the call from the IVR's side. */
  hangUpByIvr(): void {
    const transfer = this.#transferTo !== undefined && { transferTo: this.#transferTo };
    this.#end({ by: 'remote', kind: 'hangup', reason: 'hang-up', ...transfer });
  }

  /** As by a REFER. */
  transferByIvr(target: string): void {
    this.#transferTo = target;
    this.#emit({ type: 'transfer', atMs: this.now(), target });
  }

  keyTrouble: () => string | undefined = () => undefined;
  received(): ReturnType<ActiveCall['received']> {
    return { packets: 1, otherCodecs: [] };
  }
  spoken(): ReturnType<ActiveCall['spoken']> {
    return this.#spoken;
  }
  audio(fromMs: number, toMs: number): Int16Array {
    return new Int16Array(Math.max(0, Math.round((toMs - fromMs) * 8)));
  }

  #play(prompt: SpokenPrompt): Promise<void> {
    const text = promptText(prompt);
    const startMs = this.now() + lags.speechStart;
    const durationMs = text.split(/\s+/).length * msAWord;
    return new Promise((resolve) => {
      const playing: Playing = { text, startMs, settle: resolve, timers: [] };
      this.#playing = playing;
      const record = { text, startMs, endMs: Infinity };
      this.played.push(record);
      // To a real recogniser, a prompt that follows a broken-off one without a pause is the same piece of speech.
      if (startMs - this.#brokenOffAt > lags.pause || startMs - this.#cutAt < cutMs)
        this.#later(playing, lags.speechStart, () => this.#emit({ type: 'speechStart', atMs: startMs }));
      this.#startMatching(playing, text, startMs);
      // Like a real recogniser, reports the text so far at the pause after each sentence.
      const words = text.split(/\s+/);
      words.forEach((word, index) => {
        if (!word.endsWith('.') || index === words.length - 1) return;
        const endMs = startMs + (index + 1) * msAWord;
        const heard = words.slice(0, index + 1).join(' ');
        this.#later(playing, endMs - this.now() + lags.pause, () => this.#emit({ type: 'speechPause', atMs: endMs }));
        const partialMs = lags.pause + lags.partial + this.#textMs - lags.text;
        this.#later(playing, endMs - this.now() + partialMs, () =>
          this.#emit({ type: 'partial', startMs, endMs, text: heard }),
        );
      });
      this.#later(playing, lags.speechStart + durationMs, () => {
        const endMs = this.now();
        record.endMs = endMs;
        this.#playing = undefined;
        this.#pauses.push(this.#clock.setTimeout(() => this.#emit({ type: 'speechPause', atMs: endMs }), lags.pause));
        const unread: Unread = {
          timer: this.#clock.setTimeout(() => this.#read(unread), this.#textMs),
          utterance: { startMs, endMs, text, rawText: text, words: [] },
        };
        this.#unread.add(unread);
        this.#endPart(endMs);
        resolve();
      });
    });
  }

  #sound(sound: EndSound | 'shortBeep'): void {
    const [heard, afterMs] = soundOf[sound];
    const sinceMs = this.now();
    this.#clock.setTimeout(() => {
      // The next prompt stops the sound.
      if ((this.played.at(-1)?.startMs ?? 0) > sinceMs) return;
      this.#emit({ type: 'sound', sound: heard, sinceMs, atMs: this.now() });
    }, afterMs);
  }

  #stop(): void {
    const playing = this.#playing;
    if (!playing) return;
    this.#playing = undefined;
    this.#brokenOffAt = this.now();
    const record = this.played.at(-1);
    if (record) record.endMs = this.now();
    for (const timer of playing.timers) this.#clock.clearTimeout(timer);
    const match = this.#match;
    this.#match = undefined;
    if (match?.told)
      this.#clock.setTimeout(() => this.#emit({ type: 'promptBroken', id: match.id, atMs: this.now() }), lags.broken);
    playing.settle();
  }

  #startMatching(playing: Playing, text: string, startMs: number): void {
    if (this.#match && this.#match.texts[this.#match.part] === text) return;
    this.#later(playing, lags.speechStart + lags.matched, () => {
      const found = this.#match ?? this.#expected.find(({ texts }) => texts[0] === text);
      const alike = found ?? this.#expected.find(({ texts }) => beginning(texts[0] ?? '') === beginning(text));
      if (!found && alike) {
        // A prompt that begins like a known one matches it until the two differ.
        this.#emit({ type: 'promptMatched', id: alike.id, startMs, atMs: this.now() });
        this.#later(playing, lags.parting, () => this.#emit({ type: 'promptBroken', id: alike.id, atMs: this.now() }));
        return;
      }
      if (!found || this.now() - startMs > lags.unknown + 100) return;
      this.#match ??= { ...found, part: 0, told: true, startMs };
      this.#emit({ type: 'promptMatched', id: found.id, startMs, atMs: this.now() });
    });
    this.#later(playing, lags.speechStart + lags.unknown, () => {
      if (!this.#match) this.#emit({ type: 'promptUnknown', atMs: this.now() });
    });
  }

  #endPart(endMs: number): void {
    const match = this.#match;
    if (!match) return;
    match.part += 1;
    if (match.part < match.texts.length) return;
    this.#match = undefined;
    this.#emit({ type: 'promptEnded', id: match.id, atMs: endMs });
  }

  #later(playing: Playing, delayMs: number, work: () => void): void {
    playing.timers.push(this.#clock.setTimeout(work, delayMs));
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, milliseconds);
    });
  }

  async #acts(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#clock.clearTimeout(timer);
        this.#acting.delete(done);
        resolve();
      };
      const timer = this.#clock.setTimeout(done, milliseconds);
      this.#acting.add(done);
    });
  }

  #read(unread: Unread): void {
    this.#clock.clearTimeout(unread.timer);
    if (this.#unread.delete(unread)) this.#emit({ type: 'utterance', utterance: unread.utterance });
  }

  #end(end: CallEnd): void {
    if (this.ended) return;
    this.#stop();
    this.ended = end;
    this.#endedAt = this.#clock.now();
    for (const done of [...this.#acting]) done();
    this.#session.ended();
    // As with a real recogniser, the text of an utterance comes before its end.
    this.#clock.setTimeout(
      () => {
        for (const unread of [...this.#unread]) this.#read(unread);
        this.cut();
        this.#emit({ type: 'ended', atMs: this.now(), end });
      },
      Math.max(100, this.#textMs - lags.text),
    );
  }

  #emit(event: ActiveCallEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
