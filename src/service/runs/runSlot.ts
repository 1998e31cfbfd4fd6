import type { Clock, TimerHandle } from '../../telephony/clock.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { Logger } from '../log.ts';
import type { Store } from '../store/store.ts';
import { renew, renewEveryMs } from '../workspaces/admission.ts';

interface RunSlotOptions { readonly store: Store; readonly clock: Clock; readonly now: () => Date; readonly log: Logger; readonly workspaceId: string; readonly runId: string; readonly pool: Pool }

/** Keeps a run's slot while the run goes on; without a sign of life others may take it. */
export class RunSlot {
  readonly #options: RunSlotOptions;
  #timer: TimerHandle | undefined;

  constructor(options: RunSlotOptions) { this.#options = options; }

  /** Returns the seconds of calls that the run may use; undefined where nothing limits it. */
  async hold(): Promise<number | undefined> {
    const budgetSeconds = await this.#renew();
    this.#next();
    return budgetSeconds;
  }

  release(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
  }

  #next(): void {
    const { clock, log, runId } = this.#options;
    this.#timer = clock.setTimeout(() => {
      this.#next();
      this.#renew().catch((error: unknown) => { log.error({ runId, err: error }, 'the slot of a run could not be renewed'); });
    }, renewEveryMs);
  }

  #renew(): Promise<number | undefined> {
    const { store, workspaceId, runId, pool, now } = this.#options;
    return store.writeUnguarded((transaction) => renew(transaction, { workspaceId, runId, pool, now: now() }));
  }
}
