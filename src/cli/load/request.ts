import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { describeIssues } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { loadKeysSchema, requestedSeconds, tooLong, tooManyCalls } from '../../contract/loadTests.ts';
import type { LoadShape, LoadStage, RunLoadTest } from '../../contract/loadTests.ts';
import type { LoadCourse } from '../../model/calls/loadCourse.ts';
import { readStage } from '../../model/load/stageText.ts';
import { decimalOption, integerOption, UsageError, type readArguments } from '../command.ts';

export type LoadRequest = LoadShape & LoadCourse & Pick<RunLoadTest, 'line'>;

/** The options that say how many calls a load test places, and how, for `readArguments`. */
export const requestOptions = {
  concurrency: { type: 'string' },
  ramp: { type: 'string' },
  hold: { type: 'string' },
  stage: { type: 'string', multiple: true },
  'calls-per-second': { type: 'string' },
  'call-seconds': { type: 'string' },
  replace: { type: 'boolean' },
  keys: { type: 'string', multiple: true },
  'row-order': { type: 'string' },
  'abort-failures': { type: 'string' },
  'abort-lateness': { type: 'string' },
  'abort-criteria': { type: 'boolean' },
} as const;
type Values = ReturnType<typeof readArguments<typeof requestOptions>>['values'];
type NumberOption = 'ramp' | 'hold' | 'calls-per-second' | 'call-seconds' | 'abort-failures' | 'abort-lateness';

export function readRequest(values: Values): LoadRequest {
  const { calls, rampSeconds, holdSeconds, callsPerSecond, tickLatenessMs, stages, keys } = limits.loadTest;
  for (const [name, most] of [
    ['keys', keys],
    ['stage', stages.max],
  ] as const)
    if ((values[name]?.length ?? 0) > most) throw new UsageError(`--${name} can be given up to ${String(most)} times.`);
  if (Number(values.concurrency) > calls.max) throw new UsageError(tooManyCalls);
  const number = (name: NumberOption, { min, max }: { readonly min: number; readonly max: number }) =>
    decimalOption(values[name], name, min, max);
  const abortWhen = withoutUndefined({
    failureShare: number('abort-failures', { min: 0.01, max: 1 }),
    tickLatenessMs: number('abort-lateness', tickLatenessMs),
    criterionBroken: values['abort-criteria'],
  });
  const request = withoutUndefined({
    concurrency: integerOption(values.concurrency, 'concurrency', calls.min, calls.max) ?? 10,
    rampSeconds: number('ramp', rampSeconds) ?? 0,
    holdSeconds: number('hold', holdSeconds) ?? 10,
    callsPerSecond: number('calls-per-second', callsPerSecond) ?? callsPerSecond.max,
    stages: values.stage?.map(stageOf),
    callSeconds: number('call-seconds', holdSeconds),
    replace: values.replace,
    rowOrder: readRowOrder(values['row-order']),
    keys: values.keys?.map(readKeys),
    abortWhen: Object.keys(abortWhen).length > 0 ? abortWhen : undefined,
  });
  if (requestedSeconds(request) > limits.loadTest.seconds.max) throw new UsageError(tooLong);
  return request;
}

function stageOf(text: string): LoadStage {
  const stage = readStage(text);
  if (!stage)
    throw new UsageError(
      `--stage takes a number of calls, the seconds of the ramp and the seconds of the hold, such as 50:10:60, not "${text}".`,
    );
  if (!stage.success) throw new UsageError(`--stage ${text}: ${describeIssues(stage.error)}`);
  return stage.data;
}

function readRowOrder(text: string | undefined): LoadShape['rowOrder'] {
  if (text === undefined || text === 'inOrder' || text === 'random') return text;
  throw new UsageError(`--row-order is inOrder or random, not "${text}".`);
}

/** Parses `2:1#`: seconds after the answer, a colon, and the keys. */
function readKeys(text: string): { afterSeconds: number; digits: string } {
  const [, after = '', digits = ''] = /^(\d+(?:\.\d+)?):(.*)$/.exec(text) ?? [];
  const keys = loadKeysSchema.safeParse({ afterSeconds: Number(after), digits });
  if (after === '')
    throw new UsageError(`--keys takes seconds after the answer, a colon and keys, such as 2:1#, not "${text}".`);
  if (!keys.success) throw new UsageError(`--keys ${text}: ${describeIssues(keys.error)}`);
  return keys.data;
}
