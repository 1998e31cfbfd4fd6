import type { Clock } from '../clock.ts';
import { pause } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { Disposable } from '../lifetime.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';

export interface RunFeedParts {
  readonly client: Pick<ServiceClient, 'events'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const pollMs = 5_000;

/** Tells which run of a test has changed, as long as somebody watches. Where no events come, it says every five seconds that any may have. */
export class RunFeed {
  readonly #parts: RunFeedParts;
  readonly #changed = new Emitter<string | undefined>();
  /** A run's id; undefined: any of them. */
  readonly onDidChange = this.#changed.listen;
  #watchers = 0;
  #listening: AbortController | undefined;

  constructor(parts: RunFeedParts) {
    this.#parts = parts;
  }

  watch(): Disposable {
    this.#watchers += 1;
    this.#follow();
    let ended = false;
    return { dispose: () => {
      if (ended) return;
      ended = true;
      this.#watchers -= 1;
      this.#follow();
    } };
  }

  /** Another service is spoken to. */
  reset(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    this.#follow();
  }

  dispose(): void {
    this.#watchers = 0;
    this.#follow();
    this.#changed.dispose();
  }

  #follow(): void {
    if (this.#watchers > 0 && !this.#listening) {
      this.#listening = new AbortController();
      void this.#listen(this.#listening.signal);
    } else if (this.#watchers === 0) {
      this.#listening?.abort();
      this.#listening = undefined;
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#parts;
    const anyMayHave = (): void => { this.#changed.fire(undefined); };
    while (!signal.aborted) {
      // What happened before the stream was connected, it does not tell.
      await client.events(signal, (event) => { if (event.type === 'test.changed') this.#changed.fire(event.runId); }, anyMayHave).catch((error: unknown) => {
        if (!signal.aborted) log.debug(`The event stream ended: ${describeCause(error)}`);
      });
      await pause(clock, pollMs, signal);
      if (!signal.aborted) anyMayHave();
    }
  }
}
