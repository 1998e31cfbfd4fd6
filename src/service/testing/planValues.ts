import { HumanError } from '../../contract/errors.ts';
import type { TestConfig, TestStep } from '../../contract/testConfigs.ts';
import { findColumnProblems } from '../../model/tests/columnUse.ts';
import { findValueProblems } from '../../model/tests/rowValues.ts';
import type { TestPlan } from '../store/storedPlan.ts';

/**
 * @throws HumanError 400 `invalid_request` if `{name}` is neither a column of the rows nor collected by an earlier
 *   step, or a pattern isn't valid
 */
export function assertColumns({ steps, rows }: Pick<TestConfig, 'steps' | 'rows'>): void {
  const problems = findColumnProblems(steps, rows);
  if (problems.length === 0) return;
  const details = problems.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new HumanError(
    `${details
      .slice(0, 5)
      .map(({ path, message }) => `${path}: ${message}`)
      .join(' ')} No call was placed.`,
    { status: 400, code: 'invalid_request', details },
  );
}

/**
 * @throws HumanError 400 `invalid_request` if a step that a guided run is given needs a value that no step before it
 *   collects, or its pattern isn't valid
 */
export function assertGivenColumns(before: TestConfig['steps'], step: TestStep): void {
  const problem = findColumnProblems([...before, step], undefined).find(({ path }) => path[1] === before.length);
  if (!problem) return;
  const { path, column, message: why } = problem;
  const message = column === undefined ? why : `{${column}} has no value, because no step before this one collects it.`;
  const details = [{ path: ['step', ...path.slice(2)].join('.'), message }];
  throw new HumanError(`${details[0]?.path ?? ''}: ${message}`, { status: 400, code: 'invalid_request', details });
}

/**
 * @throws HumanError 400 `invalid_request` for the first row with an invalid value, before any call. The value isn't
 *   shown, because it can be secret
 */
export function assertValues(plans: readonly TestPlan[]): void {
  for (const [index, plan] of plans.entries()) {
    if (plan.type !== 'script' || !plan.row) continue;
    const [problem] = findValueProblems(plan.steps, [plan.row]);
    if (!problem) continue;
    const { column } = problem;
    const step = plan.steps[problem.step]?.name ?? '';
    throw new HumanError(`Row ${String(index + 1)}, ${problem.message} Correct the row. No call was placed.`, {
      status: 400,
      code: 'invalid_request',
      details: { row: index + 1, column, step },
      quotes: [step],
    });
  }
}
