import type { PlanCalls } from '../../../contract/callPlan.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import type { ScriptedTestFile, TestFile } from '../../../model/tests/testFile.ts';
import { pause } from '../../basics/clock.ts';
import { isAbort, isCode } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { Ending, Failure } from '../failures.ts';
import { failureOf, failuresOf, problemFailure } from '../failures.ts';
import { rowKeys } from './rowKeys.ts';
import { RunFollower } from './runFollower.ts';
import type { Launched, LaunchListener, RunFollowerParts } from './runFollower.ts';
import type { Placed, SavedTests } from './savedTests.ts';
import { sharedIds } from './sharedIds.ts';
import type { TestIds } from './testIds.ts';

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

export interface TestRunnerParts extends RunFollowerParts {
  readonly saved: SavedTests;
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

/** A test that the service holds as its file has it. */
interface Ready<Item> extends Placed, Chosen<Item> {
  /** `updatedAt` of what the service holds; undefined once that is another text, which is kept. */
  version: string | undefined;
  readonly subject: PlanCalls;
  /** Of the test itself. */
  readonly item: Item;
  readonly source: TestSource;
}

/** What a launch runs of a test. */
interface Chosen<Item> {
  /** What is shown of each run, in the order of the runs. */
  readonly items: readonly Item[];
  /** The rows, where not all of them run. */
  readonly given: false | { readonly rows: NonNullable<ScriptedTestFile['test']['rows']> };
}

/** How the runs of an item went, in all rounds. */
interface Outcome {
  readonly runsARound: number;
  readonly ended: Ending[];
  /** Why runs were not seen to their end. */
  readonly lost: Failure[];
}

/** Tests of one window that hold calls at once; the service may allow fewer. */
const maxAtOnce = 4;
/** After this long, a place that other runs of the workspace hold is asked for again. */
const retryMs = 5_000;
/** Others may save another version of a test again and again. */
const maxTries = 5;

/**
 * Runs tests of files: brings each to the service, launches it, follows its runs to their end, and tells how they went.
 */
export class TestRunner {
  readonly #parts: TestRunnerParts;
  readonly #follower: RunFollower;

  constructor(parts: TestRunnerParts) {
    this.#parts = parts;
    this.#follower = new RunFollower(parts);
  }

  /** The runs that were launched here and go on: name by run id. */
  get going(): ReadonlyMap<string, string> {
    return this.#follower.going;
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
    await Promise.all(Array.from({ length: Math.min(maxAtOnce, queue.length) }, work));
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
      const ready = await this.#prepare(read, wanted, reporter, options);
      if (ready) await this.#runReady(ready, reporter, close, options);
    } catch (error) {
      if (!options.signal.aborted && !isAbort(error)) log.error(`A test was not run: ${describeCause(error)}`);
      const failure = failureOf(error, this.#parts.l10n);
      if (!options.signal.aborted)
        for (const item of [...open])
          close(item, () => {
            reporter.errored(item, [failure], 0);
          });
    } finally {
      for (const item of open) reporter.skipped(item);
    }
  }

  /** Brings the text of the file to the service. Undefined where there is nothing to launch. */
  async #prepare<Item>(
    { file, id }: Pick<Placed, 'file' | 'id'>,
    wanted: Wanted<Item>,
    reporter: TestReporter<Item>,
    { repeat }: RunOptions,
  ): Promise<Ready<Item> | undefined> {
    const { play, saved, planWords } = this.#parts;
    const { source, item } = wanted;
    const phoneNumber = file.test.phoneNumber ?? (await play(source.file, file.test.ivr ?? ''));
    const placed = { file, id, phoneNumber };
    const version = await saved.save(placed);
    if (version === undefined) {
      this.#tellKept(item, reporter);
      return undefined;
    }
    const chosen = chooseRows(file, wanted);
    if (!chosen) return undefined;
    const subject = file.kind === 'mission' ? { missionConfigId: id } : { testConfigId: id, ...chosen.given };
    const plan = await planWords?.(subject, repeat);
    if (plan !== undefined) reporter.output(item, `${plan}\r\n`);
    return { ...placed, ...chosen, version, subject, item, source };
  }

  async #runReady<Item>(
    ready: Ready<Item>,
    reporter: TestReporter<Item>,
    close: (item: Item, tell: () => void) => void,
    { signal, repeat }: RunOptions,
  ): Promise<void> {
    const { l10n, withConsent } = this.#parts;
    const { file, source, subject, items } = ready;
    const outcomes = new Map(
      items.map((shown): [Item, Outcome] => [
        shown,
        { runsARound: items.filter((other) => other === shown).length, ended: [], lost: [] },
      ]),
    );
    const isAnyLost = (): boolean => [...outcomes.values()].some(({ lost }) => lost.length > 0);
    const on: LaunchListener<Item> = {
      launched: (shown, runId) => {
        reporter.launched(shown, runId, file);
      },
      ended: (shown, ending) => {
        outcomes.get(shown)?.ended.push(ending);
        reporter.ran?.(shown, file, ending, source);
      },
      lost: (shown, failure) => {
        const lost = outcomes.get(shown)?.lost;
        if (!lost?.some(({ message }) => message === failure.message)) lost?.push(failure);
      },
    };
    let rounds = 0;
    while (rounds < repeat && !isAnyLost() && !signal.aborted) {
      const launched = await withConsent(subject, () =>
        this.#whenThereIsRoom(file.test.name, () => this.#launch(ready), signal),
      );
      if (ready.version === undefined) this.#tellKept(ready.item, reporter);
      if (!launched || ready.version === undefined) return;
      rounds += 1;
      const heading = repeat > 1 ? `${l10n.t('Run {0} of {1}', rounds, repeat)}\r\n` : '';
      await this.#follower.followAll(launched, items, reporter, heading, on, signal);
    }
    // Where one was lost there is no next round: what was run counts.
    const wantedRounds = isAnyLost() ? rounds : repeat;
    for (const [shown, { runsARound, ended, lost }] of outcomes)
      if (lost.length > 0 || ended.length === runsARound * wantedRounds)
        close(shown, () => {
          this.#tell(shown, ended, lost, file, reporter);
        });
  }

  #tellKept<Item>(item: Item, reporter: TestReporter<Item>): void {
    const { l10n } = this.#parts;
    reporter.output(
      item,
      `${l10n.t('The service has a different version of this test, and you kept that version. For this reason, Dialtree placed no calls.')}\r\n`,
    );
  }

  /** None where the service holds another text meanwhile that is kept: `test` has no version then. */
  async #launch(test: Ready<unknown>): Promise<readonly Launched[]> {
    const { client, saved } = this.#parts;
    for (let tries = 1; test.version !== undefined; tries += 1) {
      try {
        const meant = { configId: test.id, expectedUpdatedAt: test.version };
        return test.file.kind === 'mission'
          ? [await client.call('runMissionTest', meant)]
          : (await client.call('runTest', { ...meant, ...test.given })).items;
      } catch (error) {
        // Another version took its place meanwhile: this file's is brought there again.
        if (!isCode(error, 'edited_since') || tries === maxTries) throw error;
        test.version = await saved.save(test);
      }
    }
    return [];
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
        this.#follower.add(runs, name);
        return runs;
      } catch (error) {
        if (!isCode(error, 'concurrency_ceiling') || this.going.size === 0 || signal.aborted) throw error;
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

/** Undefined where none of the rows that shall run is in the file: it was changed since its rows were listed. */
function chooseRows<Item>(file: TestFile, { item, rows }: Wanted<Item>): Chosen<Item> | undefined {
  if (file.kind === 'mission' || file.test.rows === undefined || file.test.rows.length === 0)
    return rows.size > 0 ? undefined : { items: [item], given: false };
  const said = file.test.rows;
  const keys = rowKeys(file);
  const chosen = said.flatMap((row, at) => {
    const shown = rows.size > 0 ? rows.get(keys[at] ?? '') : item;
    return shown === undefined ? [] : [{ row, shown }];
  });
  if (chosen.length === 0) return undefined;
  return {
    items: chosen.map(({ shown }) => shown),
    given: chosen.length < said.length && { rows: chosen.map(({ row }) => row) },
  };
}

function durationOf({ callSeconds, startedAt, completedAt }: RunResults): number {
  if (callSeconds !== undefined) return callSeconds * 1000;
  return completedAt === undefined ? 0 : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
