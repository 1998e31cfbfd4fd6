import type { Clock } from '../../base/clock.ts';
import { HumanError } from '../../contract/errors.ts';
import type { CallerThreads } from '../../engine/load/callerThreads.ts';
import type { LoadCaller } from '../../engine/load/loadCaller.ts';
import type { Logger } from '../basics/log.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { permitCalls } from '../runs/permission.ts';
import type { Store } from '../store/store.ts';
import { LoadHelper } from './loadHelper.ts';
import { LoadLeader } from './loadLeader.ts';
import type { LoadMail } from './loadMail.ts';
import type { LoadRoute } from './loadMessages.ts';

interface LoadSharesOptions {
  readonly mail: LoadMail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Calls of load tests that this process places well at a time. */
  readonly callsOfProcess: number;
  /** Starts threads for this many calls. */
  readonly startCallers: (calls: number) => Promise<CallerThreads>;
  /** Returns undefined if the load test isn't running. Rejects with HumanError if this process may not place its calls. */
  readonly findRoute: (loadTestId: string) => Promise<LoadRoute | undefined>;
}

/** Load tests whose calls several processes place: those that this process runs, and those that it helps with. */
export class LoadShares {
  readonly #options: LoadSharesOptions;
  readonly #helping = new Set<LoadHelper>();
  readonly #stopListening: () => void;
  /** Calls that are placed here, or have been offered. */
  #reserved = 0;
  #isStopping = false;

  constructor(options: LoadSharesOptions) {
    this.#options = options;
    this.#stopListening = options.mail.onInvitation((loadTestId, leader) => {
      this.#help(loadTestId, leader).catch((error: unknown) => {
        const { log } = options;
        if (error instanceof HumanError)
          log.info({ runId: loadTestId, code: error.code }, 'this process may not help with a load test');
        else log.error({ runId: loadTestId, err: error }, 'this process cannot help with a load test');
      });
    });
  }

  /**
   * Returns a caller that places these calls here, or if they are too many, in other processes too. It doesn't close
   * `local`.
   */
  async distribute(
    run: { readonly id: string; readonly route: LoadRoute },
    local: LoadCaller,
    calls: number,
    signal: AbortSignal,
  ): Promise<CallerThreads> {
    const { mail, clock, log, callsOfProcess } = this.#options;
    const room = Math.max(1, callsOfProcess - this.#reserved);
    const reserved = Math.min(calls, room);
    this.#reserved += reserved;
    const free = (): void => {
      this.#reserved -= reserved;
    };
    if (calls <= room)
      return {
        place: (...call) => local.place(...call),
        watchTicks: (watcher) => local.watchTicks(watcher),
        close: () => {
          free();
          return Promise.resolve();
        },
      };
    const leader = new LoadLeader({ mail, clock, log, loadTestId: run.id, route: run.route, local, room });
    await mail.discardOld().catch((error: unknown) => {
      log.warn({ err: error }, 'messages of earlier load tests are left');
    });
    await leader.find(calls - room, signal);
    return {
      place: (...call) => leader.place(...call),
      watchTicks: (watcher) => leader.watchTicks(watcher),
      async close() {
        free();
        await leader.close().catch((error: unknown) => {
          log.warn({ runId: run.id, err: error }, 'a load test left messages');
        });
      },
    };
  }

  /** Hangs up the calls of other processes' load tests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    await Promise.all([...this.#helping].map((helper) => helper.stop()));
  }

  async #help(loadTestId: string, leader: string): Promise<void> {
    const { mail, clock, log, callsOfProcess, startCallers, findRoute } = this.#options;
    const route = await findRoute(loadTestId);
    const room = callsOfProcess - this.#reserved;
    if (!route || room < 1 || this.#isStopping) return;
    this.#reserved += room;
    const helper: LoadHelper = new LoadHelper({
      mail,
      clock,
      log,
      startCallers,
      loadTestId,
      leader,
      room,
      route,
      onEnd: () => {
        this.#reserved -= room;
        this.#helping.delete(helper);
      },
    });
    this.#helping.add(helper);
  }
}

/**
 * Finds where a load test calls, by the dial plan, the lines and the passwords of this process, and checks that it may
 * call there.
 */
export const routeFinder =
  (store: Pick<Store, 'db'>, lines: LineBook): LoadSharesOptions['findRoute'] =>
  async (loadTestId) => {
    const row = await store.db
      .selectFrom('load_tests')
      .selectAll()
      .where('id', '=', loadTestId)
      .where('status', '=', 'running')
      .where('begun', '=', true)
      .executeTakeFirst();
    if (!row) return undefined;
    const { uri, line, caller } = await permitCalls(store, lines, row);
    return { target: uri, line, ...(line !== undefined && { call: lines.accountOf(line, caller) }) };
  };
