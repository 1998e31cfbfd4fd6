import type { OperationCaller } from '../client/follow.ts';
import type { PlanCalls } from '../contract/callPlan.ts';
import { defaultPassThreshold, type TestStep } from '../contract/testConfigs.ts';
import { secretColumns, actionTextsOf } from '../model/secrets/secretSteps.ts';
import { columnsIn, fillPlaceholders } from '../model/tests/columnUse.ts';
import type { LaunchValues } from '../model/tests/environment.ts';
import type { ScriptedTestFile } from '../model/tests/testFile.ts';
import { uuidOf } from './testId.ts';

/** What a guided run carries out by itself after its launch. `id` identifies the saved test. */
export type GuidedTest = NonNullable<PlanCalls['test']> & { readonly id: string };

interface LaunchParts {
  readonly client: OperationCaller;
  /** Asks for consent if the service requires it. Returns undefined if the user declines. */
  readonly withConsent: <T>(subject: PlanCalls, work: () => Promise<T>) => Promise<T | undefined>;
}

interface GuidedContent {
  /** The id of the test itself. @see testIdOf */
  readonly id: string;
  readonly name: string;
  readonly phoneNumber: string;
  readonly row: Readonly<Record<string, string>>;
  /** Places the call if the first step of the test doesn't. */
  readonly answer: TestStep;
}

/** Returns the step that does this, and expects no words. */
export const plainStep = (step: Pick<TestStep, 'name' | 'action' | 'secret'>): TestStep => ({
  ...step,
  passThreshold: defaultPassThreshold,
});

/**
 * Launches a run that carries out the steps of the test, then those that it is given. Returns its id, or undefined if
 * the user declines. Rejects as `call` does.
 */
export async function launchGuided(
  { client, withConsent }: LaunchParts,
  test: GuidedTest,
  { secrets, ...onLine }: LaunchValues = {},
): Promise<string | undefined> {
  const subject = { ...onLine, test, guided: true };
  const launched = await withConsent(subject, () =>
    client.call('runTest', { ...subject, configId: test.id, ...(secrets && { secrets }) }),
  );
  return launched?.items[0]?.id;
}

/**
 * Divides a test of a file into what a guided run is launched with, which is the step that places the call, and the
 * steps to give it. Both contain the values of the row. It is a separate test, so that its runs change neither the saved
 * test nor its history.
 */
export function guidedTest(
  { test }: ScriptedTestFile,
  { id, name, phoneNumber, row, answer }: GuidedContent,
): { readonly test: GuidedTest; readonly steps: readonly TestStep[] } {
  const { ivr: _ivr, rows: _rows, ...content } = test;
  const secret = secretColumns(test.steps);
  const steps = test.steps.map((step) => withValues(step, row, secret));
  const [first] = steps;
  const dials = first?.action.type === 'dial';
  return {
    test: { ...content, id: uuidOf(`stepThrough:${id}`), name, phoneNumber, steps: [dials ? first : answer] },
    steps: dials ? steps.slice(1) : steps,
  };
}

/**
 * Returns the step with the values of a row. The service learns from each step alone what is secret, so a step that uses
 * a secret column is secret too. It would show the words that a step expects, so they accept any value there.
 */
function withValues(step: TestStep, row: Readonly<Record<string, string>>, secret: ReadonlySet<string>): TestStep {
  const filled = (text: string): string => fillPlaceholders(text, row);
  const { action, expectedTranscript, heardBeforeAnswer } = step;
  const open = (text: string): string =>
    filled(text.replaceAll(/\{(\w+)\}/g, (whole, column: string) => (secret.has(column) ? '*' : whole)));
  return {
    ...step,
    ...(actionTextsOf(action)
      .flatMap(columnsIn)
      .some((column) => secret.has(column)) && { secret: true }),
    ...(expectedTranscript !== undefined && { expectedTranscript: open(expectedTranscript) }),
    ...(heardBeforeAnswer !== undefined && { heardBeforeAnswer: open(heardBeforeAnswer) }),
    action:
      action.type === 'press'
        ? { ...action, keys: filled(action.keys) }
        : action.type === 'say'
          ? { ...action, text: filled(action.text) }
          : action,
  };
}
