import { count } from '../../base/count.ts';
import type { DialtreeClient } from '../../client/client.ts';
import type { PlannedCalls } from '../../contract/callPlan.ts';
import { cents, minutesOf, repeatedPlan, sizeBlock, sumOfPlans, type PlanSize } from '../../model/report/planBlocks.ts';
import { planAt } from '../../runner/planAt.ts';
import { subjectOf } from '../../runner/runTest.ts';
import { cancelled, patiently } from '../calling/patiently.ts';
import { planLines } from '../calling/planLines.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { LoadedTest } from './testFiles.ts';

/** A test with the plan of all its calls. */
interface PlannedTest {
  readonly test: LoadedTest;
  readonly plan: PlannedCalls;
}

/**
 * Asks the service what a run would use. Waits if the service allows no more requests in this minute. Rejects as `call`
 * does, and with a HumanError if the signal aborts.
 */
export async function planRun(
  client: Pick<DialtreeClient, 'call'>,
  tests: readonly LoadedTest[],
  repeat: number,
  signal: AbortSignal,
): Promise<readonly PlannedTest[]> {
  const planned: PlannedTest[] = [];
  for (const test of tests) {
    const plan = await patiently(() => planTest(client, test, repeat, signal), signal);
    if (!plan) throw cancelled();
    planned.push({ test, plan });
  }
  return planned;
}

/** Asks the service what a test would use. Rejects as `call` does. */
export async function planTest(
  client: Pick<DialtreeClient, 'call'>,
  { source: file, id, ivr }: LoadedTest,
  repeat: number,
  signal: AbortSignal,
): Promise<PlannedCalls> {
  const plan = await planAt(ivr ? undefined : (file.test.phoneNumber ?? ''), (phoneNumber) =>
    client.call('planCalls', subjectOf({ file, id, phoneNumber }), { signal }),
  );
  return repeatedPlan(plan, repeat);
}

export const testPlanText = (planned: readonly PlannedTest[]): string =>
  [
    ...planned.flatMap(({ test, plan }) => [
      `${test.source.file}  ${test.source.test.name}`,
      ...[targetOf(test), ...planLines(plan)].map((line) => `    ${line}`),
    ]),
    `${planLine(planned)} No calls were placed.`,
  ]
    .map(onOneLine)
    .join('\n');

const planLine = (planned: readonly PlannedTest[]): string =>
  `${testsLine(planned.map(({ test }) => test))} ${String(sizeBlock(totalOf(planned)))}`;

export const testsLine = (tests: readonly LoadedTest[]): string =>
  `${count(tests.length, 'test')}, ${count(new Set(tests.map(targetOf)).size, 'number')}.`;

/** The figures of all tests together are those of the plan. */
export const testPlanJson = (planned: readonly PlannedTest[]): object => ({
  tests: planned.map(({ test: { source, ivr }, plan }) => ({
    file: source.file,
    name: source.test.name,
    ...(source.test.phoneNumber !== undefined && { phoneNumber: source.test.phoneNumber }),
    ...(ivr && { ivr: ivr.ivr.name }),
    ...figuresOf(plan),
    ...(plan.refusal && { refusal: { code: plan.refusal.code, message: plan.refusal.message } }),
  })),
  ...figuresOf(totalOf(planned)),
});

const figuresOf = ({ calls, secondsAtMost, cost }: PlanSize): object => ({
  calls,
  minutesAtMost: minutesOf(secondsAtMost),
  ...(cost && { costAtMost: cents(cost.amount), currency: cost.currency }),
});

const totalOf = (planned: readonly PlannedTest[]): PlanSize => sumOfPlans(planned.map(({ plan }) => plan));

const targetOf = ({ source, ivr }: LoadedTest): string =>
  ivr ? `practice IVR ${ivr.ivr.name}` : (source.test.phoneNumber ?? '');
