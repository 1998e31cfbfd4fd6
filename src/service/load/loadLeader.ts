import type { Clock } from '../../base/clock.ts';
import { Listeners } from '../../base/listeners.ts';
import { CallerClient } from '../../engine/load/callerClient.ts';
import type { LoadCaller } from '../../engine/load/loadCaller.ts';
import type { Logger } from '../basics/log.ts';
import type { LoadMail } from './loadMail.ts';
import { Mailbox } from './loadMailbox.ts';
import { routeHash, silentBeats, withoutRoute } from './loadMessages.ts';
import type { HelperMessage, LeaderMessage, LoadRoute } from './loadMessages.ts';

/** Other processes offer their help within this time. */
const offersWithinMs = 2000;
/** Their threads start within this time; later ones join the test when they are ready. */
const readyWithinMs = 5000;
/** Round trips until the difference of the clocks is known well; later ones only improve it. */
const firstPings = 5;

interface LoadLeaderOptions {
  readonly mail: LoadMail;
  readonly clock: Clock;
  readonly log: Logger;
  readonly loadTestId: string;
  readonly route: LoadRoute;
  /** The calls of this process. */
  readonly local: LoadCaller;
  /** Calls that this process places well. */
  readonly room: number;
}

/** A process that places some of the calls. */
interface Helper {
  readonly id: string;
  readonly room: number;
  readonly client: CallerClient;
  isReady: boolean;
  silentBeats: number;
  pings: number;
  /** The shortest round trip so far. */
  tripMs: number;
}

/** A process, with its calls. */
interface Place {
  readonly caller: Pick<LoadCaller, 'place'>;
  readonly room: number;
  calls: number;
}

/** Distributes the calls of a load test over this process and others, which it finds. */
export class LoadLeader implements LoadCaller {
  readonly #options: LoadLeaderOptions;
  readonly #mailbox: Mailbox<LeaderMessage, HelperMessage>;
  readonly #watchers = new Listeners<[latenessMs: number, missed: number]>();
  readonly #helpers = new Map<string, Helper>();
  readonly #local: Place;
  readonly #places = new Map<Helper, Place>();
  /** Calls for which there is no room yet; further offers aren't needed. */
  #wanted = 0;
  #changed: () => void = () => undefined;

  constructor(options: LoadLeaderOptions) {
    this.#options = options;
    const { mail, clock, log, loadTestId, local, room } = options;
    this.#local = { caller: local, room, calls: 0 };
    this.#mailbox = new Mailbox({
      mail,
      clock,
      loadTestId,
      onMessage: (message, sender) => {
        this.#hear(message, sender);
      },
      onGap: (sender) => {
        const helper = this.#helpers.get(sender);
        if (helper && !helper.client.isGone)
          this.#lose(helper, 'messages of the process that placed this call were lost');
      },
      onBeat: () => {
        this.#beat();
      },
      onFailure: (error) => {
        log.warn({ runId: loadTestId, err: error }, 'messages of a load test are late');
      },
    });
  }

  /** Finds other processes for this many calls. Resolves when they are ready, or after a few seconds with fewer. */
  async find(calls: number, signal: AbortSignal): Promise<void> {
    const { mail, log, loadTestId } = this.#options;
    this.#wanted = calls;
    mail.invite(loadTestId, this.#mailbox.id);
    await this.#until(() => this.#wanted <= 0, offersWithinMs, signal);
    this.#wanted = 0;
    await this.#until(() => this.#alive().every(({ isReady }) => isReady), readyWithinMs, signal);
    log.info({ runId: loadTestId, helpers: this.#alive().length }, 'other processes place calls of a load test');
  }

  place(...[plan, listener]: Parameters<LoadCaller['place']>): ReturnType<LoadCaller['place']> {
    const usable = this.#alive().filter(({ isReady }) => isReady);
    const places = [this.#local, ...usable.flatMap((helper) => this.#places.get(helper) ?? [])];
    const place = places.reduce((best, one) =>
      (one.calls + 1) / one.room < (best.calls + 1) / best.room ? one : best,
    );
    place.calls += 1;
    return place.caller.place(plan, {
      onAnswered: listener.onAnswered,
      onEnded: (record) => {
        place.calls -= 1;
        listener.onEnded(record);
      },
    });
  }

  watchTicks(watcher: (latenessMs: number, missed: number) => void): () => void {
    const stops = [this.#options.local.watchTicks(watcher), this.#watchers.add(watcher)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The helpers hang up what is left. */
  async close(): Promise<void> {
    const { mail } = this.#options;
    for (const { id } of this.#alive()) this.#mailbox.post(id, { order: 'close' });
    await this.#mailbox.close();
    await mail.collect(this.#mailbox.id);
    for (const { id, client } of this.#helpers.values()) if (client.isGone) await mail.discard(id);
  }

  #alive(): Helper[] {
    return [...this.#helpers.values()].filter(({ client }) => !client.isGone);
  }

  #hear(message: HelperMessage, sender: string): void {
    if (message.report === 'offer') {
      this.#consider(message, sender);
      return;
    }
    const helper = this.#helpers.get(sender);
    if (!helper || helper.client.isGone) return;
    helper.silentBeats = 0;
    switch (message.report) {
      case 'ready':
        helper.isReady = true;
        break;
      case 'unusable':
        this.#lose(helper, message.message);
        break;
      case 'pong':
        this.#compareClocks(helper, message);
        break;
      default:
        helper.client.hear(message);
    }
    this.#changed();
  }

  #consider({ room, route }: Extract<HelperMessage, { readonly report: 'offer' }>, id: string): void {
    const { clock } = this.#options;
    if (this.#wanted <= 0 || room < 1 || route !== routeHash(this.#options.route)) {
      this.#mailbox.post(id, { order: 'close' });
      return;
    }
    this.#wanted -= room;
    const client = new CallerClient(
      (order) => {
        this.#mailbox.post(id, withoutRoute(order));
      },
      this.#watchers,
      clock,
    );
    const helper = { id, room, client, isReady: false, silentBeats: 0, pings: 0, tripMs: Infinity };
    this.#helpers.set(id, helper);
    this.#places.set(helper, { caller: client, room, calls: 0 });
    this.#mailbox.post(id, { order: 'begin' });
    this.#ping(helper);
    this.#changed();
  }

  #ping(helper: Helper): void {
    helper.pings += 1;
    this.#mailbox.post(helper.id, { order: 'ping', at: this.#options.clock.now() });
  }

  /** The other clock was read in the middle of the round trip, give or take half of it. */
  #compareClocks(helper: Helper, { at, now }: Extract<HelperMessage, { readonly report: 'pong' }>): void {
    const tripMs = this.#options.clock.now() - at;
    if (tripMs < helper.tripMs) {
      helper.tripMs = tripMs;
      helper.client.shift = at + tripMs / 2 - now;
    }
    if (helper.pings < firstPings) this.#ping(helper);
  }

  #beat(): void {
    for (const helper of this.#alive()) {
      helper.silentBeats += 1;
      if (helper.silentBeats > silentBeats) this.#lose(helper, 'the process that placed this call stopped responding');
      else this.#ping(helper);
    }
  }

  #lose(helper: Helper, reason: string): void {
    const { log, loadTestId } = this.#options;
    log.warn({ runId: loadTestId, reason }, 'a process no longer places calls of a load test');
    helper.client.lost(reason);
    // If it was only slow, it hangs up as soon as it reads this.
    this.#mailbox.post(helper.id, { order: 'close' });
    this.#changed();
  }

  async #until(isDone: () => boolean, withinMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, withinMs);
      const check = (): void => {
        if (!isDone() && !signal.aborted) return;
        clock.clearTimeout(timer);
        resolve();
      };
      this.#changed = check;
      signal.addEventListener('abort', check, { once: true });
      check();
    });
    this.#changed = () => undefined;
  }
}
