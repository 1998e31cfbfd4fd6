import { sql } from 'kysely';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { ScriptGuide } from '../../engine/script/script.ts';
import type { Logger } from '../basics/log.ts';
import { logFailure } from '../runs/stopReason.ts';
import type { EventBus } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { inColumns } from './launchSecrets.ts';

interface GivenStepsParts {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
}

interface GuidedRun {
  readonly id: string;
  readonly workspace_id: string;
}

/** An event can be lost between two processes, so the store is also read this often. */
const readEveryMs = 2000;

/** The steps of a guided run, in order, each once. Any process can store them; this one performs the run. */
export class GivenSteps implements ScriptGuide {
  readonly #parts: GivenStepsParts;
  readonly #run: GuidedRun;
  readonly #stop: () => void;
  #steps: readonly TestStep[] = [];
  #taken = 0;
  #wake: (() => void) | undefined;
  #timer: TimerHandle | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;

  constructor(parts: GivenStepsParts, run: GuidedRun) {
    this.#parts = parts;
    this.#run = run;
    this.#stop = parts.events.listen(run.workspace_id, (event) => {
      if (event.type === 'test.changed' && event.runId === run.id) this.#refresh();
    });
    this.#refresh();
  }

  take(): TestStep | undefined {
    const step = this.#steps[this.#taken];
    if (step) this.#taken += 1;
    return step && inColumns(step);
  }

  listen(wake: () => void): () => void {
    this.#wake = wake;
    return () => {
      this.#wake = undefined;
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    await this.#reading;
  }

  /** Reads the steps again, one reading at a time. */
  #refresh(): void {
    this.#isStale = true;
    this.#reading ??= this.#readAll();
  }

  async #readAll(): Promise<void> {
    const { clock, log } = this.#parts;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        this.#steps = await this.#read();
      } catch (error) {
        logFailure({ runId: this.#run.id, log }, error, 'the next step of a guided run could not be read');
      }
      if (this.#steps.length > this.#taken) this.#wake?.();
    }
    this.#reading = undefined;
    if (!this.#isClosed) this.#timer = clock.setTimeout(() => this.#refresh(), readEveryMs);
  }

  async #read(): Promise<readonly TestStep[]> {
    const row = await this.#parts.store.db
      .selectFrom('test_runs')
      .select(sql<readonly TestStep[] | null>`plan -> 'given'`.as('given'))
      .where('id', '=', this.#run.id)
      .executeTakeFirst();
    return row?.given ?? this.#steps;
  }
}
