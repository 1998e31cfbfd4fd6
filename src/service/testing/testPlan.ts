import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import type { MissionBounds } from '../../contract/missionConfigs.ts';
import type { CallTestEnd, CallTestEvent } from '../../engine/call/callTestEvent.ts';
import type { TestCallOptions } from '../../engine/call/testCall.ts';
import type { ScriptGuide } from '../../engine/script/script.ts';
import type { JudgedMission } from '../../language/judge/judge.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import { callBounds, callSecondsAtMost, missionSecondsAtMost } from '../../model/calls/callBudget.ts';
import type { CallBudget } from '../../model/calls/callBudget.ts';
import type { MissionPlan, MissionResult, ScriptPlan, TestPlan } from '../store/storedPlan.ts';
import { masked } from '../../model/secrets/secretMask.ts';
import { secretColumns } from '../../model/secrets/secretSteps.ts';

export const missionPlanOf = ({
  mission,
  acceptance = '',
  checks,
  votes,
  maxTurns,
  maxSeconds,
}: MissionBounds &
  Omit<JudgedMission, 'acceptance'> & {
    readonly mission: string;
    readonly acceptance?: string | undefined;
  }): MissionPlan => ({
  type: 'mission',
  mission,
  acceptance,
  ...(checks && { checks }),
  ...(votes !== undefined && { votes }),
  ...(maxTurns !== undefined && { maxTurns }),
  ...(maxSeconds !== undefined && { maxSeconds }),
});

/** The events of a run. A mission's end includes the judge's verdict. */
export type PlanEvent = Exclude<CallTestEvent, { type: 'ended' }> | { readonly type: 'ended'; readonly ended: PlanEnd };
export type PlanEnd = Omit<CallTestEnd, 'endedBy'> & { readonly mission?: MissionResult; readonly endedBy?: EndedBy };

/** `model`: charged to the key that launched the run. Without it, missions use rules. */
export interface PlanOptions extends TestCallOptions {
  readonly model?: LanguageModel;
  /** Gives the steps of a guided run. */
  readonly guide?: ScriptGuide;
}

/** Performs a plan; tests replace it. */
export type PerformPlan = (plan: TestPlan, options: PlanOptions) => AsyncIterable<PlanEvent>;

/** Nothing is dialled, because the called side calls Dialtree. */
export const awaitsCall = (plan: TestPlan): boolean => plan.type === 'probe' && plan.probe.mode === 'receive';

interface PlannedTest extends Pick<TestConfig, 'steps'> {
  readonly rows?: TestConfig['rows'] | undefined;
  readonly guided?: boolean | undefined;
}

export type GuidedPlan = Required<Pick<ScriptPlan, 'given'>> & Extract<TestPlan, ScriptPlan>;
/** Its call waits for steps instead of ending after the last one. */
export const isGuided = (plan: TestPlan): plan is GuidedPlan => plan.type === 'script' && plan.given !== undefined;

/** One plan per row, or one. @throws HumanError 400 `invalid_request` for a guided test with rows */
export function plansOf({ steps, rows, guided = false }: PlannedTest): ScriptPlan[] {
  if (guided && rows)
    throw new HumanError("A test with rows can't be guided, because it places several calls. Leave out guided.", {
      status: 400,
      code: 'invalid_request',
    });
  if (guided) return [{ type: 'script', steps, given: [] }];
  return rows ? rows.map((row) => ({ type: 'script', steps, row })) : [{ type: 'script', steps }];
}

/** Returns the row without the values that steps mark as secret. */
export function shownRow(plan: TestPlan): Record<string, string> | undefined {
  if (plan.type !== 'script' || !plan.row) return undefined;
  const secret = secretColumns(plan.steps);
  return Object.fromEntries(
    Object.entries(plan.row).map(([column, value]) => [column, secret.has(column) ? masked : value]),
  );
}

/** Calls of one run: one, unless a probe hangs up and calls again. */
const talksAtMost = (plan: TestPlan): number =>
  plan.type === 'probe' ? 1 + (plan.probe.dialogue?.steps ?? []).filter((step) => step.do === 'call').length : 1;

/** Calls that one run places. */
export const callsAtMost = (plan: TestPlan): number => (awaitsCall(plan) ? 0 : talksAtMost(plan));

/** Returns the maximum length of a run's calls, in seconds. Those of a probe share the time of one. */
export const secondsAtMost = (plan: TestPlan): number =>
  plan.type === 'script'
    ? Math.max(callSecondsAtMost(plan.steps, plan.row, plan.caller), plan.given ? serverLimits.guided.seconds : 0)
    : missionSecondsAtMost(plan.type === 'mission' ? plan.maxSeconds : undefined) +
      (talksAtMost(plan) - 1) * callBounds.setup;

/** Returns the maximum usage of a launch. */
export function launchBudget(plans: readonly TestPlan[]): CallBudget {
  const seconds = plans.map(secondsAtMost);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return {
    calls: sum(plans.map(callsAtMost)),
    seconds: sum(seconds),
    secondsOfRun: Math.max(...seconds),
    secondsOfRuns: seconds,
  };
}

/**
 * Returns plans as they are stored until their runs have ended.
 * @throws HumanError 400 `launch_too_large`: a plan contains all steps, and there is one per row
 */
export function textsOfPlans(plans: readonly TestPlan[]): string[] {
  let bytes = 0;
  return plans.map((plan) => {
    const text = JSON.stringify(plan);
    bytes += Buffer.byteLength(text);
    if (bytes > serverLimits.launchBytes)
      throw new HumanError(
        `These ${String(plans.length)} runs need more than ${String(serverLimits.launchBytes / 1_048_576)} MiB of storage. Run fewer rows at once, or shorten the steps.`,
        { status: 400, code: 'launch_too_large' },
      );
    return text;
  });
}
