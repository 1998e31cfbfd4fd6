import type { PlanCalls } from '../../contract/callPlan.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import { withId } from '../../model/fileId.ts';
import { readTestFile } from '../../model/testFile.ts';
import type { ReadBeside, TestFile } from '../../model/testFile.ts';
import type { Clock } from '../clock.ts';
import { pause } from '../clock.ts';
import { isAbort, isCode, messageOf } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { L10n } from '../localise.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import type { Ending, Failure } from './failures.ts';
import { failuresOf, problemFailure } from './failures.ts';
import { followRun } from './followRun.ts';
import { LiveTranscript } from './liveTranscript.ts';
import type { SavedTests } from './savedTests.ts';

/** A file of the workspace, as a run needs it. */
export interface TestSource {
  /** Names it in problems; its end tells its kind. */
  readonly file: string;
  /** Its text, as it stands in the editor where it is open. */
  read(): Promise<string>;
  /** Puts another text in its place, on the disk too. */
  write(text: string): Promise<void>;
  readonly readBeside: ReadBeside;
}

/** One test that shall run: what is shown of it is an `Item`. */
export interface Wanted<Item> {
  readonly source: TestSource;
  /** Of the test itself. */
  readonly item: Item;
  /** The rows that shall run, by their place in the file, each with what is shown of it; all where there are none. */
  readonly rows: ReadonlyMap<number, Item>;
}

/** Shows how tests go. Each item ends with exactly one of the last four. */
export interface TestReporter<Item> {
  started(item: Item): void;
  launched(item: Item, runId: string): void;
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
  readonly newId: () => string;
  /** Plays the practice IVR of a file, unless it plays already: the address to call. */
  readonly play: (besideFile: string, ivr: string) => Promise<string>;
  /** Asks for consent where the service wants it; undefined where it is declined. */
  readonly withConsent: <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;
}

export interface RunOptions { readonly signal: AbortSignal; readonly repeat: number }

interface Launched { readonly id: string }

/** Tests of one window that hold calls at once; the service may allow fewer. */
const mostAtOnce = 4;
/** After this long, a place that other runs of the workspace hold is asked for again. */
const retryMs = 5_000;
/** A hang-up takes a moment; what ends later is not waited for. */
const hangUpMs = 10_000;

/** Runs tests of files: brings each to the service, launches it, follows its runs to their end, and tells how they went. */
export class TestRunner {
  readonly #parts: TestRunnerParts;
  readonly #going = new Map<string, string>();

  constructor(parts: TestRunnerParts) {
    this.#parts = parts;
  }

  /** The runs that were launched here and go on: name by run id. */
  get going(): ReadonlyMap<string, string> { return this.#going; }

  /** Settles when every item has ended. Never rejects: what goes wrong is told of the item. */
  async run<Item>(wanted: readonly Wanted<Item>[], reporter: TestReporter<Item>, options: RunOptions): Promise<void> {
    const queue = [...wanted];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.#runOne(next, reporter, options);
    };
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, wanted.length) }, work));
  }

  async #runOne<Item>(wanted: Wanted<Item>, reporter: TestReporter<Item>, options: RunOptions): Promise<void> {
    const open = new Set<Item>(wanted.rows.size > 0 ? wanted.rows.values() : [wanted.item]);
    const close = (item: Item, tell: () => void): void => { if (open.delete(item)) tell(); };
    const { log, l10n } = this.#parts;
    try {
      if (options.signal.aborted) return;
      const read = await this.#readWithId(wanted.source);
      if ('problems' in read) {
        for (const item of open) close(item, () => { reporter.errored(item, read.problems.map(problemFailure), 0); });
        return;
      }
      await this.#runRead(read.file, read.id, wanted, reporter, close, options);
    } catch (error) {
      if (!options.signal.aborted && !isAbort(error)) log.error(`A test was not run: ${describeCause(error)}`);
      const message = messageOf(error) ?? l10n.t('Internal error, see the log.');
      if (!options.signal.aborted) for (const item of [...open]) close(item, () => { reporter.errored(item, [{ message }], 0); });
    } finally {
      for (const item of open) reporter.skipped(item);
    }
  }

  /** A file without an id gets one: by it the service and baselines know the test. */
  async #readWithId(source: TestSource): Promise<{ readonly file: TestFile; readonly id: string } | Extract<Awaited<ReturnType<typeof readTestFile>>, { problems: unknown }>> {
    const text = await source.read();
    const read = await readTestFile(text, source.file, source.readBeside);
    if ('problems' in read) return read;
    if (read.test.id !== undefined) return { file: read, id: read.test.id };
    const id = this.#parts.newId();
    const changed = withId(text, id);
    await source.write(changed);
    // What stands below has moved.
    const again = await readTestFile(changed, source.file, source.readBeside);
    return 'problems' in again ? again : { file: again, id };
  }

  async #runRead<Item>(file: TestFile, id: string, { source, item, rows }: Wanted<Item>, reporter: TestReporter<Item>, close: (item: Item, tell: () => void) => void, options: RunOptions): Promise<void> {
    const { client, play, saved, l10n, withConsent } = this.#parts;
    const phoneNumber = file.test.phoneNumber ?? await play(source.file, file.test.ivr ?? '');
    if (!await saved.save({ file, id, phoneNumber })) {
      reporter.output(item, `${l10n.t('The service holds another text of this test, which was kept. Nothing was called.')}\r\n`);
      return;
    }
    const saidRows = file.kind === 'calltest' ? file.test.rows ?? [] : [];
    // A file that was changed since its rows were listed may have fewer.
    const places = [...(rows.size > 0 ? rows.keys() : saidRows.keys())].filter((place) => place < saidRows.length);
    const chosen = saidRows.filter((_row, place) => places.includes(place));
    const items = saidRows.length === 0 ? [item] : [...places].sort((one, other) => one - other).map((place) => rows.get(place) ?? item);
    const endings = new Map<Item, Ending[]>(items.map((shown) => [shown, []]));
    for (let round = 1; round <= options.repeat && !options.signal.aborted; round += 1) {
      const rowsGiven = chosen.length < saidRows.length && { rows: chosen };
      const launch = async (): Promise<readonly Launched[]> => (file.kind === 'mission' ? [await client.call('runMissionTest', { configId: id })]
        : (await client.call('runTest', { configId: id, ...rowsGiven })).items);
      const launched = await withConsent(file.kind === 'mission' ? { missionConfigId: id } : { testConfigId: id, ...rowsGiven }, () => this.#whenThereIsRoom(file.test.name, launch, options.signal));
      if (!launched) return;
      const heading = options.repeat > 1 ? `${l10n.t('Run {0} of {1}', round, options.repeat)}\r\n` : '';
      await this.#followAll(launched, items, reporter, heading, (shown, ending) => {
        endings.get(shown)?.push(ending);
        reporter.ran?.(shown, file, ending, source);
      }, options.signal);
    }
    for (const [shown, ended] of endings) {
      const launches = items.filter((other) => other === shown).length * options.repeat;
      if (ended.length === launches) close(shown, () => { this.#tell(shown, ended, file, reporter); });
    }
  }

  /** One run after the other gets a line, as the service makes them. */
  async #followAll<Item>(runs: readonly Launched[], items: readonly Item[], reporter: TestReporter<Item>, heading: string, onEnd: (item: Item, ending: Ending) => void, signal: AbortSignal): Promise<void> {
    const stop = (): void => { for (const run of runs) if (this.#going.has(run.id)) void this.cancel(run.id).catch((error: unknown) => { this.#parts.log.warn(describeCause(error)); }); };
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      for (const [at, run] of runs.entries()) {
        const item = items[at];
        if (item === undefined) continue;
        reporter.started(item);
        reporter.launched(item, run.id);
        if (heading !== '') reporter.output(item, heading);
        const live = new LiveTranscript(this.#parts.l10n);
        const results = await this.#followToEnd(run.id, (read) => {
          const text = live.next(read);
          if (text !== '') reporter.output(item, text);
        }, signal);
        this.#going.delete(run.id);
        // What ended after it was cancelled says nothing of the called side.
        if (results.status !== 'completed' || signal.aborted) continue;
        const mission = results.runType === 'mission' ? await this.#parts.client.call('getMissionTestRun', { runId: run.id }) : undefined;
        if (mission?.judgeReasoning !== undefined) reporter.output(item, live.judged(mission.judgeReasoning));
        onEnd(item, { results, mission });
      }
    } finally {
      signal.removeEventListener('abort', stop);
      for (const run of runs) this.#going.delete(run.id);
    }
  }

  /** Also after a cancel, for as long as hanging up takes. */
  async #followToEnd(runId: string, onResults: (results: RunResults) => void, signal: AbortSignal): Promise<RunResults> {
    const late = new AbortController();
    let stopWaiting: (() => void) | undefined;
    const wait = (): void => { stopWaiting = this.#parts.clock.after(hangUpMs, () => { late.abort(); }); };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
    try {
      return await followRun(this.#parts, runId, onResults, late.signal);
    } finally {
      signal.removeEventListener('abort', wait);
      stopWaiting?.();
    }
  }

  /** Hangs up the call of a run, or takes it out of the queue. */
  async cancel(runId: string): Promise<void> {
    await this.#parts.client.call('cancelTestRun', { runId });
  }

  /** Other runs of the workspace may hold its lines: waits for one of our own to end, or for a while. */
  async #whenThereIsRoom(name: string, launch: () => Promise<readonly Launched[]>, signal: AbortSignal): Promise<readonly Launched[]> {
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

  #tell<Item>(item: Item, ended: readonly Ending[], file: TestFile, reporter: TestReporter<Item>): void {
    const { l10n } = this.#parts;
    const ms = ended.reduce((sum, { results }) => sum + durationOf(results), 0);
    const wrong = ended.flatMap((ending, index) => (ending.results.outcome === 'PASS' ? [] : [{ ending, index }]));
    if (wrong.length === 0) { reporter.passed(item, ms); return; }
    const failures = wrong.flatMap(({ ending, index }) => failuresOf(ending, file, l10n)
      .map((failure) => (ended.length === 1 ? failure : { ...failure, message: `${l10n.t('Run {0} of {1}', index + 1, ended.length)}. ${failure.message}` })));
    if (wrong.some(({ ending }) => ending.results.outcome === 'FAIL')) reporter.failed(item, failures, ms);
    else reporter.errored(item, failures, ms);
  }
}

function durationOf({ callSeconds, startedAt, completedAt }: RunResults): number {
  if (callSeconds !== undefined) return callSeconds * 1000;
  return completedAt === undefined ? 0 : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
