import { stateOf } from '../../../contract/runState.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { after, pause } from '../../basics/clock.ts';
import { isUnreachable } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import { describeCause, type Logger } from '../../basics/log/logger.ts';
import { failureOf, type Ending, type Failure } from '../failures.ts';
import { cancelRuns } from './cancelRuns.ts';
import { endingOf, followRun, type FollowParts } from './followRun.ts';
import { LiveTranscript } from './liveTranscript.ts';
import type { TestReporter } from './testReporter.ts';

export interface RunFollowerParts extends FollowParts {
  readonly log: Logger;
  readonly l10n: L10n;
}

export interface Launched {
  readonly id: string;
}

export interface LaunchListener<Item> {
  readonly launched: (item: Item, runId: string) => void;
  readonly ended: (item: Item, ending: Ending) => void;
  /** It wasn't followed to its end, and is cancelled. */
  readonly lost: (item: Item, failure: Failure) => void;
}

/** Hanging up takes a moment; a later end isn't waited for. */
const hangUpMs = 10_000;

export class RunFollower {
  readonly #parts: RunFollowerParts;
  readonly #going = new Map<string, string>();

  constructor(parts: RunFollowerParts) {
    this.#parts = parts;
  }

  /** The active runs: name by run id. */
  get going(): ReadonlyMap<string, string> {
    return this.#going;
  }

  add(runs: readonly Launched[], name: string): void {
    for (const { id } of runs) this.#going.set(id, name);
  }

  /** The service starts the runs one after the other, so they are followed in that order. */
  async followAll<Item>(
    runs: readonly Launched[],
    items: readonly Item[],
    reporter: TestReporter<Item>,
    heading: string,
    on: LaunchListener<Item>,
    signal: AbortSignal,
  ): Promise<void> {
    let hangingUp: Promise<void> | undefined;
    // Cancels the first active run, and then from the last, so that waiting runs don't get the lines that become free.
    const stop = (): void => {
      const [first, ...waiting] = runs.map(({ id }) => id).filter((id) => this.#going.has(id));
      hangingUp = first === undefined ? undefined : this.#cancelAll([first, ...waiting.reverse()]);
    };
    signal.addEventListener('abort', stop, { once: true });
    const over = new AbortController();
    try {
      if (signal.aborted) stop();
      for (const [at, run] of runs.entries()) {
        const item = items[at];
        if (item === undefined) this.#going.delete(run.id);
        if (item === undefined || signal.aborted) continue;
        try {
          reporter.started(item);
          on.launched(item, run.id);
          if (heading !== '') reporter.output(item, heading);
          const ending = await this.#followOne(run.id, item, reporter, signal);
          if (ending) on.ended(item, ending);
        } catch (error) {
          if (signal.aborted) continue;
          // A call that isn't followed must not continue, because no one sees its result. If the service is away, this
          // applies to the rest too.
          const affectedRuns = isUnreachable(error) ? runs.slice(at) : [run];
          void this.#cancelAll(affectedRuns.map(({ id }) => id));
          this.#parts.log.error(`A run was not followed to its end: ${describeCause(error)}`);
          for (const [index] of affectedRuns.entries()) {
            const shown = items[at + index];
            if (shown !== undefined) on.lost(shown, failureOf(error, this.#parts.l10n));
          }
          if (affectedRuns.length > 1) return;
        }
      }
      if (hangingUp) await Promise.race([hangingUp, pause(this.#parts.clock, hangUpMs, over.signal)]);
    } finally {
      over.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Returns undefined for a cancelled run, which says nothing about the called side, wherever it was cancelled. */
  async #followOne<Item>(
    runId: string,
    item: Item,
    reporter: TestReporter<Item>,
    signal: AbortSignal,
  ): Promise<Ending | undefined> {
    const live = new LiveTranscript(this.#parts.l10n);
    const results = await this.#followToEnd(
      runId,
      (read) => {
        const text = live.next(read);
        if (text !== '') reporter.output(item, text);
      },
      signal,
    );
    if (results.status === 'completed') this.#going.delete(runId);
    const { status, outcome = '', endedBy } = results;
    if (status !== 'completed' || signal.aborted || stateOf(outcome, endedBy) === 'cancelled') return undefined;
    const ending = await endingOf(this.#parts.client, results);
    const reasoning = ending.mission?.judgeReasoning;
    if (reasoning !== undefined) reporter.output(item, live.judged(reasoning));
    return ending;
  }

  /** Also follows after a cancel, for as long as hanging up takes. */
  async #followToEnd(
    runId: string,
    onResults: (results: RunResults) => void,
    signal: AbortSignal,
  ): Promise<RunResults> {
    const late = new AbortController();
    let stopWaiting: (() => void) | undefined;
    const wait = (): void => {
      stopWaiting = after(this.#parts.clock, hangUpMs, () => late.abort());
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
    try {
      return await followRun(this.#parts, runId, onResults, late.signal);
    } finally {
      signal.removeEventListener('abort', wait);
      stopWaiting?.();
    }
  }

  #cancelAll(runIds: readonly string[]): Promise<void> {
    const { client, clock, log } = this.#parts;
    return cancelRuns(
      runIds,
      (runId) => {
        this.#going.delete(runId);
      },
      { cancel: (runId) => client.call('cancelTestRun', { runId }), clock, log },
    );
  }
}
