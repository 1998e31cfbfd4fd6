import type { Clock } from '../../base/clock.ts';
import { CallerServer } from '../../engine/load/callerServer.ts';
import type { CallerThreads } from '../../engine/load/callerThreads.ts';
import type { Logger } from '../basics/log.ts';
import type { LoadMail } from './loadMail.ts';
import { Mailbox } from './loadMailbox.ts';
import { routeHash, silentBeats } from './loadMessages.ts';
import type { HelperMessage, LeaderMessage, LoadRoute } from './loadMessages.ts';

interface LoadHelperOptions {
  readonly mail: LoadMail;
  readonly clock: Clock;
  readonly log: Logger;
  readonly loadTestId: string;
  /** The mailbox of the process that runs the load test. */
  readonly leader: string;
  /** Calls that this process offers to place. */
  readonly room: number;
  readonly route: LoadRoute;
  /** Starts threads for this many calls. */
  readonly startCallers: (calls: number) => Promise<CallerThreads>;
  /** Called once, when its calls and messages are gone. */
  readonly onEnd: () => void;
}

/** Places some of the calls of a load test that another process runs, as long as that process is alive. */
export class LoadHelper {
  readonly #options: LoadHelperOptions;
  readonly #mailbox: Mailbox<HelperMessage, LeaderMessage>;
  #callers: Promise<CallerThreads> | undefined;
  #server: CallerServer | undefined;
  #silentBeats = 0;
  #ending: Promise<void> | undefined;

  constructor(options: LoadHelperOptions) {
    this.#options = options;
    const { mail, clock, log, loadTestId, leader, room, route } = options;
    this.#mailbox = new Mailbox({
      mail,
      clock,
      loadTestId,
      onMessage: (message, sender) => {
        if (sender === leader) this.#hear(message);
      },
      onGap: (sender) => {
        if (sender === leader) void this.#end('leader lost');
      },
      onBeat: () => {
        this.#silentBeats += 1;
        if (this.#silentBeats > silentBeats) void this.#end('leader lost');
      },
      onFailure: (error) => {
        log.warn({ runId: loadTestId, err: error }, 'messages of a load test are late');
      },
    });
    this.#post({ report: 'offer', room, route: routeHash(route) });
  }

  /** Hangs up its calls because this process stops. */
  async stop(): Promise<void> {
    this.#post({ report: 'unusable', message: 'the process that placed this call was stopped' });
    await this.#end('stopped');
  }

  #hear(message: LeaderMessage): void {
    if (this.#ending) return;
    this.#silentBeats = 0;
    const { clock, route } = this.#options;
    switch (message.order) {
      case 'begin':
        this.#begin();
        break;
      case 'ping':
        this.#post({ report: 'pong', at: message.at, now: clock.now() });
        break;
      case 'close':
        void this.#end('closed');
        break;
      case 'place':
        this.#server?.take({
          ...message,
          plan: { ...message.plan, target: route.target, ...(route.call && { call: route.call }) },
        });
        break;
      default:
        this.#server?.take(message);
    }
  }

  #begin(): void {
    const { startCallers, room, clock, log, loadTestId } = this.#options;
    this.#callers ??= startCallers(room);
    this.#callers.then(
      (callers) => {
        if (this.#ending) return;
        this.#server = new CallerServer(
          callers,
          (report) => {
            if (!this.#ending) this.#post(report);
          },
          clock,
        );
        log.info({ runId: loadTestId }, 'this process places calls of a load test');
        this.#post({ report: 'ready' });
      },
      (error: unknown) => {
        log.error({ runId: loadTestId, err: error }, 'this process cannot place calls of a load test');
        this.#post({ report: 'unusable', message: 'the process that was asked to place this call cannot place calls' });
        void this.#end('stopped');
      },
    );
  }

  #post(message: HelperMessage): void {
    this.#mailbox.post(this.#options.leader, message);
  }

  /** Only the last message of a helper that stopped is still read. */
  #end(why: 'closed' | 'stopped' | 'leader lost'): Promise<void> {
    this.#ending ??= (async () => {
      const { mail, log, loadTestId } = this.#options;
      if (why === 'leader lost')
        log.warn({ runId: loadTestId }, 'the process that runs a load test is gone, so its calls are hung up');
      this.#server?.close();
      const closing = this.#callers?.then(
        (callers) => callers.close(),
        () => undefined,
      );
      await this.#mailbox.close();
      await closing;
      if (why === 'stopped') await mail.collect(this.#mailbox.id);
      else await mail.discard(this.#mailbox.id);
    })()
      .catch((error: unknown) => {
        this.#options.log.warn({ runId: this.#options.loadTestId, err: error }, 'a load test left messages');
      })
      .finally(this.#options.onEnd);
    return this.#ending;
  }
}
