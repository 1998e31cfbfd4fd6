import { describeIssues } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { loadKeysSchema, requestedSeconds, tooLong, tooManyCalls } from '../../contract/loadTests.ts';
import type { LoadShape, LoadStage } from '../../contract/loadTests.ts';
import { readStage } from '../../model/load/stageText.ts';
import { decimal, integer, UsageError, type readArguments } from '../command.ts';

export interface LoadRequest extends LoadShape {
  readonly concurrency: number;
  readonly rampSeconds: number;
  readonly holdSeconds: number;
  readonly callsPerSecond: number;
}

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

const defaultConcurrency = 10;
const defaultHoldSeconds = 10;

export function readRequest(values: Values): LoadRequest {
  const { calls, rampSeconds, holdSeconds, callsPerSecond, tickLatenessMs, stages } = limits.loadTest;
  const callSeconds = decimal(values['call-seconds'], 'call-seconds', holdSeconds.min, holdSeconds.max);
  const failureShare = decimal(values['abort-failures'], 'abort-failures', 0.01, 1);
  const lateness = decimal(values['abort-lateness'], 'abort-lateness', tickLatenessMs.min, tickLatenessMs.max);
  if (values.keys && values.keys.length > limits.loadTest.keys)
    throw new UsageError(`--keys can be given up to ${String(limits.loadTest.keys)} times.`);
  if (values.stage && values.stage.length > stages.max)
    throw new UsageError(`--stage can be given up to ${String(stages.max)} times.`);
  if (Number(values.concurrency) > calls.max) throw new UsageError(tooManyCalls);
  const request = {
    concurrency: integer(values.concurrency, 'concurrency', calls.min, calls.max) ?? defaultConcurrency,
    rampSeconds: decimal(values.ramp, 'ramp', rampSeconds.min, rampSeconds.max) ?? 0,
    holdSeconds: decimal(values.hold, 'hold', holdSeconds.min, holdSeconds.max) ?? defaultHoldSeconds,
    callsPerSecond:
      decimal(values['calls-per-second'], 'calls-per-second', callsPerSecond.min, callsPerSecond.max) ??
      callsPerSecond.max,
    ...(values.stage && { stages: values.stage.map(stageOf) }),
    ...(callSeconds !== undefined && { callSeconds }),
    ...(values.replace === true && { replace: true }),
    ...(values['row-order'] !== undefined && { rowOrder: readRowOrder(values['row-order']) }),
    ...(values.keys && { keys: values.keys.map(readKeys) }),
    ...((failureShare !== undefined || lateness !== undefined || values['abort-criteria'] === true) && {
      abortWhen: {
        ...(failureShare !== undefined && { failureShare }),
        ...(lateness !== undefined && { tickLatenessMs: lateness }),
        ...(values['abort-criteria'] === true && { criterionBroken: true }),
      },
    }),
  };
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

function readRowOrder(text: string): 'inOrder' | 'random' {
  if (text === 'inOrder' || text === 'random') return text;
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
