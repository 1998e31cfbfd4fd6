import { followedLoad } from '../../../client/follow.ts';
import { stateOf } from '../../../contract/runState.ts';
import { limits } from '../../../contract/limits.ts';
import type { LoadShape, LoadTest, RunLoadTest } from '../../../contract/loadTests.ts';
import type { TestFile } from '../../../model/tests/testFile.ts';
import type { L10n } from '../../basics/localise.ts';
import { stepPlace, type Failure } from '../failures.ts';
import { launchOf, type RunnerParts, type TestToRun } from '../../../runner/runTest.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import type { TestReporter } from './testReporter.ts';

export type LoadSize = Pick<RunLoadTest, 'concurrency' | 'rampSeconds' | 'holdSeconds'> & LoadShape;

export interface UnderLoadParts extends Pick<RunnerParts, 'client'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly l10n: L10n;
  /** Starts a load test, unless the user declines. */
  readonly startLoad: (wanted: RunLoadTest, notAfter: AbortSignal) => Promise<string | undefined>;
}

/**
 * Carries out a test on many calls, and returns what reports its verdict. Returns undefined if the user declines,
 * or stops it; the calls are hung up then.
 */
export async function runUnderLoad<Item>(
  parts: UnderLoadParts,
  test: TestToRun,
  size: LoadSize,
  {
    item,
    reporter,
    signal,
  }: { readonly item: Item; readonly reporter: TestReporter<Item>; readonly signal: AbortSignal },
): Promise<(() => void) | undefined> {
  const { client, feed, l10n, startLoad } = parts;
  const { file } = test;
  const callsPerSecond = size.callsPerSecond ?? limits.loadTest.callsPerSecond.max;
  const id = await startLoad({ ...size, ...launchOf(test), callsPerSecond }, signal);
  if (id === undefined) return undefined;
  reporter.started(item);
  try {
    const ended = await feed.follow(
      followedLoad(client, id),
      ({ progress }) => {
        if (progress && progress.references === undefined)
          reporter.output(
            item,
            `${l10n.t('{0} placed, {1} answered, {2} active, {3} failed', progress.placed, progress.answered, progress.active, progress.failed)}\r\n`,
          );
      },
      signal,
    );
    if (!signal.aborted)
      return stateOf(ended.status, ended.endedBy) === 'cancelled'
        ? undefined
        : () => report(ended, file, item, reporter, l10n);
  } catch (error) {
    // Otherwise, its calls would continue without this window.
    await client.call('cancelLoadTest', { id }).catch(() => undefined);
    throw error;
  }
  await client.call('cancelLoadTest', { id });
  return undefined;
}

function report<Item>(
  { status, reason, stats, startedAt, completedAt }: LoadTest,
  file: TestFile,
  item: Item,
  reporter: TestReporter<Item>,
  l10n: L10n,
): void {
  const ms = completedAt === undefined ? 0 : Date.parse(completedAt) - Date.parse(startedAt);
  const { outcome = 'inconclusive', reason: why } = stats?.verdict ?? {};
  if (status === 'completed' && outcome === 'pass') {
    reporter.passed(item, ms);
    return;
  }
  const sentences = [status === 'completed' ? undefined : reason, why].filter((sentence) => sentence !== undefined);
  const steps = stats?.tested?.steps ?? [];
  const failures: Failure[] = [
    { message: sentences.join(' ') || l10n.t("The run didn't record a reason."), at: file.placeOf(['name']) },
    ...steps.flatMap(({ name, failed, inconclusive, errors }, index): Failure[] => {
      const wrong = failed + inconclusive + errors;
      return wrong === 0
        ? []
        : [
            {
              message: l10n.t("Step {0}, “{1}”: {2} calls didn't pass.", index + 1, name, wrong),
              at: stepPlace(file, name, index),
            },
          ];
    }),
  ];
  if (outcome === 'fail') reporter.failed(item, failures, ms);
  else if (status === 'completed' && outcome === 'inconclusive') reporter.undecided(item, failures);
  else reporter.errored(item, failures, ms);
}
