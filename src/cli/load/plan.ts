import type { PlannedCalls } from '../../contract/callPlan.ts';
import { limits } from '../../contract/limits.ts';
import { loadAbortDefaults } from '../../contract/loadTests.ts';
import { referenceCalls } from '../../model/calls/callBudget.ts';
import { secondsForEachCall, timedStages, type LoadCourse } from '../../model/calls/loadCourse.ts';
import { limitText, type CriterionName } from '../../model/load/criteria.ts';
import { cents, minutesOf } from '../../model/report/planBlocks.ts';
import { liveCallsText } from '../../service/load/liveLoad.ts';
import { planLines } from '../calling/planLines.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { LoadRequest } from './request.ts';
import type { LoadTarget } from './target.ts';
import { count } from '../../base/count.ts';

export interface PlannedLoad {
  readonly target: LoadTarget;
  readonly request: LoadRequest;
  readonly plan: PlannedCalls;
  /** The rows of the test that each call carries out, or 1 without rows; 0 if the calls carry out no test. */
  readonly testRows: number;
  /** The calls carry out a mission, which hears them live. */
  readonly isLive: boolean;
  /** The address of the service, unless the command starts its own. */
  readonly service?: string;
}

/** `rampSecondsAtLeast`: the first ramp that results from the request. `callMinutesAtMost`: all calls together. */
export function loadPlanJson({ target, request, plan, testRows, isLive, service }: PlannedLoad) {
  const { file, name, kind, phoneNumber, ivr } = target;
  const { calls, cost, refusal } = plan;
  return {
    file,
    name,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(ivr && { ivr: ivr.name }),
    onlyCalls: kind === 'test' && testRows === 0,
    carriesOut: testRows > 0,
    isLive,
    referenceCalls: referenceCalls({ testRows, isLive }),
    ...request,
    rampSecondsAtLeast: timedStages(request)[0].rampEndsAt,
    secondsAtMost: secondsOf(request, referenceCalls({ testRows, isLive })),
    callsAtMost: calls,
    callMinutesAtMost: minutesOf(plan.secondsAtMost),
    ...(cost && { costAtMost: cents(cost.amount), currency: cost.currency }),
    ...(refusal && { refusal: { code: refusal.code, message: refusal.message } }),
    ...(service !== undefined && { service }),
  };
}

function secondsOf(request: LoadRequest, references: number): number {
  const stages = timedStages(request);
  const { endsAt } = stages.at(-1) ?? stages[0];
  return Math.ceil(endsAt + lettingGoSeconds + references * secondsForEachCall(request));
}

/** Calls are released over one second, and hung up within two more even if the called side doesn't respond. */
const lettingGoSeconds = 3;
/** A ramp that grows by less than this isn't worth mentioning. */
const worthSaying = 0.5;

/** Without a plan, the text says what the command knows by itself. */
export const loadPlanText = ({
  plan,
  ...planned
}: Omit<PlannedLoad, 'plan'> & Partial<Pick<PlannedLoad, 'plan'>>): string =>
  [
    `${planned.target.file}  ${planned.target.name}`,
    ...[
      ...calledLines(planned),
      ...callLines(planned.request, planned.testRows),
      ...endLines(planned.request),
      `The test takes up to ${shown(secondsOf(planned.request, referenceCalls(planned)))}.`,
      ...(plan ? planLines(plan) : []),
    ]
      .filter((line) => line !== false)
      .map((line) => `    ${line}`),
  ]
    .map(onOneLine)
    .join('\n');

type PlanLine = string | false;

function calledLines({ target, testRows, isLive, service }: Omit<PlannedLoad, 'plan'>): PlanLine[] {
  const { kind, phoneNumber, ivr } = target;
  const called = phoneNumber ?? `practice IVR ${ivr?.name ?? ''}, in its own process`;
  return [
    service === undefined ? called : `${called}, called by the service at ${service}`,
    kind === 'test' &&
      testRows === 0 &&
      "The steps of the test aren't run: Dialtree only calls its number and holds the calls.",
    isLive && `Each call carries out the mission. ${service === undefined ? liveCallsText() : ''}`.trimEnd(),
    testRows > 0 &&
      !isLive &&
      `Each call carries out the steps of the test, after ${String(referenceCalls({ testRows }))} reference calls that must pass.`,
  ];
}

function callLines(request: LoadRequest, testRows: number): PlanLine[] {
  const { callSeconds, replace, keys = [] } = request;
  return [
    ...courseLines(request),
    testRows > 0 && hasDescent(request) && "A call isn't cut off when a stage has fewer calls: it ends with its test.",
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

function endLines(request: LoadRequest): PlanLine[] {
  const {
    failureShare = loadAbortDefaults.failureShare,
    minimumCalls = loadAbortDefaults.minimumCalls,
    tickLatenessMs,
    criterionBroken = false,
  } = request.abortWhen ?? {};
  const late =
    tickLatenessMs === undefined ? '' : `, or if this machine's 20 ms timer is ${String(tickLatenessMs)} ms late`;
  const asked = (Object.entries(request.criteria ?? {}) as [CriterionName, number][]).map(([name, limit]) =>
    limitText(name, limit),
  );
  return [
    `The test ends early if ${String(Math.round(failureShare * 100))} % of at least ${String(minimumCalls)} calls have failed${late}${criterionBroken ? ', or if a criterion is broken' : ''}.`,
    asked.length > 0 && `Criteria: ${asked.join(', ')}.`,
  ];
}

const shown = (value: number): string => `${String(Number(value.toFixed(1)))} s`;
