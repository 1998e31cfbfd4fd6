import { randomBytes } from 'node:crypto';
import { HumanError } from '../../contract/errors.ts';
import type { LaunchSecrets } from '../../contract/testRuns.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import { areKeys, notKeys, secretNamesIn, withoutSecrets } from '../../model/secrets/secretReferences.ts';
import { actionTextsOf } from '../../model/secrets/secretSteps.ts';
import type { EventBus } from '../store/events.ts';
import type { TestPlan } from '../store/storedPlan.ts';

/**
 * The values of `${secret:NAME}` by launch, until its runs have ended. They are only in the memory of this process: the
 * store has the references.
 */
export class HeldSecrets {
  readonly #events: EventBus;
  readonly #values = new Map<string, LaunchSecrets>();

  constructor(events: EventBus) {
    this.#events = events;
  }

  /** Until all these runs have ended, in any process, or until the function that it returns is called. */
  hold(launchId: string, secrets: LaunchSecrets, workspaceId: string, runIds: readonly string[]): () => void {
    if (Object.keys(secrets).length === 0) return () => undefined;
    const open = new Set(runIds);
    this.#values.set(launchId, secrets);
    const stop = this.#events.listen(workspaceId, (event) => {
      if (event.type === 'test.changed' && event.ended && open.delete(event.runId) && open.size === 0) forget();
    });
    const forget = (): void => {
      stop();
      this.#values.delete(launchId);
    };
    return forget;
  }

  of(launchId: string): LaunchSecrets {
    return this.#values.get(launchId) ?? {};
  }
}

const prefix = `secret_${randomBytes(8).toString('hex')}_`;
/** A test can't name this column itself: it would reveal the secret in a step that isn't secret. */
const columnOf = (name: string): string => prefix + name;

const stepsOf = (plan: TestPlan): readonly TestStep[] =>
  plan.type === 'script' ? [...plan.steps, ...(plan.given ?? [])] : [];

/** Returns the secrets that a plan refers to, but that have no value. */
export const lackingSecrets = (plan: TestPlan, secrets: LaunchSecrets): string[] =>
  stepsOf(plan)
    .flatMap(({ action }) => actionTextsOf(action).flatMap(secretNamesIn))
    .filter((name) => !Object.hasOwn(secrets, name));

/** @throws HumanError 400 `secret_missing`, or `invalid_request` if keys would contain something else. Shows no value */
export function assertSecrets(plans: readonly TestPlan[], secrets: LaunchSecrets): void {
  const [missing] = plans.flatMap((plan) => lackingSecrets(plan, secrets));
  if (missing !== undefined)
    throw new HumanError(
      `The secret ${missing} has no value. Give it in secrets of runTest. Other launches can't use secrets. No call was placed.`,
      { status: 400, code: 'secret_missing', details: { secret: missing } },
    );
  for (const { action } of plans.flatMap(stepsOf)) {
    const wrong = 'keys' in action && secretNamesIn(action.keys).find((name) => !areKeys(secrets[name] ?? ''));
    if (typeof wrong === 'string')
      throw new HumanError(`The secret ${wrong} ${notKeys} No call was placed.`, {
        status: 400,
        code: 'invalid_request',
        details: { secret: wrong },
      });
  }
}

/** Returns a step whose references are columns of the row that `withSecrets` adds. They are masked like other columns. */
export const inColumns = (step: TestStep): TestStep => {
  const filled = (text: string): string => withoutSecrets(text, (name) => `{${columnOf(name)}}`);
  const { action } = step;
  if (action.type === 'press') return { ...step, action: { ...action, keys: filled(action.keys) } };
  return action.type === 'say' ? { ...step, action: { ...action, text: filled(action.text) } } : step;
};

/** Returns the plan as it is carried out. It must not be stored. */
export function withSecrets<Plan extends TestPlan>(plan: Plan, secrets: LaunchSecrets): Plan {
  if (plan.type !== 'script' || Object.keys(secrets).length === 0) return plan;
  const values = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [columnOf(name), value]));
  return {
    ...plan,
    steps: plan.steps.map(inColumns),
    ...(plan.given && { given: plan.given.map(inColumns) }),
    row: { ...plan.row, ...values },
  };
}
