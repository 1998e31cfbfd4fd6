import type { DigitTransport, SendDigitsOptions } from '../call.ts';
import { FRAME_SAMPLES } from '../rtp/jitterBuffer.ts';
import { TICK_MS } from '../rtp/pacer.ts';
import { DIGITS, dtmfTone } from './tones.ts';

/** What the digits need in one 20 ms tick. */
type DigitTick =
  | {
      readonly kind: 'event';
      readonly event: number;
      readonly durationSamples: number;
      readonly first: boolean;
      readonly end: boolean;
    }
  | { readonly kind: 'tone'; readonly pcm: Int16Array }
  | { readonly kind: 'silence' };

export const DEFAULT_TONE_MS = 100;
export const DEFAULT_GAP_MS = 100;
export const PAUSE_MS = 500;
/** The 16 bit duration of an event can express 8.19 s. */
const MAX_TONE_MS = 8000;
export const PAUSE = ',';

interface Step {
  readonly digit: string | undefined;
  readonly toneTicks: number;
  readonly silentTicks: number;
  readonly via: DigitTransport | undefined;
  readonly sent?: () => void;
}

/** Digits to send one after the other, in ticks of 20 ms. */
export class DigitQueue {
  #steps: Step[] = [];
  #tick = 0;
  #via: DigitTransport = 'rfc4733';
  #tone: Int16Array = new Int16Array(0);

  /** Resolves when the last tone and its gap were sent, or at `clear`. Throws TypeError for other characters. */
  push(digits: string, options: SendDigitsOptions = {}): Promise<void> {
    const all = digitsIn(digits);
    const toneTicks = ticksOf(Math.min(options.toneMs ?? DEFAULT_TONE_MS, MAX_TONE_MS));
    const gapTicks = ticksOf(options.gapMs ?? DEFAULT_GAP_MS);
    if (all.length === 0) return Promise.resolve();
    return new Promise((sent) =>
      all.forEach((digit, i) => {
        const step: Step =
          digit === PAUSE
            ? { digit: undefined, toneTicks: 0, silentTicks: ticksOf(PAUSE_MS), via: undefined }
            : { digit, toneTicks, silentTicks: gapTicks, via: options.via };
        this.#steps.push(i === all.length - 1 ? { ...step, sent } : step);
      }),
    );
  }

  /** Returns this tick's part, or undefined if no digit is waiting. `fallback` if the caller chose no transport. */
  take(fallback: DigitTransport): DigitTick | undefined {
    const step = this.#steps[0];
    if (!step) return undefined;
    const tick = this.#tick++;
    if (tick + 1 >= step.toneTicks + step.silentTicks) {
      this.#steps.shift();
      this.#tick = 0;
      step.sent?.();
    }
    if (step.digit === undefined || tick >= step.toneTicks) return { kind: 'silence' };
    if (tick === 0) {
      this.#via = step.via ?? fallback;
      if (this.#via === 'inband') this.#tone = dtmfTone(step.digit, step.toneTicks * TICK_MS);
    }
    if (this.#via === 'inband')
      return { kind: 'tone', pcm: this.#tone.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES) };
    return {
      kind: 'event',
      event: DIGITS.indexOf(step.digit),
      durationSamples: (tick + 1) * FRAME_SAMPLES,
      first: tick === 0,
      end: tick === step.toneTicks - 1,
    };
  }

  clear(): void {
    const steps = this.#steps;
    this.#steps = [];
    this.#tick = 0;
    for (const step of steps) step.sent?.();
  }
}

/** Returns digits and pauses one by one. Throws TypeError for a character that isn't one. */
export function digitsIn(text: string): string[] {
  const all = [...text.toUpperCase()];
  for (const digit of all)
    if (digit !== PAUSE && !DIGITS.includes(digit)) throw new TypeError(`“${digit}” isn't a DTMF digit`);
  return all;
}

function ticksOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / TICK_MS));
}
