import { DIGITS } from './tones.ts';

/** The payload of a telephone-event packet (RFC 4733 section 2.3). */
interface TelephoneEvent {
  readonly event: number;
  readonly end: boolean;
  /** In units of 1/8000 s. */
  readonly duration: number;
}

/** −10 dBm0. */
const VOLUME = 10;

export function parseTelephoneEvent(payload: Uint8Array): TelephoneEvent | undefined {
  if (payload.length < 4) return undefined;
  const [event, flags, high, low] = payload as unknown as [number, number, number, number];
  return { event, end: (flags & 0x80) !== 0, duration: (high << 8) | low };
}

export function serialiseTelephoneEvent({ event, end, duration }: TelephoneEvent): Uint8Array {
  return Uint8Array.of(event, (end ? 0x80 : 0) | VOLUME, duration >> 8, duration & 0xff);
}

/** An event whose end packets were all lost ends after this time. */
const LOST_END_MS = 200;
const REMEMBERED = 16;

/** Combines telephone-event packets into digits: one per timestamp, despite repeated, reordered or lost packets. */
export class TelephoneEventReceiver {
  readonly #report: (digit: string, durationMs: number) => void;
  #current: { timestamp: number; event: number; duration: number; heardAt: number } | undefined;
  readonly #done: number[] = [];

  constructor(report: (digit: string, durationMs: number) => void) {
    this.#report = report;
  }

  push(timestamp: number, { event, end, duration }: TelephoneEvent, now: number): void {
    if (event >= DIGITS.length || this.#done.includes(timestamp)) return;
    if (this.#current?.timestamp !== timestamp) {
      this.#finish();
      this.#current = { timestamp, event, duration, heardAt: now };
    } else {
      this.#current.duration = Math.max(this.#current.duration, duration);
      this.#current.heardAt = now;
    }
    if (end) this.#finish();
  }

  /** Call this periodically, so that an event without its end is reported too. */
  tick(now: number): void {
    if (this.#current && now - this.#current.heardAt >= LOST_END_MS) this.#finish();
  }

  #finish(): void {
    const current = this.#current;
    if (!current) return;
    this.#current = undefined;
    this.#done.push(current.timestamp);
    if (this.#done.length > REMEMBERED) this.#done.shift();
    this.#report(DIGITS.charAt(current.event), current.duration / 8);
  }
}
