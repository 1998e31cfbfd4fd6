import type { Clock } from '../base/clock.ts';
import { sleep } from '../base/clock.ts';
import { isAway, ServiceError } from '../client/errors.ts';
import { followedRun, type OperationCaller, type Followed } from '../client/follow.ts';
import type { PlanCalls } from '../contract/callPlan.ts';
import { HumanError } from '../contract/errors.ts';
import type { RunLoadTest } from '../contract/loadTests.ts';
import type { OwnProbe } from '../contract/probeFile.ts';
import type { MissionTestRun, RunResults } from '../contract/testRuns.ts';
import type { LaunchValues } from '../model/tests/environment.ts';
import type { ScriptedTestFile, TestFile } from '../model/tests/testFile.ts';

/** A test of a file, ready to be launched. */
export interface TestToRun {
  readonly file: TestFile;
  /** @see testIdOf */
  readonly id: string;
  /** The number to call: that of the file, or of its practice IVR. */
  readonly phoneNumber: string;
  /** Only these rows run. */
  readonly rows?: ScriptedTestFile['test']['rows'];
}

/** The results of a run, with what only missions have. */
export interface RunEnding {
  readonly results: RunResults;
  readonly mission?: MissionTestRun | undefined;
}

/** One run of a test. `place` counts the runs of a launch from 0, and `repetition` the launches from 1. */
export interface Call {
  readonly runId: string;
  readonly place: number;
  readonly repetition: number;
}

interface RunListener {
  launched?(runIds: readonly string[], repetition: number): void;
  /** The run is the next to be called. */
  began?(call: Call): void;
  read?(call: Call, results: RunResults): void;
  ended(call: Call, ending: RunEnding): void;
  /** Its results couldn't be read to the end, so it is cancelled. */
  lost(call: Call, error: unknown): void;
}

export interface RunnerParts {
  readonly client: OperationCaller;
  /** Reads a resource until it has ended or the signal aborts, and returns what was read last. */
  readonly follow: <Resource>(
    followed: Followed<Resource>,
    onRead: (resource: Resource) => void,
    signal: AbortSignal,
  ) => Promise<Resource>;
  readonly clock: Clock;
  /** Reports that a run couldn't be cancelled. */
  readonly warn: (text: string) => void;
}

interface RunOptions {
  readonly repeat: number;
  /** Hangs up, and launches no more. */
  readonly signal: AbortSignal;
  readonly on: RunListener;
  /** Launches, such as after a question. Returns undefined to run nothing. */
  readonly launching?: (launch: () => Promise<readonly string[]>) => Promise<readonly string[] | undefined>;
  /** Whether the test is repeated once more, or which of its rows are, asked after each repetition. */
  readonly goesOn?: () => boolean | NonNullable<TestToRun['rows']>;
}

/** The results of a cancelled call arrive within this time after it is hung up. */
const hangUpMs = 10_000;
/** A service that is busy is asked again to cancel a run, for about two minutes. */
const cancelAgainMs = 5_000;
const maxRefusals = 25;

/**
 * The content of a test that the service saves, as a launch brings it.
 * @throws HumanError for a probe, which isn't saved, so it runs neither step by step nor under load
 */
export function launchOf({ file, id, phoneNumber }: TestToRun): Pick<RunLoadTest, 'test' | 'mission' | 'line'> {
  if (file.kind === 'probe')
    throw new HumanError("A probe can't be run in this way. Choose a scripted test or a mission.", {
      status: 400,
      code: 'bad_file',
    });
  const { secrets: _secrets, ...onLine } = file.launch ?? {};
  if (file.kind === 'mission') {
    const { ivr: _ivr, ...mission } = file.test;
    return { ...onLine, mission: { ...mission, id, phoneNumber, fromFile: true } };
  }
  const { ivr: _ivr, ...test } = file.test;
  return { ...onLine, test: { ...test, id, phoneNumber, fromFile: true } };
}

type Probing = { readonly phoneNumber: string; readonly probe: OwnProbe } & LaunchValues;

function probingOf({ file, id, phoneNumber }: TestToRun): Probing | undefined {
  if (file.kind !== 'probe') return undefined;
  const { ivr: _ivr, phoneNumber: _number, ...probe } = file.test;
  return { ...file.launch, phoneNumber, probe: { ...probe, id } };
}

/** Returns what a launch of this test calls, for `planCalls`. */
export function subjectOf(toRun: TestToRun): PlanCalls {
  const probing = probingOf(toRun);
  if (probing) return probing;
  const { test, ...launched } = launchOf(toRun);
  return test ? { ...launched, test: { ...test, ...(toRun.rows && { rows: toRun.rows }) } } : launched;
}

/**
 * Runs a test as often as requested, and follows each run to its end. The launch brings the content of the file. Rejects
 * as `call` does if a launch is refused.
 */
export async function runTest(
  parts: RunnerParts,
  test: TestToRun,
  { repeat, signal, on, launching = (launch) => launch(), goesOn = () => true }: RunOptions,
): Promise<void> {
  let next = test;
  for (let repetition = 1; repetition <= repeat && !signal.aborted; repetition += 1) {
    const toRun = next;
    const runIds = await launching(() => launch(parts.client, toRun, signal)).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (!runIds) return;
    on.launched?.(runIds, repetition);
    await followLaunch(parts, runIds, repetition, on, signal);
    const more = goesOn();
    if (more === false) return;
    if (more !== true) next = { ...test, rows: more };
  }
}

/** A refused launch is repeated, but not after `notAfter`: the runs that were cancelled then make room for it. */
async function launch(client: OperationCaller, toRun: TestToRun, notAfter: AbortSignal): Promise<readonly string[]> {
  notAfter.throwIfAborted();
  const { id: configId, rows } = toRun;
  const probing = probingOf(toRun);
  if (probing) return [(await client.call('runComplianceTest', probing, { notAfter })).id];
  const { test, mission, ...onLine } = launchOf(toRun);
  if (mission) return [(await client.call('runMissionTest', { ...onLine, configId, test: mission }, { notAfter })).id];
  const input = { ...toRun.file.launch, configId, test, ...(rows && { rows }) };
  const { items } = await client.call('runTest', input, { notAfter });
  return items.map((run) => run.id);
}

/** Follows the runs of a launch, which are called one after the other. */
async function followLaunch(
  parts: RunnerParts,
  runIds: readonly string[],
  repetition: number,
  on: RunListener,
  signal: AbortSignal,
): Promise<void> {
  const calls = runIds.map((runId, place): Call => ({ runId, place, repetition }));
  const open = new Set(runIds);
  /** Aborted when the runs are cancelled, so that their final state is read. */
  const hungUp = new AbortController();
  const late = new AbortController();
  const over = new AbortController();
  let hangingUp: Promise<unknown> | undefined;
  const stop = (): void => {
    const [current] = open;
    hangingUp = (current === undefined ? Promise.resolve() : cancelRun(parts, current, true)).then(() =>
      hungUp.abort(),
    );
    sleep(parts.clock, hangUpMs, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    for (const call of calls) {
      try {
        on.began?.(call);
        const followUntil = (...signals: AbortSignal[]): Promise<RunEnding> =>
          followRun(parts, call.runId, (results) => on.read?.(call, results), AbortSignal.any(signals));
        const ending = await followUntil(hungUp.signal, late.signal).catch((error: unknown) => {
          if (!hungUp.signal.aborted || late.signal.aborted) throw error;
          return followUntil(late.signal);
        });
        open.delete(call.runId);
        on.ended(call, ending);
      } catch (error) {
        open.delete(call.runId);
        // No one sees the result of a call that isn't followed. If the service is away, nothing can be followed.
        const affected = isAway(error) ? calls.slice(call.place) : [call];
        if (!signal.aborted) void cancelRun(parts, call.runId, affected.length > 1);
        for (const one of affected) on.lost(one, error);
        if (isAway(error)) return;
      }
    }
    if (hangingUp) await Promise.race([hangingUp, sleep(parts.clock, hangUpMs, over.signal).catch(() => undefined)]);
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Follows a run to its end. Rejects as `call` does, and with the signal's reason if the signal aborts before the end.
 */
export async function followRun(
  { client, follow }: Pick<RunnerParts, 'client' | 'follow'>,
  runId: string,
  onRead: (results: RunResults) => void,
  signal: AbortSignal,
): Promise<RunEnding> {
  const results = await follow(followedRun(client, runId), onRead, signal);
  if (results.status !== 'completed') throw signal.reason;
  return await endingOf(client, results);
}

export const endingOf = async (client: OperationCaller, results: RunResults): Promise<RunEnding> => ({
  results,
  mission: results.runType === 'mission' ? await client.call('getMissionTestRun', { runId: results.id }) : undefined,
});

/** Never rejects. */
async function cancelRun({ client, clock, warn }: RunnerParts, runId: string, wholeLaunch: boolean): Promise<void> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      await client.call('cancelTestRun', { runId, wholeLaunch });
      return;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return;
      if (!mayPass(error) || refusals === maxRefusals) {
        warn(`A run was not cancelled: ${error instanceof Error ? error.message : String(error)}`);
        return;
      }
      await sleep(clock, cancelAgainMs);
    }
  }
}

/** A response without a body, as rate limits send them, may pass. */
const mayPass = (error: unknown): boolean =>
  isAway(error) || (error instanceof ServiceError && error.bare && (error.status === 403 || error.status === 429));
