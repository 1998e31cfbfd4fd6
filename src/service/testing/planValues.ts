import { andMore, HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
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
  const stopped = problems.length >= limits.problems.file;
  const { message: inMessage, details: inDetails } = limits.problems;
  const details = problems.slice(0, inDetails).map(({ path, message }) => ({ path: path.join('.'), message }));
  const listed = details.slice(0, inMessage).map(({ path, message }) => `${path}: ${message}`);
  throw new HumanError(
    [...listed, ...andMore(problems.length - listed.length, stopped), 'No call was placed.'].join(' '),
    {
      status: 400,
      code: 'invalid_request',
      details: [
        ...details,
        ...andMore(problems.length - details.length, stopped).map((message) => ({ path: '', message })),
      ],
    },
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
  const scripts = plans.filter((plan) => plan.type === 'script');
  // The plans of a launch have the same steps.
  const steps = scripts[0]?.steps ?? [];
  const [problem] = findValueProblems(
    steps,
    scripts.map(({ row = {} }) => row),
  );
  if (!problem) return;
  const { column } = problem;
  const step = steps[problem.step]?.name ?? '';
  throw new HumanError(`Row ${String(problem.row + 1)}, ${problem.message} Correct the row. No call was placed.`, {
    status: 400,
    code: 'invalid_request',
    details: { row: problem.row + 1, column, step },
    quotes: [step],
  });
}
