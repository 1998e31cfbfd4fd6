import { Listeners } from '../../base/listeners.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { warnOfFault } from '../fault.ts';

/** A leg on the shared tick. */
export interface PacerMember {
  /** Sends this tick's 20 ms; `latenessMs` is how late it is. */
  sendTick(latenessMs: number): void;
  /** Plays out 20 ms of received audio; runs after the sockets were read. */
  playTick(): void;
  /** A tick of this member threw an error. It has left the shared tick. */
  failed(error: unknown): void;
}

export const TICK_MS = 20;
/** After a stall of more than this many ticks, the rest isn't sent, because the peer's buffer couldn't hold it. */
const MAX_CATCH_UP = 5;

/**
 * One tick for all legs with absolute deadlines, so that no leg drifts and one timer serves a thousand calls. Playout
 * waits until pending datagrams were read: after a stall of the process, they are in the socket's buffer and aren't
 * late.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #afterSockets: (play: () => void) => void;
  readonly #members = new Set<PacerMember>();
  readonly #watchers = new Listeners<[latenessMs: number, missed: number]>();
  #deadline = 0;
  #timer: TimerHandle | undefined;
  #duePlays = 0;

  constructor(clock: Clock, afterSockets: (play: () => void) => void) {
    this.#clock = clock;
    this.#afterSockets = afterSockets;
  }

  /** Joins the tick; the returned function leaves it. The timer runs only while there are members. */
  add(member: PacerMember): () => void {
    this.#members.add(member);
    if (this.#timer === undefined) {
      this.#deadline = this.#clock.now() + TICK_MS;
      this.#schedule();
    }
    return () => {
      this.#members.delete(member);
      if (this.#members.size > 0 || this.#timer === undefined) return;
      this.#clock.clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /**
   * Reports how late the last packet of every tick was, while there are members (`missed` 0), and for skipped ticks
   * their number and how late the first was. The returned function ends it, and so does an error of the watcher.
   */
  watch(watcher: (latenessMs: number, missed: number) => void): () => void {
    return this.#watchers.add(watcher);
  }

  #schedule(): void {
    const wait = Math.max(0, Math.ceil(this.#deadline - this.#clock.now()));
    this.#timer = this.#clock.setTimeout(() => this.#tick(), wait);
  }

  #tick(): void {
    let ticks = 0;
    while (this.#clock.now() >= this.#deadline && ticks < MAX_CATCH_UP) {
      for (const member of this.#members) this.#run(member, () => member.sendTick(this.#clock.now() - this.#deadline));
      this.#tell(0);
      this.#deadline += TICK_MS;
      ticks++;
    }
    const behind = this.#clock.now() - this.#deadline;
    if (behind >= 0) {
      const missed = Math.floor(behind / TICK_MS) + 1;
      this.#tell(missed);
      this.#deadline += missed * TICK_MS;
    }
    this.#duePlays += ticks;
    if (ticks > 0 && this.#duePlays === ticks) this.#afterSockets(() => this.#play());
    if (this.#members.size > 0) this.#schedule();
    else this.#timer = undefined;
  }

  #tell(missed: number): void {
    const latenessMs = this.#clock.now() - this.#deadline;
    for (const { error, remove } of this.#watchers.tellAll(latenessMs, missed)) {
      remove();
      warnOfFault(error);
    }
  }

  #play(): void {
    const due = Math.min(this.#duePlays, MAX_CATCH_UP);
    this.#duePlays = 0;
    for (let i = 0; i < due; i++) for (const member of this.#members) this.#run(member, () => member.playTick());
  }

  /** One leg's error must not cost the others their tick. */
  #run(member: PacerMember, tick: () => void): void {
    try {
      tick();
    } catch (error) {
      this.#members.delete(member);
      member.failed(error);
    }
  }
}

export const systemPacer = new Pacer(systemClock, (play) => {
  setImmediate(play);
});
