import type { Probe } from '../../contract/compliance.ts';
import type { TestConfig, TestStep } from '../../contract/testConfigs.ts';
import type { CallTestEnd, CallTestEvent } from '../../engine/callTestEvent.ts';
import type { TestCallOptions } from '../../engine/testCall.ts';
import { callBounds } from '../../model/callBudget.ts';
import { masked } from '../../model/secretMask.ts';
import type { MissionResult } from '../store/schema.ts';

/** What one run does, as it stood when it was launched. It holds the row's secrets, and is wiped with the run's end. */
export type CallPlan = ScriptPlan | MissionPlan | ProbePlan;
export interface ScriptPlan { readonly type: 'script'; readonly steps: readonly TestStep[]; readonly row?: Readonly<Record<string, string>> }
export interface ProbePlan { readonly type: 'probe'; readonly probe: Probe }
export interface MissionPlan { readonly type: 'mission'; readonly mission: string; readonly acceptance: string }

/** What a run tells; a mission's end comes with the judge's verdict. */
export type PlanEvent = Exclude<CallTestEvent, { type: 'ended' }> | { readonly type: 'ended'; readonly ended: PlanEnd };
export type PlanEnd = CallTestEnd & { readonly mission?: MissionResult };

/** Carries a plan out; tests put another one in its place. */
export type PerformPlan = (plan: CallPlan, options: TestCallOptions) => AsyncIterable<PlanEvent>;

/** One plan a row, or one. */
export function plansOf({ steps, rows }: Pick<TestConfig, 'steps'> & { readonly rows?: TestConfig['rows'] | undefined }): ScriptPlan[] {
  return rows ? rows.map((row) => ({ type: 'script', steps, row })) : [{ type: 'script', steps }];
}

/** The row without the values that steps mark as secret. */
export function shownRow(plan: CallPlan): Record<string, string> | undefined {
  if (plan.type !== 'script' || !plan.row) return undefined;
  const { steps, row } = plan;
  const secretTexts = steps.filter(({ secret }) => secret === true).map(({ action }) => (action.type === 'press' ? action.keys : action.type === 'say' ? action.text : ''));
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, secretTexts.some((text) => text.includes(`{${column}}`)) ? masked : value]));
}

/** Of a step that listens; set aside for a run, and given back where it took less. */
const secondsAStep = 20;
const mostSeconds = 900;

/** About how long the call lasts at most, in seconds. */
export const wantedSeconds = (plan: CallPlan): number => (plan.type !== 'script' ? callBounds.mission
  : Math.min(mostSeconds, 30 + plan.steps.reduce((sum, { action }) => sum + (action.type === 'wait' ? action.seconds : secondsAStep), 0)));
