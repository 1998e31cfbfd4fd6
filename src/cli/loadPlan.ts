import { limits } from '../contract/limits.ts';
import { loadAbortDefaults } from '../contract/loadTests.ts';
import type { LoadShape } from '../contract/loadTests.ts';
import { costOf, loadBudget } from '../model/calls/callBudget.ts';
import { loadRampSeconds } from '../model/calls/loadRamp.ts';
import { onOneLine } from './controlCharacters.ts';
import { limitText, type CriterionName, type LoadLimits } from './loadCriteria.ts';
import type { LoadTarget } from './loadTarget.ts';
import { cents, costText } from './runPlan.ts';

export interface LoadRequest extends LoadShape {
  readonly concurrency: number;
  readonly rampSeconds: number;
  readonly holdSeconds: number;
  readonly callsPerSecond: number;
}

/** What a load test would do, before anything is dialled. */
export interface LoadPlan extends LoadRequest {
  readonly file: string;
  readonly name: string;
  readonly phoneNumber?: string;
  readonly ivr?: string;
  /** The steps or the mission of the file are not carried out. */
  readonly onlyCalls: boolean;
  /** The ramp as it will be. */
  readonly rampSecondsAtLeast: number;
  readonly secondsAtMost: number;
  readonly callsAtMost: number;
  /** Of all calls together. */
  readonly callMinutesAtMost: number;
  /** Absent where no rate is known. */
  readonly costAtMost?: number;
  /** ISO 4217; absent with a rate of the dial plan, which names none. */
  readonly currency?: string;
  /**
   * The number or address that is called with consent only, which is missing; absent for a practice IVR, and where a
   * service elsewhere decides that.
   */
  readonly consentFor?: string;
  /** Where on this machine that is, and no practice IVR of Dialtree answers. */
  readonly place?: string;
  readonly service?: string;
  readonly limits: LoadLimits;
}

/** `consentFor`, `place`, `service`, `currency` as in the plan; `costPerMinute` of a call. */
export function planLoad(
  { file, name, kind, phoneNumber, ivr }: LoadTarget,
  request: LoadRequest,
  {
    costPerMinute,
    ...rest
  }: Pick<LoadPlan, 'limits' | 'consentFor' | 'place' | 'service' | 'currency'> & { readonly costPerMinute?: number },
): LoadPlan {
  const rampSecondsAtLeast = loadRampSeconds(request);
  const { calls, seconds } = loadBudget(request);
  return {
    file,
    name,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(ivr && { ivr: ivr.name }),
    onlyCalls: kind === 'test',
    ...request,
    rampSecondsAtLeast,
    secondsAtMost: Math.ceil(rampSecondsAtLeast + request.holdSeconds + lettingGoSeconds),
    callsAtMost: calls,
    callMinutesAtMost: Math.ceil(seconds / 6) / 10,
    ...(costPerMinute !== undefined && { costAtMost: cents(costOf(seconds, costPerMinute)) }),
    ...rest,
  };
}

/** Calls are let go over one second, and hung up within two more whatever the far side does. */
const lettingGoSeconds = 3;
/** A ramp that becomes longer by less than this is not worth a word. */
const worthSaying = 0.5;

export function planText(plan: LoadPlan): string {
  const {
    file,
    name,
    phoneNumber,
    ivr,
    onlyCalls,
    concurrency,
    rampSeconds,
    rampSecondsAtLeast,
    holdSeconds,
    callsPerSecond,
    callSeconds,
    replace,
    keys,
    abortWhen,
    consentFor,
    place,
    service,
    secondsAtMost,
    callsAtMost,
    callMinutesAtMost,
    costAtMost,
    currency,
  } = plan;
  const {
    failureShare = loadAbortDefaults.failureShare,
    minimumCalls = loadAbortDefaults.minimumCalls,
    tickLatenessMs,
  } = abortWhen ?? {};
  const asked = Object.entries(plan.limits) as [CriterionName, number][];
  return [
    `${file}  ${name}`,
    `    ${phoneNumber ?? `practice IVR ${ivr ?? ''}, played in a process of its own`}${service === undefined ? '' : `, called by the service at ${service}`}`,
    ...(onlyCalls
      ? ['    The steps of the test are not carried out: its number is called, and the calls are held.']
      : []),
    ...(consentFor === undefined
      ? []
      : [
          place === undefined
            ? `    ${consentFor} is on the public network and is only called with consent: by a service that holds it, with --url.`
            : `    No practice IVR of Dialtree answers at ${place}: ${consentFor} is only called with --consent ${consentFor}.`,
        ]),
    ...(service === undefined || phoneNumber === undefined
      ? []
      : ['    A number on the public network needs consent that is recorded at that service.']),
    `    ${String(concurrency)} call${concurrency === 1 ? '' : 's'} at once, started over ${shown(rampSecondsAtLeast)} at ${String(callsPerSecond)} a second at most, then held for ${shown(holdSeconds)}`,
    ...(rampSecondsAtLeast - rampSeconds < worthSaying
      ? []
      : [
          `    The ramp of ${shown(rampSeconds)} is stretched to ${shown(rampSecondsAtLeast)}: calls are never placed faster than ${String(callsPerSecond)} a second${callsPerSecond < limits.loadTest.callsPerSecond.max ? ' (--calls-per-second)' : ''}.`,
        ]),
    ...(callSeconds === undefined ? [] : [`    Each call is hung up ${shown(callSeconds)} after its answer.`]),
    ...(replace === true ? ['    A call that has ended is followed by another.'] : []),
    ...(keys ?? []).map(
      ({ afterSeconds, digits }) => `    Each call presses ${digits} ${shown(afterSeconds)} after its answer.`,
    ),
    `    It ends early when ${String(Math.round(failureShare * 100))} % of at least ${String(minimumCalls)} calls have failed${tickLatenessMs === undefined ? '' : `, or when this machine is ${String(tickLatenessMs)} ms late`}.`,
    ...(asked.length === 0
      ? []
      : [`    It passes with ${asked.map(([criterion, limit]) => limitText(criterion, limit)).join(', ')}.`]),
    `    At most ${shown(secondsAtMost)}, ${String(callsAtMost)} call${callsAtMost === 1 ? '' : 's'} and ${String(callMinutesAtMost)} minutes of calls${costText(costAtMost, currency)}.`,
  ]
    .map(onOneLine)
    .join('\n');
}

const shown = (value: number): string => `${String(Number(value.toFixed(1)))} s`;
