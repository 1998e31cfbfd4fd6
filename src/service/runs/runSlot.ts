import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import type { Store } from '../store/store.ts';
import { renewEveryMs, renewSlot } from '../workspaces/admission.ts';
import type { HeldRun } from '../workspaces/admission.ts';

interface RunSlotOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
  readonly run: HeldRun;
  /** The run should end: a request cancelled it, or another process owns it now. */
  readonly onEnd: (why: 'cancelled' | 'lost') => void;
}

/** Renews a run's slot while the run is active. Without renewal, other processes can take it. */
export class RunSlot {
  readonly #options: RunSlotOptions;
  #timer: TimerHandle | undefined;
  #released = false;

  constructor(options: RunSlotOptions) {
    this.#options = options;
    this.#next();
  }

  release(): void {
    this.#released = true;
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
  }

  #next(): void {
    const { clock, log, run } = this.#options;
    this.#timer = clock.setTimeout(() => {
      this.#next();
      this.#renew().catch((error: unknown) =>
        log.error({ runId: run.runId, err: error }, 'the slot of a run could not be renewed'),
      );
    }, renewEveryMs);
  }

  async #renew(): Promise<void> {
    const { store, run, now, onEnd } = this.#options;
    const state = await store.writeUnguarded((transaction) => renewSlot(transaction, run, now()));
    if (state !== 'kept' && !this.#released) onEnd(state);
  }
}
