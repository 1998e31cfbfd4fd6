import { limits } from '../../contract/limits.ts';
import { loadAbortDefaults } from '../../contract/loadTests.ts';
import { costOf, loadBudget, referenceCalls } from '../../model/calls/callBudget.ts';
import { secondsForEachCall, timedStages, type LoadCourse } from '../../model/calls/loadCourse.ts';
import { limitText, type CriterionName } from '../../model/load/criteria.ts';
import { liveCallsText } from '../../service/load/liveLoad.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { LoadRequest } from './request.ts';
import type { LoadTarget } from './target.ts';
import { count } from '../../base/count.ts';
import { cents, costText } from '../run/plan.ts';

export interface LoadPlan extends LoadRequest {
  readonly file: string;
  readonly name: string;
  readonly phoneNumber?: string;
  readonly ivr?: string;
  /** The steps or the mission of the file aren't run. */
  readonly onlyCalls: boolean;
  /** Each call carries out the steps or the mission of the file. */
  readonly carriesOut: boolean;
  /** The calls carry out a mission, which hears them live. */
  readonly isLive: boolean;
  /** Before the load, one after the other. */
  readonly referenceCalls: number;
  /** The first ramp that results from the request. */
  readonly rampSecondsAtLeast: number;
  readonly secondsAtMost: number;
  readonly callsAtMost: number;
  /** All calls together. */
  readonly callMinutesAtMost: number;
  /** Absent if no rate is known. */
  readonly costAtMost?: number;
  /** ISO 4217. Absent if the rate comes from the dial plan, which has no currency. */
  readonly currency?: string;
  /** The number or address that still needs consent. Absent for a practice IVR, and if a remote service decides. */
  readonly consentFor?: string;
  /** The address on this machine, if no practice IVR of Dialtree answers there. */
  readonly place?: string;
  readonly service?: string;
}

/**
 * Plans a load test. `consentFor`, `place`, `service` and `currency` are as in the plan; `costPerMinute` is per call.
 */
export function planLoad(
  { file, name, kind, phoneNumber, ivr }: LoadTarget,
  request: LoadRequest,
  {
    costPerMinute,
    testRows = 0,
    isLive = false,
    ...rest
  }: Pick<LoadPlan, 'consentFor' | 'place' | 'service' | 'currency'> & {
    readonly costPerMinute?: number;
    /** The rows of the test that each call carries out, or 1 without rows; 0 if the calls carry out no test. */
    readonly testRows?: number;
    readonly isLive?: boolean;
  },
): LoadPlan {
  const stages = timedStages(request);
  const [first] = stages;
  const { endsAt } = stages.at(-1) ?? first;
  const { calls, seconds } = loadBudget({ ...request, testRows, isLive });
  const carriesOut = testRows > 0;
  const references = referenceCalls({ testRows, isLive });
  return {
    file,
    name,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(ivr && { ivr: ivr.name }),
    onlyCalls: kind === 'test' && !carriesOut,
    carriesOut,
    isLive,
    referenceCalls: references,
    ...request,
    rampSecondsAtLeast: first.rampEndsAt,
    secondsAtMost: Math.ceil(endsAt + lettingGoSeconds + references * secondsForEachCall(request)),
    callsAtMost: calls,
    callMinutesAtMost: Math.ceil(seconds / 6) / 10,
    ...(costPerMinute !== undefined && { costAtMost: cents(costOf(seconds, costPerMinute)) }),
    ...rest,
  };
}

/** Calls are released over one second, and hung up within two more even if the called side doesn't respond. */
const lettingGoSeconds = 3;
/** A ramp that grows by less than this isn't worth mentioning. */
const worthSaying = 0.5;

export const planText = (plan: LoadPlan): string =>
  [
    `${plan.file}  ${plan.name}`,
    ...[...calledLines(plan), ...callLines(plan), ...endLines(plan)].filter((line) => line !== false).map(indented),
  ]
    .map(onOneLine)
    .join('\n');

type PlanLine = string | false;
const indented = (line: string): string => `    ${line}`;

function calledLines({
  phoneNumber,
  ivr,
  onlyCalls,
  carriesOut,
  isLive,
  referenceCalls,
  consentFor,
  place,
  service,
}: LoadPlan): PlanLine[] {
  const called = phoneNumber ?? `practice IVR ${ivr ?? ''}, in its own process`;
  return [
    service === undefined ? called : `${called}, called by the service at ${service}`,
    onlyCalls && "The steps of the test aren't run: Dialtree only calls its number and holds the calls.",
    isLive && `Each call carries out the mission. ${service === undefined ? liveCallsText() : ''}`.trimEnd(),
    carriesOut &&
      !isLive &&
      `Each call carries out the steps of the test, after ${String(referenceCalls)} reference calls that must pass.`,
    consentFor !== undefined && consentText(consentFor, place),
    service !== undefined &&
      phoneNumber !== undefined &&
      'A number on the public network needs consent recorded on that service.',
  ];
}

const consentText = (consentFor: string, place: string | undefined): string =>
  place === undefined
    ? `${consentFor} is on the public network and needs consent. Use --url with a service that has this consent.`
    : `No practice IVR of Dialtree answers at ${place}. To call ${consentFor}, add --consent ${consentFor}.`;

function callLines(plan: LoadPlan): PlanLine[] {
  const { callSeconds, replace, carriesOut, keys = [] } = plan;
  return [
    ...courseLines(plan),
    carriesOut && hasDescent(plan) && "A call isn't cut off when a stage has fewer calls: it ends with its test.",
    callSeconds !== undefined && `Dialtree hangs up each call ${shown(callSeconds)} after it is answered.`,
    replace === true && 'A new call replaces each call that has ended.',
    ...keys.map(
      ({ afterSeconds, digits }) => `Each call presses ${digits} ${shown(afterSeconds)} after it is answered.`,
    ),
  ];
}

/** Returns a line for each stage, and one for each ramp that is longer than requested. */
const courseLines = (course: LoadCourse): PlanLine[] =>
  timedStages(course).flatMap((stage, index) => {
    const { concurrency, rampSeconds, holdSeconds, startsAt, rampEndsAt } = stage;
    const { callsPerSecond } = course;
    const ramp = rampEndsAt - startsAt;
    const isRateAsked = callsPerSecond < limits.loadTest.callsPerSecond.max;
    const held = `then held for ${shown(holdSeconds)}`;
    return [
      index === 0
        ? `${count(concurrency, 'call')} at the same time, started over ${shown(ramp)} at up to ${String(callsPerSecond)} per second, ${held}`
        : `then ${count(concurrency, 'call')}, reached over ${shown(ramp)}, ${held}`,
      ramp - rampSeconds >= worthSaying &&
        `The ramp of ${shown(rampSeconds)} becomes ${shown(ramp)}: the maximum is ${String(callsPerSecond)} calls per second${isRateAsked ? ' (--calls-per-second)' : ''}.`,
    ];
  });

const hasDescent = (course: LoadCourse): boolean =>
  timedStages(course).some(({ from, concurrency }) => concurrency < from);

function endLines(plan: LoadPlan): PlanLine[] {
  const {
    failureShare = loadAbortDefaults.failureShare,
    minimumCalls = loadAbortDefaults.minimumCalls,
    tickLatenessMs,
    criterionBroken = false,
  } = plan.abortWhen ?? {};
  const late =
    tickLatenessMs === undefined ? '' : `, or if this machine's 20 ms timer is ${String(tickLatenessMs)} ms late`;
  const asked = (Object.entries(plan.criteria ?? {}) as [CriterionName, number][]).map(([name, limit]) =>
    limitText(name, limit),
  );
  return [
    `The test ends early if ${String(Math.round(failureShare * 100))} % of at least ${String(minimumCalls)} calls have failed${late}${criterionBroken ? ', or if a criterion is broken' : ''}.`,
    asked.length > 0 && `Criteria: ${asked.join(', ')}.`,
    `Up to ${shown(plan.secondsAtMost)}, ${count(plan.callsAtMost, 'call')} and ${count(plan.callMinutesAtMost, 'minute')} of calls${costText(plan.costAtMost, plan.currency)}.`,
  ];
}

const shown = (value: number): string => `${String(Number(value.toFixed(1)))} s`;
