import type { StepResult, Turn } from '../../contract/testRuns.ts';
import { addTurn } from '../../model/calls/turnOrder.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import type { StoredResult, TestRunRow } from '../store/schema.ts';
import { logFailure } from '../runs/stopReason.ts';
import type { Store } from '../store/store.ts';
import type { PlanEvent } from './testPlan.ts';

interface RunProgressParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
  /** The run was cancelled, in this process or another one. */
  readonly onCancelled: () => void;
  readonly onStored: () => void;
}

const storeEveryMs = 200;

/** The state of an active run, stored a few times per second, so that it survives a crash. */
export class RunProgress {
  readonly #parts: RunProgressParts;
  readonly #run: TestRunRow;
  readonly #steps: StepResult[] = [];
  readonly #transcript: Turn[] = [];
  #awaitsCallAt: string | undefined;
  #hearing = '';
  #timer: TimerHandle | undefined;
  #writing = Promise.resolve();

  constructor(parts: RunProgressParts, run: TestRunRow) {
    this.#parts = parts;
    this.#run = run;
  }

  get stored(): StoredResult {
    const { awaitsCallAt: _before, hearing: _cut, ...result } = this.#run.result;
    return {
      ...result,
      steps: this.#steps,
      transcript: this.#transcript,
      ...(this.#awaitsCallAt !== undefined && { awaitsCallAt: this.#awaitsCallAt }),
      ...(this.#hearing !== '' && { hearing: this.#hearing }),
    };
  }

  /** It waits there for an inbound call. */
  waitsAt(address: string): void {
    this.#awaitsCallAt = address;
    this.#touch();
  }

  take(event: Extract<PlanEvent, { type: 'turn' | 'step' | 'hearing' }>): void {
    this.#awaitsCallAt = undefined;
    if (event.type !== 'step') this.#hearing = event.type === 'hearing' ? event.text : '';
    if (event.type === 'turn') addTurn(this.#transcript, event.turn);
    else if (event.type === 'step') this.#steps[event.index] = event.result;
    this.#touch();
  }

  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    await this.#writing;
  }

  #touch(): void {
    this.#timer ??= this.#parts.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, storeEveryMs);
  }

  async #write(): Promise<void> {
    const { store, log, onCancelled, onStored } = this.#parts;
    try {
      const row = await store.write((transaction) =>
        transaction
          .updateTable('test_runs')
          .set({ result: JSON.stringify(this.stored) })
          .where('id', '=', this.#run.id)
          .where('completed_at', 'is', null)
          .returning('cancelled')
          .executeTakeFirst(),
      );
      if (row?.cancelled === true) onCancelled();
      onStored();
    } catch (error) {
      logFailure({ runId: this.#run.id, log }, error, 'what a test run heard could not be stored');
    }
  }
}
