import { HumanError } from '../../contract/errors.ts';
import { findValueProblems } from '../../model/rowValues.ts';
import type { CallPlan } from './callPlan.ts';

/** @throws HumanError 400 `invalid_request` for the first row whose value makes no step, before anybody is called; the value itself is not told, since it may be secret */
export function demandValues(plans: readonly CallPlan[]): void {
  for (const [index, plan] of plans.entries()) {
    if (plan.type !== 'script' || !plan.row) continue;
    const [problem] = findValueProblems(plan.steps, [plan.row]);
    if (!problem) continue;
    const { column, step } = problem;
    throw new HumanError(`Row ${String(index + 1)}, ${problem.message} Correct the row. Nobody was called.`, {
      status: 400,
      code: 'invalid_request',
      details: { row: index + 1, column, step: plan.steps[step]?.name ?? '' },
    });
  }
}
