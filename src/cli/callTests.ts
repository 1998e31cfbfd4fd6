import type { DialtreeClient } from '../client/client.ts';
import { ConnectionError, ServiceError, TimeoutError } from '../client/errors.ts';
import { HumanError } from '../contract/errors.ts';
import type { MissionTestRun, RunResults } from '../contract/testRuns.ts';
import { changesText } from '../model/configDiff.ts';
import type { Place } from '../model/fileProblem.ts';
import { saveConfig } from './callTestsSave.ts';
import type { LoadedTest } from './runFiles.ts';

/** One call of a test that was to be placed. */
export interface TestCall {
  /** From 1. */
  readonly repetition: number;
  /** Of a param test, from 0. */
  readonly row?: number;
  /** Absent where the service has given no results: `missing` says why. */
  readonly results?: RunResults;
  /** What the judge of a mission said. */
  readonly mission?: MissionTestRun;
  readonly missing?: string;
}

/** A test with all its calls, in the order they were placed. */
export interface TestReport {
  readonly test: LoadedTest;
  readonly calls: readonly TestCall[];
  /** The run was ended before its turn came. */
  readonly skipped?: boolean;
}

export interface RunTestsOptions {
  readonly client: Pick<DialtreeClient, 'call' | 'waitForTestRun'>;
  readonly numberOf: (test: LoadedTest) => string;
  readonly repeat: number;
  /** Ends with the first test that does not pass. */
  readonly bail: boolean;
  /** Cancels what is being called, and starts nothing more. */
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/** After a cancelled call is hung up, its results come within this time. */
const cancelledMs = 10_000;

export const hasPassed = ({ calls, skipped }: TestReport): boolean => skipped !== true && calls.length > 0 && calls.every(({ results }) => results?.outcome === 'PASS');

/** Calls one test after the other, and each its number of times. Never rejects for what a test or the service does: that stands in the reports. */
export async function runTests(tests: readonly LoadedTest[], options: RunTestsOptions): Promise<TestReport[]> {
  const reports: TestReport[] = [];
  let over = false;
  for (const test of tests) {
    if (over || options.signal.aborted) {
      reports.push({ test, calls: [], skipped: true });
      continue;
    }
    options.tell(`…     ${test.source.test.name}`);
    const { calls, unreachable } = await callsOf(test, options);
    const report = { test, calls };
    reports.push(report);
    over = unreachable || options.bail && !hasPassed(report);
  }
  return reports;
}

async function callsOf(test: LoadedTest, options: RunTestsOptions): Promise<{ readonly calls: TestCall[]; readonly unreachable: boolean }> {
  const { client, numberOf, repeat, bail, signal, tell } = options;
  const calls: TestCall[] = [];
  const add = (call: TestCall): void => {
    calls.push(call);
    tell(callLine(test, call, repeat));
  };
  let repetition = 1;
  try {
    await saveConfig(client, test, numberOf(test), (changes) => { tell(`${test.source.file}: the service held another version of this test. The file's takes its place:\n${changesText(changes)}`); });
    for (; repetition <= repeat && !signal.aborted; repetition += 1) {
      const launched = await launch(client, test);
      for (const [place, { id }] of launched.entries()) add({ ...await callOf(client, id, repetition, signal), ...(hasRows(test) && { row: place }) });
      for (let place = launched.length; place < callsAtOnce(test); place += 1) add({ repetition, missing: `The service placed ${String(launched.length)} of ${String(callsAtOnce(test))} calls.` });
      if (bail && calls.some(({ results }) => results?.outcome !== 'PASS')) break;
    }
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof HumanError)) throw error;
    add({ repetition, missing: error.message });
    return { calls, unreachable: error instanceof ConnectionError || error instanceof TimeoutError };
  }
  return { calls, unreachable: false };
}

const hasRows = ({ source }: LoadedTest): boolean => source.kind === 'calltest' && source.test.rows !== undefined;
/** One, or one a row. */
export const callsAtOnce = ({ source }: LoadedTest): number => (source.kind === 'calltest' ? source.test.rows?.length ?? 1 : 1);

async function launch(client: RunTestsOptions['client'], { id, source }: LoadedTest): Promise<readonly { readonly id: string }[]> {
  return source.kind === 'mission' ? [await client.call('runMissionTest', { configId: id })] : (await client.call('runTest', { configId: id })).items;
}

async function callOf(client: RunTestsOptions['client'], runId: string, repetition: number, signal: AbortSignal): Promise<TestCall> {
  const ended = async (during: AbortSignal): Promise<TestCall> => {
    const results = await client.waitForTestRun(runId, { signal: during });
    return { repetition, results, ...(results.runType === 'mission' && { mission: await client.call('getMissionTestRun', { runId }, { signal: during }) }) };
  };
  try {
    signal.throwIfAborted();
    return await ended(signal);
  } catch (error) {
    if (!signal.aborted) {
      if (!(error instanceof ServiceError)) throw error;
      return { repetition, missing: `The results could not be read. ${error.message}` };
    }
  }
  try {
    await client.call('cancelTestRun', { runId });
    return await ended(AbortSignal.timeout(cancelledMs));
  } catch (error) {
    return { repetition, missing: `Cancelled. ${error instanceof ServiceError ? error.message : 'The service gave no results in time.'}` };
  }
}

/** Where in the file that stands which was not met: the expectation of the first step that failed, or a mission's acceptance. */
export function failurePlace({ source }: LoadedTest, { outcome, steps }: RunResults): Place {
  if (source.kind === 'mission') return source.placeOf(['acceptance']);
  const index = steps.findIndex((step) => step.outcome === outcome && step.optional !== true);
  return index < 0 ? source.placeOf(['steps']) : source.placeOf(['steps', index, 'expectedTranscript']);
}

function callLine(test: LoadedTest, { repetition, results, missing }: TestCall, repeat: number): string {
  const { source } = test;
  const row = results?.row && ` [${Object.values(results.row).join(', ')}]`;
  const name = `${source.test.name}${row ?? ''}${repeat > 1 ? ` (${String(repetition)} of ${String(repeat)})` : ''}`;
  if (!results) return `NONE  ${name}: ${missing ?? ''}`;
  const took = results.callSeconds === undefined ? '' : `  ${results.callSeconds.toFixed(0)} s`;
  const { line, column } = failurePlace(test, results);
  const why = results.outcome === 'PASS' ? '' : `\n      ${source.file}:${String(line)}:${String(column)}: ${results.reason ?? 'No reason was given.'}`;
  return `${(results.outcome ?? 'NONE').padEnd(5)} ${name}${took}${why}`;
}
