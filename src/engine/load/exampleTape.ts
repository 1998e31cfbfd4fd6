import { encodeUlaw } from '../../base/g711.ts';
import type { ActiveCall, Dialer } from '../call/activeCall.ts';
import type { CallExample } from './loadCaller.ts';

const samplesPerSecond = 8000;
/** The kept end of a call. */
const longestSamples = 60 * samplesPerSecond;
/** Tapes at the same time, which take 48 MB. */
const mostTapes = 100;
/** The first calls that don't pass show what is wrong. */
export const mostExamples = 5;

/** The audio of the calls of one caller, until it is known which of them are kept as examples. */
export class ExampleTapes {
  #open = 0;
  #examples = 0;

  /** Returns a tape for one call, which must be closed, or undefined if there are too many or enough examples. */
  open(): ExampleTape | undefined {
    if (this.#open >= mostTapes || this.#examples >= mostExamples) return undefined;
    this.#open += 1;
    return new ExampleTape(() => {
      this.#open -= 1;
    });
  }

  /** Returns false if this caller has enough examples. Otherwise counts one more. */
  claim(): boolean {
    if (this.#examples >= mostExamples) return false;
    this.#examples += 1;
    return true;
  }
}

/** The last minute of what one call heard, in µ-law. */
export class ExampleTape {
  readonly #onClose: () => void;
  readonly #frames: Uint8Array[] = [];
  #length = 0;
  /** Samples before these. */
  #dropped = 0;
  #call: ActiveCall | undefined;

  constructor(onClose: () => void) {
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

  /** Samples. */
  get length(): number {
    return this.#length;
  }

  append(pcm: Int16Array): void {
    this.#frames.push(encodeUlaw(pcm));
    this.#length += pcm.length;
    while (this.#length > longestSamples) {
      const { length = 0 } = this.#frames.shift() ?? {};
      this.#length -= length;
      this.#dropped += length;
    }
  }

  /** Returns both sides of the end of the call. `stepMs` is a time in the call. */
  example(stepMs: number): CallExample {
    const length = this.#length;
    const them = new Uint8Array(length);
    let at = 0;
    for (const frame of this.#frames) {
      them.set(frame, at);
      at += frame.length;
    }
    const us = new Int16Array(length);
    for (const { startMs, pcm } of this.#call?.spoken() ?? []) {
      const start = Math.round((startMs * samplesPerSecond) / 1000) - this.#dropped;
      const heard = pcm.subarray(Math.max(0, -start), Math.max(0, length - start));
      if (heard.length > 0) us.set(heard, Math.max(0, start));
    }
    return { them, us: encodeUlaw(us), stepMs: Math.max(0, Math.round(stepMs - this.#dropped / 8)) };
  }

  close(): void {
    this.#onClose();
  }
}
