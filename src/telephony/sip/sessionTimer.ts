import type { Clock } from '../../base/clock.ts';
import type { OnFault } from '../fault.ts';
import { splitOutside } from './headers.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import type { HeaderFields } from './response.ts';
import type { Timers } from './timers.ts';
import { parseParams } from './uri.ts';

/** RFC 4028 section 4, in seconds. */
const USUAL_SECONDS = 1800;
const MIN_SECONDS = 90;
/** Longer intervals are shortened to 23 days, which a timer can hold. */
const MAX_SECONDS = 2_000_000;
/** A peer with a tiny interval doesn't get refreshes more often than twice in this one. */
const TINY_SECONDS = 10;
/** Each proxy on the way can ask for more. */
const MAX_RAISES = 3;
/** The part of the interval after which this side refreshes, and the same if it is the peer's turn but it didn't. */
const OWN_PART = 0.5;
const SPARE_PART = 0.55;
const RETRY_PART = 0.125;

type Refresher = 'uac' | 'uas';

interface SessionTimerUser {
  /** Sends a refresh, whose 2xx was passed to `start`. Undefined without a response. */
  readonly refresh: () => Promise<SipResponse | undefined>;
  /** The session ended without a refresh; `field` is the header field that set its interval. */
  readonly onExpired: (field: string) => void;
  readonly onFault: OnFault;
  readonly clock: Clock;
  /** Those of the call. */
  readonly timers: Timers;
}

/** The session interval of a call (RFC 4028), also with a peer that starts one without an offer. */
export class SessionTimer {
  readonly #user: SessionTimerUser;
  /** `since`: when it last began, on the clock. */
  #interval: { readonly seconds: number; readonly isOurs: boolean; readonly since: number } | undefined;
  #minSeconds = 0;
  #raises = 0;
  #isOver = false;

  constructor(user: SessionTimerUser) {
    this.#user = user;
  }

  /** Returns the header fields of an INVITE or UPDATE of this side, without Supported. */
  requestFields(): HeaderFields {
    const { seconds = USUAL_SECONDS, isOurs } = this.#interval ?? {};
    const refresher = isOurs === undefined ? '' : `;refresher=${isOurs ? 'uac' : 'uas'}`;
    const fields: HeaderFields = [
      ['Session-Expires', `${String(Math.max(seconds, this.#minSeconds, MIN_SECONDS))}${refresher}`],
    ];
    return this.#minSeconds === 0 ? fields : [...fields, ['Min-SE', String(this.#minSeconds)]];
  }

  /** Reads a 422. Returns false if the request can't be repeated with a longer interval (section 7.4). */
  raise(response: SipResponse): boolean {
    const seconds = Number.parseInt(response.headers.get('Min-SE') ?? '', 10);
    if (!(seconds > this.#minSeconds && seconds <= MAX_SECONDS) || this.#raises >= MAX_RAISES) return false;
    this.#raises++;
    this.#minSeconds = seconds;
    return true;
  }

  /** Accepts the peer's INVITE or UPDATE. Returns the header fields of the 2xx (section 9). */
  accept(request: SipRequest): HeaderFields {
    const { seconds, refresher = isSupportedBy(request) ? 'uac' : 'uas' } = readInterval(request);
    this.#begin(seconds, refresher === 'uas');
    if (seconds === 0) return [];
    const expires = ['Session-Expires', `${String(seconds)};refresher=${refresher}`] as const;
    return refresher === 'uac' && isSupportedBy(request) ? [expires, ['Require', 'timer']] : [expires];
  }

  /** A 2xx to a request of this side. A refresh that is accepted without an interval keeps the last one. */
  start(response: SipResponse): void {
    const { seconds, refresher } = readInterval(response);
    if (seconds > 0) this.#begin(seconds, refresher !== 'uas');
    else this.#begin(this.#interval?.seconds ?? 0, this.#interval?.isOurs ?? false);
  }

  /** Returns what shows that the peer's BYE with this reason comes from its session timer (section 10). */
  ranOut(reason = ''): string | undefined {
    if (/\bsession\b/i.test(reason) && /timer|timed? ?out|expir/i.test(reason)) return 'Reason';
    if (!this.#interval) return undefined;
    const { seconds, since } = this.#interval;
    const left = seconds - (this.#user.clock.now() - since) / 1000;
    return left < marginOf(seconds) + 1 && left > -5 ? this.#field : undefined;
  }

  /** For good: the response to a refresh can still come. */
  stop(): void {
    this.#isOver = true;
    this.#stopTimers();
  }

  #stopTimers(): void {
    for (const timer of ['refresh', 'expiry']) this.#user.timers.stop(timer);
  }

  get #field(): string {
    return `Session-Expires: ${String(this.#interval?.seconds)}`;
  }

  #begin(seconds: number, isOurs: boolean): void {
    this.#stopTimers();
    if (this.#isOver) return;
    this.#interval = seconds > 0 ? { seconds, isOurs, since: this.#user.clock.now() } : undefined;
    if (!this.#interval) return;
    this.#refreshAfter(seconds * (isOurs ? OWN_PART : SPARE_PART));
    const longest = Math.max(seconds, MIN_SECONDS);
    this.#user.timers.start('expiry', (longest - marginOf(longest)) * 1000, () => this.#expire());
  }

  #refreshAfter(seconds: number): void {
    this.#user.timers.start('refresh', Math.max(seconds, TINY_SECONDS / 2) * 1000, () => {
      this.#refresh().catch(this.#user.onFault);
    });
  }

  async #refresh(): Promise<void> {
    const before = this.#interval;
    const response = await this.#user.refresh();
    // The call ended, or one side refreshed it in the meantime.
    if (this.#isOver || this.#interval !== before || !before) return;
    if (!response || response.status === 408 || response.status === 481) this.#expire();
    else this.#refreshAfter(before.seconds * RETRY_PART);
  }

  #expire(): void {
    const field = this.#field;
    this.#stopTimers();
    this.#interval = undefined;
    this.#user.onExpired(field);
  }
}

/** Returns the header fields of a 422 if a peer with session timers asks for too short an interval (section 9). */
export function intervalRefusal(request: SipRequest): HeaderFields | undefined {
  const isShort = request.headers.has('Session-Expires') && readInterval(request).seconds < MIN_SECONDS;
  return isShort && isSupportedBy(request) ? [['Min-SE', String(MIN_SECONDS)]] : undefined;
}

/** A BYE comes that long before the end of the interval, in seconds (section 10). */
const marginOf = (seconds: number): number => Math.min(32, seconds / 3);

const isSupportedBy = ({ headers }: SipMessage): boolean =>
  headers.tokens('Supported').includes('timer') || headers.tokens('Require').includes('timer');

/** `seconds` is 0 if there is no interval that can be read. */
function readInterval({ headers }: SipMessage): { readonly seconds: number; readonly refresher?: Refresher } {
  const [value = '', ...rest] = splitOutside(headers.get('Session-Expires') ?? '', ';');
  const seconds = /^\d{1,10}$/.test(value) ? Math.min(Number(value), MAX_SECONDS) : 0;
  const refresher = parseParams(rest.join(';')).get('refresher')?.toLowerCase();
  return refresher === 'uac' || refresher === 'uas' ? { seconds, refresher } : { seconds };
}
