import { defaultMaxTries, endSounds, type IvrFile, type IvrState } from '../contract/ivrFile.ts';
import { promptParts, type Prompt, type IvrPrompt } from '../contract/ivrPrompt.ts';
import type { Clock, TimerHandle } from '../base/clock.ts';
import { canContinue, matchKeys } from './matchKeys.ts';

export type EndSound = (typeof endSounds)[keyof typeof endSounds];

/** The call as a session sees it. A real leg and a simulated call implement it. */
export interface SessionCall {
  /** Resolves when the prompt was played, was cut short by `stop`, or the call ended. */
  play(spoken: IvrPrompt): Promise<void>;
  /**
   * Repeats the sound, or this recording instead of it, until `stop` or the end of the call (`beep` sounds once).
   */
  sound(sound: EndSound, wav?: string): void;
  stop(): void;
  hangUp(): void;
}

export interface SessionEvent {
  readonly type: 'entered' | 'key' | 'phrase' | 'invalid' | 'timeout' | 'ended';
  readonly state: string;
  readonly detail?: string;
}

/** Who calls, for `callers`, and after how many other calls, for `byCall`. */
export interface CallerFacts {
  readonly caller?: string;
  readonly callsBefore?: number;
}

type CallerInput = { readonly kind: 'key' | 'phrase'; readonly value: string; readonly at: number };
/** Where a call continues, and how many tries at that state have failed. */
type Onward = { readonly name: string | undefined; readonly tries: number };

const defaultTimeoutMs = 4000;
const interDigitMs = 3000;
const interruptGraceMs = 250;
/** A terminator this soon after the last possible digit of an entry still belongs to it. */
const lateTerminatorMs = 1500;
/** The maximum time for a caller to speak and be recognised (VoiceXML 2.0, `maxspeechtimeout`). */
const maxSpeechMs = 15_000;
export const humanGreeting = 'Hello, this is Sam speaking. How can I help you?';
export const voicemailGreeting = 'Please leave a message after the tone.';

/** One call to a practice IVR: the file's states as a state machine, without its own audio, network or clock. */
export class IvrSession {
  readonly #ivr: IvrFile;
  readonly #call: SessionCall;
  readonly #clock: Clock;
  readonly #onEvent: (event: SessionEvent) => void;
  #buffer: CallerInput[] = [];
  #bargeIn = false;
  #playing = false;
  #accepts = false;
  #ended = false;
  #wake: (() => void) | undefined;
  #speechUntil = 0;
  #facts: CallerFacts = {};
  #lateTerminator: { readonly key: string; readonly until: number } | undefined;

  constructor(ivr: IvrFile, call: SessionCall, clock: Clock, onEvent: (event: SessionEvent) => void = () => undefined) {
    this.#ivr = ivr;
    this.#call = call;
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  /** Plays the IVR from `start` until the call ends. Never rejects because of the caller. */
  async run(start: string, facts: CallerFacts = {}): Promise<void> {
    this.#facts = facts;
    let name: string | undefined = start;
    let tries = 0;
    while (name !== undefined && !this.#ended) {
      const state: IvrState | undefined = this.#ivr.states[name];
      if (!state) break;
      this.#onEvent({ type: 'entered', state: name });
      const next: Onward = await this.#visit(name, state, tries);
      tries = next.name === name ? next.tries : 0;
      name = next.name;
    }
  }

  key(digit: string): void {
    if (!this.#accepts) return;
    if (this.#playing && !this.#bargeIn && this.#ivr.digitBufferMs === 0) return;
    const late = this.#lateTerminator;
    this.#lateTerminator = undefined;
    if (late?.key === digit && this.#clock.now() <= late.until) return;
    this.#hear({ kind: 'key', value: digit, at: this.#clock.now() });
  }

  /** The caller begins to speak. Until the words are recognised, silence isn't a timeout. */
  speaking(): void {
    this.#speechUntil = this.#clock.now() + maxSpeechMs;
  }

  phrase(text: string): void {
    this.#speechUntil = 0;
    if (this.#accepts) this.#hear({ kind: 'phrase', value: text, at: this.#clock.now() });
  }

  ended(): void {
    this.#ended = true;
    this.#accepts = false;
    this.#wake?.();
  }

  #hear(heard: CallerInput): void {
    this.#buffer.push(heard);
    if (this.#playing && this.#bargeIn) this.#call.stop();
    this.#wake?.();
  }

  async #visit(name: string, state: IvrState, tries: number): Promise<Onward> {
    this.#accepts = state.end === undefined;
    const dead = this.#ivr.faults.deadAirState === name;
    if (dead) return this.#fall(name);
    await this.#say(state.prompt, state.bargeIn ?? this.#ivr.bargeIn, tries);
    if (this.#ended) return { name: undefined, tries };
    if (state.end !== undefined) return this.#end(name, state.end, state);
    if (state.next !== undefined) {
      await this.#pause(state.pauseMs ?? 0);
      // Without a buffer, keys that are pressed while the IVR only speaks are lost.
      if (this.#ivr.digitBufferMs === 0) this.#buffer = [];
      return { name: this.#branchOf(state) ?? state.next, tries: 0 };
    }
    return state.collect ? this.#collect(name, state, tries) : this.#choose(name, state, tries);
  }

  /** A fault: the call goes silent in this state until the caller hangs up. */
  async #fall(name: string): Promise<{ name: undefined; tries: number }> {
    this.#accepts = false;
    this.#onEvent({ type: 'ended', state: name, detail: 'dead-air' });
    await this.#waitUntil(undefined, () => this.#ended);
    return { name: undefined, tries: 0 };
  }

  async #choose(name: string, state: IvrState, tries: number): Promise<Onward> {
    const heard = await this.#next(state.timeoutMs ?? defaultTimeoutMs);
    if (this.#ended) return { name: undefined, tries };
    if (!heard) return this.#retry(name, state, state.onTimeout, 'timeout', tries);
    const { keys = {}, speech = {}, onKey = {} } = state;
    const isKey = heard.kind === 'key';
    const said = isKey ? await this.#dialled(heard.value, [...Object.keys(keys), ...Object.keys(onKey)]) : heard.value;
    if (this.#ended) return { name: undefined, tries };
    const target = isKey ? matchKeys(said, keys) : targetOfPhrase(said, speech);
    this.#onEvent({ type: heard.kind, state: name, detail: said });
    if (target !== undefined) return { name: target, tries: 0 };
    const after = (isKey ? matchKeys(said, onKey) : undefined) ?? state.onInvalid;
    return this.#retry(name, state, after, 'invalid', tries);
  }

  /** Waits for more keys while the ones so far are the beginning of several in a row. */
  async #dialled(first: string, options: readonly string[]): Promise<string> {
    let keys = first;
    while (canContinue(keys, options)) {
      const heard = await this.#next(interDigitMs);
      if (heard?.kind === 'phrase') this.#buffer.unshift(heard);
      if (heard?.kind !== 'key') break;
      keys += heard.value;
    }
    return keys;
  }

  #branchOf({ branches = [] }: IvrState, digits = ''): string | undefined {
    const { caller = '' } = this.#facts;
    return branches.find(
      ({ entered, callers }) =>
        (entered?.includes(digits) ?? true) && (callers?.some((pattern) => isCaller(caller, pattern)) ?? true),
    )?.next;
  }

  async #collect(name: string, state: IvrState, tries: number): Promise<Onward> {
    const { collect } = state;
    if (!collect) return { name: undefined, tries };
    let digits = '';
    let waitMs = state.timeoutMs ?? defaultTimeoutMs;
    while (digits.length < collect.max) {
      const heard = await this.#next(waitMs);
      if (this.#ended) return { name: undefined, tries };
      if (!heard) {
        if (digits === '') return this.#retry(name, state, state.onTimeout, 'timeout', tries);
        break;
      }
      const entered = heard.kind === 'key' ? heard.value : heard.value.replace(/\D/g, '');
      if (entered === collect.terminator) break;
      digits += entered;
      waitMs = interDigitMs;
    }
    if (digits.length === collect.max && collect.terminator !== undefined) {
      if (this.#buffer.length > 0) {
        if (this.#buffer[0]?.value === collect.terminator) this.#buffer.shift();
      } else this.#lateTerminator = { key: collect.terminator, until: this.#clock.now() + lateTerminatorMs };
    }
    const fits = digits.length >= collect.min && digits.length <= collect.max;
    const branch = fits ? this.#branchOf(state, digits) : undefined;
    if (branch !== undefined) return { name: branch, tries: 0 };
    if (fits && (collect.accept?.includes(digits) ?? true)) return { name: collect.next, tries: 0 };
    if (collect.onReject !== undefined) return { name: collect.onReject, tries: 0 };
    return this.#retry(name, state, state.onInvalid, 'invalid', tries);
  }

  async #retry(
    name: string,
    state: IvrState,
    after: IvrState['onTimeout'],
    type: 'timeout' | 'invalid',
    tries: number,
  ): Promise<Onward> {
    this.#onEvent({ type, state: name });
    if (type === 'timeout' && state.stay !== undefined) return { name: state.stay, tries: 0 };
    if (tries + 1 >= (state.maxTries ?? defaultMaxTries)) {
      if (state.onExhausted === undefined) {
        this.#onEvent({ type: 'ended', state: name, detail: 'hangup' });
        this.#call.hangUp();
      }
      return { name: state.onExhausted, tries: 0 };
    }
    if (after?.prompt !== undefined) await this.#say(after.prompt, state.bargeIn ?? this.#ivr.bargeIn, tries);
    return { name: this.#ended ? undefined : (after?.next ?? name), tries: tries + 1 };
  }

  async #end(
    name: string,
    end: NonNullable<IvrState['end']>,
    { greeting = true, sound, then }: IvrState,
  ): Promise<Onward> {
    this.#onEvent({ type: 'ended', state: name, detail: end });
    if (end === 'hangup') this.#call.hangUp();
    if (greeting && end === 'human') await this.#say(humanGreeting, false);
    if (greeting && end === 'voicemail') await this.#say(voicemailGreeting, false);
    if (!this.#ended && end in endSounds) this.#call.sound(endSounds[end as keyof typeof endSounds], sound?.wav);
    await this.#waitUntil(then?.afterMs, () => this.#ended);
    if (this.#ended || !then) return { name: undefined, tries: 0 };
    this.#call.stop();
    return { name: then.next, tries: 0 };
  }

  /** Plays each part of a prompt, unless a key that can interrupt it is already waiting. */
  async #say(prompt: Prompt, bargeIn: boolean, tries = 0): Promise<void> {
    for (const part of promptParts(prompt, { tries, call: this.#facts.callsBefore ?? 0 }, bargeIn)) {
      this.#dropStaleKeys();
      if (this.#ended || (part.bargeIn && this.#buffer.length > 0)) continue;
      this.#bargeIn = part.bargeIn;
      this.#playing = true;
      await this.#call.play(part.spoken);
      this.#playing = false;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#waitUntil(milliseconds, () => this.#ended);
  }

  async #next(timeoutMs: number): Promise<CallerInput | undefined> {
    this.#dropStaleKeys();
    const hasInput = (): boolean => this.#ended || this.#buffer.length > 0;
    await this.#waitUntil(timeoutMs, hasInput);
    const speechMs = this.#speechUntil - this.#clock.now();
    if (speechMs > 0) await this.#waitUntil(speechMs, hasInput);
    return this.#ended ? undefined : this.#buffer.shift();
  }

  #dropStaleKeys(): void {
    // The key that cut a prompt short counts even without a buffer.
    const oldest = this.#clock.now() - Math.max(this.#ivr.digitBufferMs, interruptGraceMs);
    this.#buffer = this.#buffer.filter((heard) => heard.at >= oldest);
  }

  async #waitUntil(timeoutMs: number | undefined, done: () => boolean): Promise<void> {
    const expiry: { timer?: TimerHandle; late: boolean } = { late: false };
    if (timeoutMs !== undefined && !done())
      expiry.timer = this.#clock.setTimeout(() => {
        expiry.late = true;
        this.#wake?.();
      }, timeoutMs);
    while (!done() && !expiry.late)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    if (expiry.timer !== undefined) this.#clock.clearTimeout(expiry.timer);
  }
}

const isCaller = (caller: string, pattern: string): boolean =>
  pattern.endsWith('*') ? caller.startsWith(pattern.slice(0, -1).toLowerCase()) : caller === pattern.toLowerCase();

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the target whose phrase the caller said, tolerating recognition errors, or undefined if none is close. */
export function targetOfPhrase(said: string, speech: Readonly<Record<string, string>>): string | undefined {
  const words = wordsOf(said);
  let best: { target: string; score: number } | undefined;
  for (const [phrase, target] of Object.entries(speech)) {
    const wanted = wordsOf(phrase);
    if (wanted.length === 0) continue;
    const score =
      wanted.reduce((sum, word) => sum + Math.max(0, ...words.map((heard) => closeness(word, heard))), 0) /
      wanted.length;
    if (score >= 0.7 && (!best || score > best.score)) best = { target, score };
  }
  return best?.target;
}

/** 1 for equal words, down to 0: one minus the edit distance over the longer length. */
function closeness(a: string, b: string): number {
  if (a === b) return 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return 1 - (previous[b.length] ?? 0) / Math.max(a.length, b.length);
}
