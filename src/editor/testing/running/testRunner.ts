import type { PlanCalls } from '../../../contract/callPlan.ts';
import { stateOf } from '../../../contract/runState.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import type { ScriptedTestFile, TestFile } from '../../../model/tests/testFile.ts';
import {
  runTest,
  subjectOf,
  type Call,
  type RunEnding,
  type RunnerParts,
  type TestToRun,
} from '../../../runner/runTest.ts';
import { testIdOf } from '../../../runner/testId.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { pause } from '../../basics/wallClock.ts';
import { isAbort, isCode } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { readTest, type TestSource } from '../../folders/testSource.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import { testFailureOf, failuresOf, problemFailure, type Failure } from '../failures.ts';
import { LiveTranscript } from './liveTranscript.ts';
import { rowKeys } from './rowKeys.ts';
import { runUnderLoad, type LoadSize, type UnderLoadParts } from './runUnderLoad.ts';
import type { TestReporter } from './testReporter.ts';

/** A test to run. An `Item` shows it. */
export interface WantedTest<Item> {
  readonly source: TestSource;
  /** The item of the test itself. */
  readonly item: Item;
  /** The rows to run, by their keys, each with its item. Empty means all rows. @see rowKeys */
  readonly rows: ReadonlyMap<string, Item>;
}

export interface TestRunnerParts
  extends Pick<RunnerParts, 'client'>, Pick<UnderLoadParts, 'startLoad'>, Pick<Basics, 'clock' | 'l10n' | 'log'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  /** Starts a file's practice IVR for these tests, unless it is already running, and returns its address. */
  readonly play: (besideFile: string, ivr: string, tests: object) => Promise<string>;
  /** These tests need their practice IVRs no longer. */
  readonly letGo: (tests: object) => void;
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

interface GroupOptions extends RunOptions {
  /** Identifies the tests of one request. */
  readonly tests: object;
}

/** A test whose runs are shown by items, in the order of the runs. */
interface Ready<Item> extends TestToRun {
  readonly items: readonly Item[];
  readonly source: TestSource;
}

interface RoundsOutcome {
  readonly runsARound: number;
  readonly ended: RunEnding[];
  /** Why runs weren't followed to their end. */
  readonly lost: Failure[];
}

/** Simultaneous tests of one window. The service can allow fewer. */
const maxAtOnce = 4;
/** If other runs of the workspace use all places, asks again after this time. */
const retryMs = 5_000;

/** Runs tests of files, and reports their results. */
export class TestRunner {
  readonly #parts: TestRunnerParts;
  readonly #going = new Map<string, string>();

  constructor(parts: TestRunnerParts) {
    this.#parts = parts;
  }

  /** The active runs that this editor launched: name by run id. */
  get going(): ReadonlyMap<string, string> {
    return this.#going;
  }

  /** Resolves when every item has ended. Never rejects; errors are reported at the item. */
  async run<Item>(
    wanted: readonly WantedTest<Item>[],
    reporter: TestReporter<Item>,
    options: RunOptions,
  ): Promise<void> {
    const queue = [...wanted];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift())
        await this.#runOne(next, reporter, { ...options, tests: wanted });
    };
    // A workspace can run one load test at a time.
    const atOnce = options.load ? 1 : maxAtOnce;
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, work)).finally(() =>
      this.#parts.letGo(wanted),
    );
  }

  async #runOne<Item>(wanted: WantedTest<Item>, reporter: TestReporter<Item>, options: GroupOptions): Promise<void> {
    const open = new Set<Item>(wanted.rows.size > 0 ? wanted.rows.values() : [wanted.item]);
    const close = (item: Item, tell: () => void): void => {
      if (open.delete(item)) tell();
    };
    const { log, l10n } = this.#parts;
    const { source, item } = wanted;
    const { signal } = options;
    try {
      if (signal.aborted) return;
      const file = await readTest(source);
      if ('problems' in file) {
        for (const one of open) close(one, () => reporter.errored(one, file.problems.map(problemFailure), 0));
        return;
      }
      const ready = await this.#prepare(file, wanted, options.tests);
      signal.throwIfAborted();
      if (ready && options.load) {
        const report = await runUnderLoad(this.#parts, ready, options.load, { item, reporter, signal });
        if (report) close(item, report);
      } else if (ready) await this.#runReady(ready, item, reporter, close, options);
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) log.error(`A test was not run: ${describeCause(error)}`);
      const failure = testFailureOf(error, l10n);
      if (!signal.aborted) for (const one of [...open]) close(one, () => reporter.errored(one, [failure], 0));
    } finally {
      for (const one of open) reporter.skipped(one);
    }
  }

  /** Returns undefined if the file doesn't contain the requested rows any more. */
  async #prepare<Item>(
    file: TestFile,
    { source, item, rows }: WantedTest<Item>,
    tests: object,
  ): Promise<Ready<Item> | undefined> {
    const chosen = chooseRows(file, item, rows);
    if (!chosen) return undefined;
    return {
      ...chosen,
      file,
      source,
      id: await testIdOf(file.test.id, source.path),
      phoneNumber: file.test.phoneNumber ?? (await this.#parts.play(source.file, file.test.ivr ?? '', tests)),
    };
  }

  async #runReady<Item>(
    ready: Ready<Item>,
    item: Item,
    reporter: TestReporter<Item>,
    close: (item: Item, tell: () => void) => void,
    { signal, repeat }: RunOptions,
  ): Promise<void> {
    const { client, feed, clock, log, l10n, withConsent, planWords } = this.#parts;
    const { file, source, items } = ready;
    const subject = subjectOf(ready);
    // Calls of a practice IVR cost nothing, and only missions need a model.
    const isFree = file.kind !== 'mission' && file.test.ivr !== undefined;
    const plan = isFree ? undefined : await planWords?.(subject, repeat);
    if (plan !== undefined) reporter.output(item, `${plan}\r\n`);
    const outcomes = new Map(
      items.map((shown): [Item, RoundsOutcome] => [
        shown,
        { runsARound: items.filter((other) => other === shown).length, ended: [], lost: [] },
      ]),
    );
    const isAnyLost = (): boolean => [...outcomes.values()].some(({ lost }) => lost.length > 0);
    let rounds = 0;
    let live = new LiveTranscript(l10n);
    /** Calls `show` with what shows a run. The service can return more runs than the file has rows. */
    const at = ({ place }: Call, show: (shown: Item, outcome: RoundsOutcome) => void): void => {
      const shown = items[place];
      const outcome = shown !== undefined && outcomes.get(shown);
      if (shown !== undefined && outcome) show(shown, outcome);
    };
    const parts = { client, clock, follow: feed.follow, warn: (text: string) => log.warn(text) };
    await runTest(parts, ready, {
      repeat,
      signal,
      launching: (launch) => withConsent(subject, () => this.#whenThereIsRoom(file.test.name, launch, signal)),
      goesOn: () => !isAnyLost(),
      on: {
        launched: (_runIds, repetition) => {
          rounds = repetition;
        },
        began: (call) => {
          live = new LiveTranscript(l10n);
          if (signal.aborted) return;
          at(call, (shown) => {
            reporter.started(shown);
            reporter.launched(shown, call.runId, file);
            if (repeat > 1) reporter.output(shown, `${l10n.t('Run {0} of {1}', call.repetition, repeat)}\r\n`);
          });
        },
        read: (call, results) => {
          const text = live.next(results);
          if (text !== '') at(call, (shown) => reporter.output(shown, text));
        },
        ended: (call, ending) => {
          this.#going.delete(call.runId);
          const { outcome = '', endedBy } = ending.results;
          // A run that was cut short says nothing about the called side. Its output says how it ended.
          if (signal.aborted || stateOf(outcome, endedBy) !== outcome) return;
          at(call, (shown, { ended }) => {
            const reasoning = ending.mission?.judgeReasoning;
            if (reasoning !== undefined) reporter.output(shown, live.judged(reasoning));
            ended.push(ending);
            reporter.ran?.(shown, file, ending, source);
          });
        },
        lost: (call, error) => {
          this.#going.delete(call.runId);
          if (signal.aborted) return;
          log.error(`A run was not followed to its end: ${describeCause(error)}`);
          const failure = testFailureOf(error, l10n);
          at(call, (_shown, { lost }) => {
            if (!lost.some(({ message }) => message === failure.message)) lost.push(failure);
          });
        },
      },
    });
    // If a run was lost, there is no next round; the completed runs count.
    const wantedRounds = isAnyLost() ? rounds : repeat;
    for (const [shown, { runsARound, ended, lost }] of outcomes)
      if (lost.length > 0 || (rounds > 0 && ended.length === runsARound * wantedRounds))
        close(shown, () => this.#tell(shown, ended, lost, file, reporter));
  }

  /** Other runs of the workspace may use its lines. Waits until one of this window's runs ends, or for a while. */
  async #whenThereIsRoom(
    name: string,
    launch: () => Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    for (;;) {
      try {
        const runIds = await launch();
        for (const id of runIds) this.#going.set(id, name);
        return runIds;
      } catch (error) {
        if (!isCode(error, 'concurrency_ceiling') || this.going.size === 0 || signal.aborted) throw error;
        await pause(this.#parts.clock, retryMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  #tell<Item>(
    item: Item,
    ended: readonly RunEnding[],
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
    else if (lost.length === 0 && wrong.every(({ ending }) => ending.results.outcome === 'INCONCLUSIVE'))
      reporter.undecided(item, failures);
    else reporter.errored(item, [...failures, ...lost], ms);
  }
}

/** Returns the chosen rows, each with its item, or undefined if the file doesn't contain them any more. */
function chooseRows<Item>(
  file: TestFile,
  item: Item,
  wanted: ReadonlyMap<string, Item>,
): { readonly items: readonly Item[]; readonly rows?: ScriptedTestFile['test']['rows'] } | undefined {
  if (file.kind !== 'calltest' || file.test.rows === undefined || file.test.rows.length === 0)
    return wanted.size > 0 ? undefined : { items: [item] };
  const { rows } = file.test;
  const keys = rowKeys(file);
  const chosen = rows.flatMap((row, at) => {
    const shown = wanted.size > 0 ? wanted.get(keys[at] ?? '') : item;
    return shown === undefined ? [] : [{ row, shown }];
  });
  if (chosen.length === 0) return undefined;
  return {
    items: chosen.map(({ shown }) => shown),
    ...(chosen.length < rows.length && { rows: chosen.map(({ row }) => row) }),
  };
}

function durationOf({ callSeconds, startedAt, completedAt }: RunResults): number {
  if (callSeconds !== undefined) return callSeconds * 1000;
  return completedAt === undefined ? 0 : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
