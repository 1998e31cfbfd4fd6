import type { ReceivePoint } from '../../engine/probe/receivePoint.ts';
import type { ActiveCall, Dialer } from '../../engine/call/activeCall.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { SipAgent } from '../../telephony/call.ts';

export interface OpenDialer<Call = ActiveCall> {
  readonly dialer: Dialer<Call>;
  /** Opens an address for one inbound call. */
  readonly receive: () => Promise<ReceivePoint<Call>>;
  /** Registers a line on the agent that places the calls. */
  readonly register: SipAgent['register'];
  close(): Promise<void>;
}

const idleMs = 5 * 60_000;

/** One dialer for all runs: opened at the first call, and closed after five minutes without calls. */
export class SharedDialer {
  readonly #open: () => Promise<OpenDialer>;
  readonly #clock: Clock;
  #opening: Promise<OpenDialer> | undefined;
  #isKept = false;
  #users = 0;
  #idle: TimerHandle | undefined;
  #closed = false;

  constructor(open: () => Promise<OpenDialer>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  async use<Result>(work: (opened: Omit<OpenDialer, 'close'>) => Promise<Result>): Promise<Result> {
    if (this.#idle !== undefined) this.#clock.clearTimeout(this.#idle);
    this.#idle = undefined;
    this.#users += 1;
    try {
      const opening = (this.#opening ??= this.#open());
      const opened = await opening.catch((error: unknown) => {
        this.#opening = undefined;
        throw error;
      });
      return await work(opened);
    } finally {
      this.#users -= 1;
      // A timer that starts after the close would keep the process running.
      if (this.#users === 0 && this.#closed) void this.#release();
      else if (this.#users === 0 && this.#opening && !this.#isKept)
        this.#idle = this.#clock.setTimeout(() => {
          this.#idle = undefined;
          void this.#release();
        }, idleMs);
    }
  }

  /** Opens it, and keeps it open until `close`. */
  keep(): Promise<Omit<OpenDialer, 'close'>> {
    this.#isKept = true;
    return this.use((opened) => Promise.resolve(opened));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== undefined) this.#clock.clearTimeout(this.#idle);
    await this.#release();
  }

  async #release(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const open = await opening?.catch(() => undefined);
    await open?.close();
  }
}
