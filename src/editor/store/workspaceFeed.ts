import { sleep } from '../../base/clock.ts';
import { follow } from '../../client/follow.ts';
import type { WorkspaceEvent } from '../../contract/events.ts';
import type { Basics } from '../basics/createBasics.ts';
import { pause } from '../basics/wallClock.ts';
import { Emitter } from '../basics/emitter.ts';
import type { Disposable } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { RunnerParts } from '../../runner/runTest.ts';
import { Watchers } from './watchers.ts';

interface WorkspaceFeedParts extends Pick<Basics, 'clock' | 'log'> {
  readonly client: Pick<ServiceClient, 'events'>;
}

const pollMs = 5_000;

/**
 * The service's events, in one stream for all listeners, while there are watchers. Without events, it reports every
 * five seconds that anything may have changed.
 */
export class WorkspaceFeed {
  readonly #parts: WorkspaceFeedParts;
  readonly #changed = new Emitter<WorkspaceEvent | undefined>();
  /** Fires with undefined if anything may have changed. */
  readonly onDidChange = this.#changed.listen;
  readonly #watchers = new Watchers(() => this.#follow());
  #disposed = false;
  #listening: AbortController | undefined;
  #sleep: AbortController | undefined;

  constructor(parts: WorkspaceFeedParts) {
    this.#parts = parts;
  }

  /** Listens until the result is disposed of. A new watcher must read earlier changes itself. */
  watch(): Disposable {
    return this.#watchers.add();
  }

  /** Reads a resource whenever it changes. @see follow */
  readonly follow: RunnerParts['follow'] = (followed, onRead, signal) =>
    follow(
      {
        random: Math.random,
        wait: (milliseconds, during) => sleep(this.#parts.clock, milliseconds, during),
        listen: (listener) => {
          const watch = this.watch();
          const listening = this.onDidChange(listener);
          return () => {
            listening.dispose();
            watch.dispose();
          };
        },
      },
      followed,
      onRead,
      signal,
    );

  /** The service can be reached again, so the next attempt starts now. */
  wake(): void {
    this.#sleep?.abort();
  }

  /** Another service is in use. */
  reset(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    this.#follow();
  }

  dispose(): void {
    this.#disposed = true;
    this.#follow();
    this.#changed.dispose();
  }

  #follow(): void {
    const wanted = this.#watchers.any && !this.#disposed;
    if (wanted && !this.#listening) {
      this.#listening = new AbortController();
      void this.#listen(this.#listening.signal);
    } else if (!wanted) {
      this.#listening?.abort();
      this.#listening = undefined;
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#parts;
    const anythingMayHave = (): void => {
      if (!signal.aborted) this.#changed.fire(undefined);
    };
    while (!signal.aborted) {
      // The stream doesn't report changes from before it was connected.
      await client
        .events(
          signal,
          (event) => {
            if (!signal.aborted) this.#changed.fire(event);
          },
          anythingMayHave,
        )
        .catch((error: unknown) => {
          if (!signal.aborted) log.debug(`The event stream ended: ${describeCause(error)}`);
        });
      const sleep = new AbortController();
      this.#sleep = sleep;
      await pause(clock, pollMs, AbortSignal.any([signal, sleep.signal]));
      anythingMayHave();
    }
  }
}
