import { systemClock } from '../../base/clock.ts';
import type { DialtreeClient } from '../../client/client.ts';
import { ConnectionError, ServiceError, TimeoutError } from '../../client/errors.ts';
import { HumanError } from '../../contract/errors.ts';
import type { MissionTestRun, RunResults } from '../../contract/testRuns.ts';
import type { FilePlace } from '../../model/files/fileProblem.ts';
import { resultPaths } from '../../model/tests/testFile.ts';
import { sizeBlock } from '../../model/report/planBlocks.ts';
import { runTest, type Call, type TestToRun } from '../../runner/runTest.ts';
import { patiently } from '../calling/patiently.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { ReportMedia } from '../report/report.ts';
import { rowText } from '../report/rows.ts';
import { planTest } from './plan.ts';
import type { LoadedTest } from './testFiles.ts';

export interface ReportedCall {
  /** Starts at 1. Retries count too. */
  readonly repetition: number;
  /** The row of a param test, from 0. */
  readonly row?: number;
  /** Absent if the service returned no results; `missing` says why. */
  readonly results?: RunResults;
  readonly mission?: MissionTestRun;
  readonly missing?: string;
  /** The run was interrupted during this call. */
  readonly cancelled?: boolean;
}

/** A test with all its calls, in the order in which they were placed. */
export interface TestReport {
  readonly test: LoadedTest;
  readonly calls: readonly ReportedCall[];
  /** Planned calls that weren't placed. `reason` is one sentence. `skipped`: because of `endsRun`. */
  readonly left?: { readonly calls: number; readonly reason: string; readonly skipped?: boolean };
}

export interface RunTestsOptions {
  readonly client: Pick<DialtreeClient, 'call' | 'follow' | 'fetchAudioPart'>;
  readonly numberOf: (test: LoadedTest) => string;
  readonly repeat: number;
  /** How often a test, or a row, is called again while it doesn't pass. More than 0 only if `repeat` is 1. */
  readonly retries?: number;
  /**
   * Whether the run ends with this test, checked after each of its repetitions, and after its last retry. `over`: no
   * more of its calls follow. Without this function, no test ends the run.
   */
  readonly endsRun?: (report: TestReport, over: boolean) => boolean;
  /** Cancels the active calls, and starts no more. */
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface RunOfTests {
  readonly tests: readonly TestReport[];
  /** Why tests or calls were left out, or a call was interrupted, in one sentence. */
  readonly cutOff?: string;
  readonly media?: ReportMedia;
}

const interrupted = 'The run was interrupted.';
const failedFast = 'The run ended after the first test that failed (--fail-fast).';
const unreachable = 'The connection to the service was lost.';

/**
 * Runs one test after the other, each as often as requested. Never rejects because of a test or the service; the
 * reports contain what went wrong.
 */
export async function runTests(tests: readonly LoadedTest[], options: RunTestsOptions): Promise<RunOfTests> {
  const { endsRun, repeat, signal, tell } = options;
  const reports: TestReport[] = [];
  /** Why no more calls are placed. */
  let over: string | undefined;
  let cutOff: string | undefined;
  for (const test of tests) {
    if (signal.aborted) over ??= interrupted;
    if (over !== undefined) {
      cutOff ??= over;
      const left = { calls: repeat * callsAtOnce(test), reason: notBegun };
      reports.push({ test, calls: [], left: { ...left, ...(over === failedFast && { skipped: true }) } });
      continue;
    }
    tell(onOneLine(`…     ${test.source.test.name}${await plannedSize(test, options)}`));
    const { report, lost, broken } = await callsOf(test, options);
    reports.push(report);
    if (lost) over = unreachable;
    else if (!signal.aborted && endsRun?.(report, true) === true) over = failedFast;
    if (broken || (report.left && signal.aborted)) cutOff ??= interrupted;
    else if (report.left && over !== undefined) cutOff ??= over;
  }
  return { tests: reports, ...(cutOff !== undefined && { cutOff }) };
}

/**
 * Returns what the calls of a test use at most, with all retries, as the end of a line. If the service has no plan, the
 * launch says why.
 */
async function plannedSize(
  test: LoadedTest,
  { client, repeat, retries = 0, signal }: RunTestsOptions,
): Promise<string> {
  try {
    return `: ${String(sizeBlock(await planTest(client, test, repeat * (1 + retries), signal)))}`;
  } catch (error) {
    if (error instanceof ServiceError || signal.aborted) return '';
    throw error;
  }
}

const notBegun = 'The run ended before this test.';

interface CalledTest {
  readonly report: TestReport;
  /** The service doesn't respond any more. */
  readonly lost: boolean;
  /** A call was cancelled while it was active. */
  readonly broken: boolean;
}

async function callsOf(test: LoadedTest, options: RunTestsOptions): Promise<CalledTest> {
  const { client, numberOf, repeat, retries = 0, endsRun, signal, tell } = options;
  const calls: ReportedCall[] = [];
  /** The rows that are called, from 0. A test without rows has one. */
  let places = Array.from({ length: callsAtOnce(test) }, (_, index) => index);
  let planned = repeat * places.length;
  let repetition = 1;
  let placed = 0;
  const add = (call: ReportedCall): void => {
    calls.push(call);
    tell(callLine(test, call, options));
  };
  const placeOf = ({ place }: Call): Pick<ReportedCall, 'repetition' | 'row' | 'cancelled'> => ({
    repetition,
    ...(rowsOf(test) && { row: places[place] ?? place }),
    ...(signal.aborted && { cancelled: true }),
  });
  const ended = (rest: { readonly reason?: string; readonly lost?: boolean } = {}): CalledTest => {
    const uncalled = planned - calls.length;
    const reason = rest.reason ?? (calls.length === 0 ? notBegun : 'The run ended early.');
    const skipped = rest.reason === undefined && !signal.aborted;
    return {
      report: { test, calls, ...(uncalled > 0 && { left: { calls: uncalled, reason, ...(skipped && { skipped }) } }) },
      lost: rest.lost === true,
      broken: calls.some(({ cancelled }) => cancelled === true),
    };
  };
  try {
    await runTest(
      {
        client,
        follow: (followed, onRead, during) => client.follow(followed, onRead, during),
        clock: systemClock,
        warn: tell,
      },
      { file: test.source, id: test.id, phoneNumber: numberOf(test) },
      {
        repeat: repeat + retries,
        signal,
        launching: (launch) => patiently(launch, signal),
        on: {
          launched: (runIds) => {
            placed = runIds.length;
          },
          ended: (call, { results, mission }) => add({ ...placeOf(call), results, ...(mission && { mission }) }),
          lost: (call, error) => add({ ...placeOf(call), missing: whyMissing(error, signal) }),
        },
        goesOn: () => {
          for (let place = placed; place < places.length; place += 1)
            add({ repetition, missing: `The service placed ${String(placed)} of ${String(places.length)} calls.` });
          const isLast = repetition === repeat + retries;
          if (retries === 0) {
            repetition += 1;
            return endsRun?.({ test, calls }, isLast) !== true;
          }
          places = calls
            .filter((call) => call.repetition === repetition)
            // A call without results isn't retried, because it may have been placed.
            .flatMap(({ row = 0, results }) => (results && results.outcome !== 'PASS' ? row : []));
          if (isLast || signal.aborted || places.length === 0) return false;
          repetition += 1;
          planned += places.length;
          return rowsOf(test)?.filter((_, index) => places.includes(index)) ?? true;
        },
      },
    );
    return ended();
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof HumanError)) throw error;
    tell(callLine(test, { repetition, missing: error.message }, options));
    return ended({ reason: error.message, lost: error instanceof ConnectionError || error instanceof TimeoutError });
  }
}

function whyMissing(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof ServiceError)
    return aborted ? `Cancelled. ${error.message}` : `Couldn't read the results. ${error.message}`;
  if (!aborted) throw error;
  return "Cancelled. The service didn't send results in time.";
}

const rowsOf = ({ source }: LoadedTest): TestToRun['rows'] =>
  source.kind === 'calltest' ? source.test.rows : undefined;
/** One, or one per row. */
export const callsAtOnce = (test: LoadedTest): number => rowsOf(test)?.length ?? 1;

/**
 * Returns the place in the file that wasn't met: the expectation of the first failed step, or a mission's acceptance
 * criterion.
 */
function failurePlace({ source }: LoadedTest, { outcome, steps }: RunResults): FilePlace {
  if (source.kind === 'mission') return source.placeOf(['acceptance']);
  const index = steps.findIndex((step) => step.outcome === outcome && step.optional !== true);
  return source.placeOf(resultPaths(source)[index] ?? ['steps']);
}

function callLine(
  test: LoadedTest,
  { repetition, row, results, missing }: ReportedCall,
  { repeat, retries = 0 }: RunTestsOptions,
): string {
  const { source } = test;
  const of = results?.row && ` [${rowText(results.row, row)}]`;
  const retry = repetition > 1 ? ` (retry ${String(repetition - 1)} of ${String(retries)})` : '';
  const turn = repeat > 1 ? ` (${String(repetition)} of ${String(repeat)})` : retry;
  const name = onOneLine(`${source.test.name}${of ?? ''}${turn}`);
  if (!results) return `NONE  ${name}: ${onOneLine(missing ?? '')}`;
  const took = results.callSeconds === undefined ? '' : `  ${results.callSeconds.toFixed(0)} s`;
  const { line, column } = failurePlace(test, results);
  const why =
    results.outcome === 'PASS'
      ? ''
      : `\n      ${onOneLine(`${source.file}:${String(line)}:${String(column)}: ${results.reason ?? 'No reason was given.'}`)}`;
  return `${(results.outcome ?? 'NONE').padEnd(5)} ${name}${took}${why}`;
}
