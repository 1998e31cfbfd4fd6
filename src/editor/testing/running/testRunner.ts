import type { PlanCalls } from '../../../contract/callPlan.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import type { ScriptedTestFile, TestFile } from '../../../model/tests/testFile.ts';
import { pause } from '../../basics/clock.ts';
import { isAbort, isCode } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { TestSource } from '../../folders/testSource.ts';
import { failureOf, failuresOf, problemFailure, type Ending, type Failure } from '../failures.ts';
import { rowKeys } from './rowKeys.ts';
import { RunFollower, type Launched, type LaunchListener, type RunFollowerParts } from './runFollower.ts';
import type { Placed, SavedTests } from './savedTests.ts';
import { runUnderLoad, type LoadSize, type UnderLoadParts } from './runUnderLoad.ts';
import { sharedIds } from './sharedIds.ts';
import type { TestIds } from './testIds.ts';
import type { TestReporter } from './testReporter.ts';

/** A test to run. An `Item` shows it. */
export interface Wanted<Item> {
  readonly source: TestSource;
  /** The item of the test itself. */
  readonly item: Item;
  /** The rows to run, by their keys, each with its item. Empty means all rows. @see rowKeys */
  readonly rows: ReadonlyMap<string, Item>;
}

export interface TestRunnerParts extends RunFollowerParts, Pick<UnderLoadParts, 'startLoad'> {
  readonly saved: SavedTests;
  readonly ids: TestIds;
  /** Starts a file's practice IVR, unless it is already running, and returns its address. */
  readonly play: (besideFile: string, ivr: string) => Promise<string>;
  /** Describes what calls would use, `times` over, if the user should know. Without it, nothing is described. */
  readonly planWords?: (subject: PlanCalls, times: number) => Promise<string | undefined>;
  /** Asks for consent if the service requires it. Returns undefined if the user declines. */
  readonly withConsent: <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;
}

interface RunOptions {
  readonly signal: AbortSignal;
  readonly repeat: number;
  /** Each test is carried out on this many calls, one test after the other. */
  readonly load?: LoadSize | undefined;
}

interface Ready<Item> extends Placed, Chosen<Item> {
  /** The service's `updatedAt`, or undefined if the service has another version, which is kept. */
  version: string | undefined;
  readonly subject: PlanCalls;
  /** The item of the test itself. */
  readonly item: Item;
  readonly source: TestSource;
}

/** The part of a test that a launch runs. */
interface Chosen<Item> {
  /** The item of each run, in the order of the runs. */
  readonly items: readonly Item[];
  /** The rows, if only some of them run. */
  readonly given: false | { readonly rows: NonNullable<ScriptedTestFile['test']['rows']> };
}

interface Outcome {
  readonly runsARound: number;
  readonly ended: Ending[];
  /** Why runs weren't followed to their end. */
  readonly lost: Failure[];
}

/** Simultaneous tests of one window. The service can allow fewer. */
const maxAtOnce = 4;
/** If other runs of the workspace use all places, asks again after this time. */
const retryMs = 5_000;
/** Another client can keep saving its own version of a test. */
const maxTries = 5;

/**
 * Runs tests of files: saves each on the service, launches it, follows its runs to their end, and reports the results.
 */
export class TestRunner {
  readonly #parts: TestRunnerParts;
  readonly #follower: RunFollower;

  constructor(parts: TestRunnerParts) {
    this.#parts = parts;
    this.#follower = new RunFollower(parts);
  }

  /** The active runs that this editor launched: name by run id. */
  get going(): ReadonlyMap<string, string> {
    return this.#follower.going;
  }

  /** Resolves when every item has ended. Never rejects; errors are reported at the item. */
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
    // A workspace can run one load test at a time.
    const atOnce = options.load ? 1 : maxAtOnce;
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, work));
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
        for (const item of open) close(item, () => reporter.errored(item, read.problems.map(problemFailure), 0));
        return;
      }
      const ready = await this.#prepare(read, wanted, reporter, options);
      if (ready && options.load) await this.#runUnderLoad(ready, options.load, reporter, close, options);
      else if (ready) await this.#runReady(ready, reporter, close, options);
    } catch (error) {
      if (!options.signal.aborted && !isAbort(error)) log.error(`A test was not run: ${describeCause(error)}`);
      const failure = failureOf(error, this.#parts.l10n);
      if (!options.signal.aborted)
        for (const item of [...open]) close(item, () => reporter.errored(item, [failure], 0));
    } finally {
      for (const item of open) reporter.skipped(item);
    }
  }

  /** Saves the file's version on the service. Returns undefined if there is nothing to launch. */
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

  async #runUnderLoad<Item>(
    ready: Ready<Item>,
    load: LoadSize,
    reporter: TestReporter<Item>,
    close: (item: Item, tell: () => void) => void,
    { signal }: RunOptions,
  ): Promise<void> {
    const { item } = ready;
    const report = await runUnderLoad(this.#parts, ready, load, { item, reporter, signal });
    if (report) close(item, report);
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
      launched: (shown, runId) => reporter.launched(shown, runId, file),
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
    // If a run was lost, there is no next round; the completed runs count.
    const wantedRounds = isAnyLost() ? rounds : repeat;
    for (const [shown, { runsARound, ended, lost }] of outcomes)
      if (lost.length > 0 || ended.length === runsARound * wantedRounds)
        close(shown, () => this.#tell(shown, ended, lost, file, reporter));
  }

  #tellKept<Item>(item: Item, reporter: TestReporter<Item>): void {
    const { l10n } = this.#parts;
    reporter.output(
      item,
      `${l10n.t('The service has a different version of this test, and you kept that version. For this reason, Dialtree placed no calls.')}\r\n`,
    );
  }

  /** Returns no runs if the service has another version in the meantime that is kept. `test` has no version then. */
  async #launch(test: Ready<unknown>): Promise<readonly Launched[]> {
    const { client, saved } = this.#parts;
    for (let tries = 1; test.version !== undefined; tries += 1) {
      try {
        const meant = { configId: test.id, expectedUpdatedAt: test.version };
        return test.file.kind === 'mission'
          ? [await client.call('runMissionTest', meant)]
          : (await client.call('runTest', { ...meant, ...test.given })).items;
      } catch (error) {
        // Another version has replaced it in the meantime, so the file's version is saved again.
        if (!isCode(error, 'edited_since') || tries === maxTries) throw error;
        test.version = await saved.save(test);
      }
    }
    return [];
  }

  /** Other runs of the workspace may use its lines. Waits until one of this window's runs ends, or for a while. */
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

/** Returns undefined if the file doesn't contain the requested rows any more. */
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
