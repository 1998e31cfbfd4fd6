import type { PlanCalls } from '../../contract/callPlan.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import type { TestFile } from '../../model/testFile.ts';
import type { Clock } from '../clock.ts';
import { pause } from '../clock.ts';
import { isAbort, isCode, isUnreachable, messageOf } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { L10n } from '../localise.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { cancelRuns } from './cancelRuns.ts';
import type { Ending, Failure } from './failures.ts';
import { failuresOf, problemFailure } from './failures.ts';
import { followRun } from './followRun.ts';
import { LiveTranscript } from './liveTranscript.ts';
import { rowKeys } from './rowKeys.ts';
import type { SavedTests } from './savedTests.ts';
import { sharedIds } from './sharedIds.ts';
import type { TestIds } from './testIds.ts';
import type { TestSource } from './testSource.ts';

/** One test that shall run: what is shown of it is an `Item`. */
export interface Wanted<Item> {
  readonly source: TestSource;
  /** Of the test itself. */
  readonly item: Item;
  /** The rows that shall run, by their keys, each with what is shown of it; all where there are none. @see rowKeys */
  readonly rows: ReadonlyMap<string, Item>;
}

/** Shows how tests go. Each item ends with exactly one of the last four. */
export interface TestReporter<Item> {
  started(item: Item): void;
  /** A run of the test was made; of `file` as it is now, with its id. */
  launched(item: Item, runId: string, file: TestFile): void;
  /** A run of the test has ended, before the item does; of `file` as it was then. */
  ran?(item: Item, file: TestFile, ending: Ending, source: TestSource): void;
  output(item: Item, text: string): void;
  passed(item: Item, ms: number): void;
  failed(item: Item, failures: readonly Failure[], ms: number): void;
  /** Not the called side's fault, or nothing that can be decided. */
  errored(item: Item, failures: readonly Failure[], ms: number): void;
  skipped(item: Item): void;
}

export interface TestRunnerParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
  readonly saved: SavedTests;
  readonly clock: Clock;
  readonly log: Logger;
  readonly l10n: L10n;
  readonly ids: TestIds;
  /** Plays the practice IVR of a file, unless it plays already: the address to call. */
  readonly play: (besideFile: string, ivr: string) => Promise<string>;
  /** What calls would take, so many times over, where a person is to be told of it; without it none is. */
  readonly planWords?: (subject: PlanCalls, times: number) => Promise<string | undefined>;
  /** Asks for consent where the service wants it; undefined where it is declined. */
  readonly withConsent: <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly repeat: number;
}

interface Launched {
  readonly id: string;
}

/** How each run of a launch went. */
interface LaunchListener<Item> {
  readonly launched: (item: Item, runId: string) => void;
  readonly ended: (item: Item, ending: Ending) => void;
  /** It was not seen to its end, and is cancelled. */
  readonly lost: (item: Item, failure: Failure) => void;
}

/** Tests of one window that hold calls at once; the service may allow fewer. */
const mostAtOnce = 4;
/** After this long, a place that other runs of the workspace hold is asked for again. */
const retryMs = 5_000;
/** A hang-up takes a moment; what ends later is not waited for. */
const hangUpMs = 10_000;
/** Others may save another version of a test again and again. */
const mostTries = 5;

/** Runs tests of files: brings each to the service, launches it, follows its runs to their end, and tells how they went. */
export class TestRunner {
  readonly #parts: TestRunnerParts;
  readonly #going = new Map<string, string>();

  constructor(parts: TestRunnerParts) {
    this.#parts = parts;
  }

  /** The runs that were launched here and go on: name by run id. */
  get going(): ReadonlyMap<string, string> {
    return this.#going;
  }

  /** Settles when every item has ended. Never rejects: what goes wrong is told of the item. */
  async run<Item>(wanted: readonly Wanted<Item>[], reporter: TestReporter<Item>, options: RunOptions): Promise<void> {
    const shared = await sharedIds(
      wanted.map(({ source }) => source),
      this.#parts.l10n,
    );
    const queue = wanted.filter((one) => {
      const failure = shared.get(one.source);
      if (failure)
        for (const item of new Set(one.rows.size > 0 ? one.rows.values() : [one.item]))
          reporter.errored(item, [failure], 0);
      return !failure;
    });
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.#runOne(next, reporter, options);
    };
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, queue.length) }, work));
  }

  async #runOne<Item>(wanted: Wanted<Item>, reporter: TestReporter<Item>, options: RunOptions): Promise<void> {
    const open = new Set<Item>(wanted.rows.size > 0 ? wanted.rows.values() : [wanted.item]);
    const close = (item: Item, tell: () => void): void => {
      if (open.delete(item)) tell();
    };
    const { log } = this.#parts;
    try {
      if (options.signal.aborted) return;
      const read = await this.#parts.ids.read(wanted.source);
      if ('problems' in read) {
        for (const item of open)
          close(item, () => {
            reporter.errored(item, read.problems.map(problemFailure), 0);
          });
        return;
      }
      await this.#runRead(read.file, read.id, wanted, reporter, close, options);
    } catch (error) {
      if (!options.signal.aborted && !isAbort(error)) log.error(`A test was not run: ${describeCause(error)}`);
      const failure = this.#failure(error);
      if (!options.signal.aborted)
        for (const item of [...open])
          close(item, () => {
            reporter.errored(item, [failure], 0);
          });
    } finally {
      for (const item of open) reporter.skipped(item);
    }
  }

  async #runRead<Item>(
    file: TestFile,
    id: string,
    { source, item, rows }: Wanted<Item>,
    reporter: TestReporter<Item>,
    close: (item: Item, tell: () => void) => void,
    options: RunOptions,
  ): Promise<void> {
    const { client, play, saved, l10n, planWords, withConsent } = this.#parts;
    const phoneNumber = file.test.phoneNumber ?? (await play(source.file, file.test.ivr ?? ''));
    const keeps = (): void => {
      reporter.output(
        item,
        `${l10n.t('The service holds another text of this test, which was kept. Nothing was called.')}\r\n`,
      );
    };
    let version = await saved.save({ file, id, phoneNumber });
    if (version === undefined) {
      keeps();
      return;
    }
    const saidRows = file.kind === 'calltest' ? (file.test.rows ?? []) : [];
    const keys = file.kind === 'calltest' ? rowKeys(file) : [];
    // A file that was changed since its rows were listed may have others.
    const chosen =
      rows.size > 0
        ? [...keys.entries()].flatMap(([at, key]) => {
            const shown = rows.get(key);
            return shown === undefined ? [] : [{ at, shown }];
          })
        : [...keys.keys()].map((at) => ({ at, shown: item }));
    if (rows.size > 0 && chosen.length === 0) return;
    const items = saidRows.length === 0 ? [item] : chosen.map(({ shown }) => shown);
    const endings = new Map<Item, Ending[]>(items.map((shown) => [shown, []]));
    const lost = new Map<Item, Failure[]>();
    const rowsGiven = chosen.length < saidRows.length && {
      rows: saidRows.filter((_row, place) => chosen.some(({ at }) => at === place)),
    };
    const subject = file.kind === 'mission' ? { missionConfigId: id } : { testConfigId: id, ...rowsGiven };
    const plan = await planWords?.(subject, options.repeat);
    if (plan !== undefined) reporter.output(item, `${plan}\r\n`);
    let rounds = 0;
    while (rounds < options.repeat && lost.size === 0 && !options.signal.aborted) {
      const launch = async (): Promise<readonly Launched[]> => {
        for (let tries = 1; version !== undefined; tries += 1) {
          try {
            const meant = { configId: id, expectedUpdatedAt: version };
            return file.kind === 'mission'
              ? [await client.call('runMissionTest', meant)]
              : (await client.call('runTest', { ...meant, ...rowsGiven })).items;
          } catch (error) {
            // Another version took its place meanwhile: this file's is brought there again.
            if (!isCode(error, 'edited_since') || tries === mostTries) throw error;
            version = await saved.save({ file, id, phoneNumber });
          }
        }
        return [];
      };
      const launched = await withConsent(subject, () => this.#whenThereIsRoom(file.test.name, launch, options.signal));
      if (version === undefined) keeps();
      if (!launched || version === undefined) return;
      rounds += 1;
      const heading = options.repeat > 1 ? `${l10n.t('Run {0} of {1}', rounds, options.repeat)}\r\n` : '';
      await this.#followAll(
        launched,
        items,
        reporter,
        heading,
        {
          launched: (shown, runId) => {
            reporter.launched(shown, runId, file);
          },
          ended: (shown, ending) => {
            endings.get(shown)?.push(ending);
            reporter.ran?.(shown, file, ending, source);
          },
          lost: (shown, failure) => {
            const told = lost.get(shown) ?? [];
            if (!told.some(({ message }) => message === failure.message)) lost.set(shown, [...told, failure]);
          },
        },
        options.signal,
      );
    }
    // Where one was lost there is no next round: what was run counts.
    const wantedRounds = lost.size > 0 ? rounds : options.repeat;
    for (const [shown, ended] of endings) {
      const unseen = lost.get(shown) ?? [];
      const launches = items.filter((other) => other === shown).length * wantedRounds;
      if (unseen.length > 0 || ended.length === launches)
        close(shown, () => {
          this.#tell(shown, ended, unseen, file, reporter);
        });
    }
  }

  /** One run after the other gets a line, as the service makes them. */
  async #followAll<Item>(
    runs: readonly Launched[],
    items: readonly Item[],
    reporter: TestReporter<Item>,
    heading: string,
    on: LaunchListener<Item>,
    signal: AbortSignal,
  ): Promise<void> {
    let hangingUp: Promise<void> | undefined;
    // The first that goes on, and then from the last: what waits gets none of the lines that become free.
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
          // Nobody sees what a call comes to that is not followed: it shall not go on. Where the service is away, neither do the others.
          const left = isUnreachable(error) ? runs.slice(at) : [run];
          void this.#cancelAll(left.map(({ id }) => id));
          this.#parts.log.error(`A run was not followed to its end: ${describeCause(error)}`);
          for (const [index] of left.entries()) {
            const shown = items[at + index];
            if (shown !== undefined) on.lost(shown, this.#failure(error));
          }
          if (left.length > 1) return;
        }
      }
      if (hangingUp) await Promise.race([hangingUp, pause(this.#parts.clock, hangUpMs, over.signal)]);
    } finally {
      over.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  /** undefined of a run that was cancelled: it says nothing of the called side. */
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
    if (results.status !== 'completed' || signal.aborted) return undefined;
    const mission =
      results.runType === 'mission' ? await this.#parts.client.call('getMissionTestRun', { runId }) : undefined;
    if (mission?.judgeReasoning !== undefined) reporter.output(item, live.judged(mission.judgeReasoning));
    return { results, mission };
  }

  /** Also after a cancel, for as long as hanging up takes. */
  async #followToEnd(
    runId: string,
    onResults: (results: RunResults) => void,
    signal: AbortSignal,
  ): Promise<RunResults> {
    const late = new AbortController();
    let stopWaiting: (() => void) | undefined;
    const wait = (): void => {
      stopWaiting = this.#parts.clock.after(hangUpMs, () => {
        late.abort();
      });
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

  #failure(error: unknown): Failure {
    return { message: messageOf(error) ?? this.#parts.l10n.t('Internal error, see the log.') };
  }

  /** Other runs of the workspace may hold its lines: waits for one of our own to end, or for a while. */
  async #whenThereIsRoom(
    name: string,
    launch: () => Promise<readonly Launched[]>,
    signal: AbortSignal,
  ): Promise<readonly Launched[]> {
    for (;;) {
      try {
        const runs = await launch();
        for (const { id } of runs) this.#going.set(id, name);
        return runs;
      } catch (error) {
        if (!isCode(error, 'concurrency_ceiling') || this.#going.size === 0 || signal.aborted) throw error;
        await pause(this.#parts.clock, retryMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  #tell<Item>(
    item: Item,
    ended: readonly Ending[],
    lost: readonly Failure[],
    file: TestFile,
    reporter: TestReporter<Item>,
  ): void {
    const { l10n } = this.#parts;
    const ms = ended.reduce((sum, { results }) => sum + durationOf(results), 0);
    const wrong = ended.flatMap((ending, index) => (ending.results.outcome === 'PASS' ? [] : [{ ending, index }]));
    if (wrong.length === 0 && lost.length === 0) {
      reporter.passed(item, ms);
      return;
    }
    const several = ended.length + lost.length;
    const failures = wrong.flatMap(({ ending, index }) =>
      failuresOf(ending, file, l10n).map((failure) => ({
        ...failure,
        ...(several > 1 && { message: `${l10n.t('Run {0} of {1}', index + 1, several)}. ${failure.message}` }),
        runId: ending.results.id,
      })),
    );
    if (wrong.some(({ ending }) => ending.results.outcome === 'FAIL'))
      reporter.failed(item, [...failures, ...lost], ms);
    else reporter.errored(item, [...failures, ...lost], ms);
  }
}

function durationOf({ callSeconds, startedAt, completedAt }: RunResults): number {
  if (callSeconds !== undefined) return callSeconds * 1000;
  return completedAt === undefined ? 0 : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
