import { encodeUlaw } from '../../base/g711.ts';
import type { ActiveCall, Dialer } from '../call/activeCall.ts';
import type { CallExample, LoadTask } from './loadCaller.ts';

const sampleRate = 8000;
/** The kept end of a call. */
const longestSeconds = 60;
/** Seconds of all calls together, which take 64 MB. Each of 500 calls keeps 16 s. */
const secondsInAll = 8000;
/** More calls than this that fail at the same step sound alike. */
export const examplesOfStep = 10;

/** The audio of the calls of one thread, until it is known which of them are kept as examples. */
export class ExampleTapes {
  readonly #examples = new WeakMap<LoadTask, Map<number, number>>();
  #open = 0;

  /** Returns a tape for one call, which must be closed. */
  open(): ExampleTape {
    this.#open += 1;
    return new ExampleTape(
      () => Math.max(1, Math.min(longestSeconds, Math.floor(secondsInAll / this.#open))),
      () => {
        this.#open -= 1;
      },
    );
  }

  /** Returns false if this thread has enough examples of the step. Otherwise counts one more. */
  claim(script: LoadTask, step: number): boolean {
    const counts = this.#examples.get(script) ?? new Map<number, number>();
    this.#examples.set(script, counts);
    const count = counts.get(step) ?? 0;
    if (count >= examplesOfStep) return false;
    counts.set(step, count + 1);
    return true;
  }
}

/** The last seconds of what one call heard, in µ-law. */
export class ExampleTape {
  readonly #secondsAtMost: () => number;
  readonly #onClose: () => void;
  /** One second each; the last one is filled up to `#filled`. */
  #seconds: Uint8Array[] = [];
  #filled = sampleRate;
  /** Seconds before these. */
  #dropped = 0;
  #call: ActiveCall | undefined;
  #closed = false;

  constructor(secondsAtMost: () => number, onClose: () => void) {
    this.#secondsAtMost = secondsAtMost;
    this.#onClose = onClose;
  }

  /** Returns the same dialer, whose call this tape is of. */
  over(dialer: Dialer): Dialer {
    return {
      dial: async (target, signal, options) => {
        this.#call = await dialer.dial(target, signal, options);
        return this.#call;
      },
    };
  }

  append(pcm: Int16Array): void {
    if (this.#closed) return;
    const bytes = encodeUlaw(pcm);
    for (let taken = 0; taken < bytes.length;) {
      if (this.#filled === sampleRate) this.#turn();
      const part = bytes.subarray(taken, taken + sampleRate - this.#filled);
      this.#seconds.at(-1)?.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
    }
  }

  /** Begins the next second, in the place of the oldest one if there are enough. */
  #turn(): void {
    let oldest: Uint8Array | undefined;
    while (this.#seconds.length >= this.#secondsAtMost()) {
      oldest = this.#seconds.shift();
      this.#dropped += 1;
    }
    this.#seconds.push(oldest ?? new Uint8Array(sampleRate));
    this.#filled = 0;
  }

  /** Samples. */
  get length(): number {
    return Math.max(0, this.#seconds.length - 1) * sampleRate + (this.#seconds.length === 0 ? 0 : this.#filled);
  }

  /** Returns both sides of the end of the call. `stepMs` is a time in the call. */
  example(stepMs: number): CallExample {
    const { length } = this;
    const them = new Uint8Array(length);
    for (const [second, bytes] of this.#seconds.entries())
      them.set(bytes.subarray(0, length - second * sampleRate), second * sampleRate);
    const firstSample = this.#dropped * sampleRate;
    const us = new Int16Array(length);
    for (const { startMs, pcm } of this.#call?.spoken() ?? []) {
      const at = Math.round((startMs * sampleRate) / 1000) - firstSample;
      const heard = pcm.subarray(Math.max(0, -at), Math.max(0, length - at));
      if (heard.length > 0) us.set(heard, Math.max(0, at));
    }
    return { them, us: encodeUlaw(us), stepMs: Math.max(0, Math.round(stepMs - this.#dropped * 1000)) };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#seconds = [];
    this.#onClose();
  }
}
