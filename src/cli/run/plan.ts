import { count } from '../../base/count.ts';
import type { DialtreeClient } from '../../client/client.ts';
import type { PlannedCalls } from '../../contract/callPlan.ts';
import { cents, minutesOf, repeatedPlan, sizeBlock, sumOfPlans, type PlanSize } from '../../model/report/planBlocks.ts';
import { planAt } from '../../runner/planAt.ts';
import { subjectOf } from '../../runner/runTest.ts';
import { planLines } from '../calling/planLines.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { LoadedTest } from './testFiles.ts';

/** A test with the plan of all its calls. */
interface PlannedTest {
  readonly test: LoadedTest;
  readonly plan: PlannedCalls;
}

/** Asks the service what a run would use. Rejects as `call` does. */
export async function planRun(
  client: Pick<DialtreeClient, 'call'>,
  tests: readonly LoadedTest[],
  repeat: number,
): Promise<readonly PlannedTest[]> {
  const planned: PlannedTest[] = [];
  for (const test of tests) {
    const { source: file, id, ivr } = test;
    const plan = await planAt(ivr ? undefined : (file.test.phoneNumber ?? ''), (phoneNumber) =>
      client.call('planCalls', subjectOf({ file, id, phoneNumber })),
    );
    planned.push({ test, plan: repeatedPlan(plan, repeat) });
  }
  return planned;
}

export const planText = (planned: readonly PlannedTest[]): string =>
  [
    ...planned.flatMap(({ test, plan }) => [
      `${test.source.file}  ${test.source.test.name}`,
      ...[targetOf(test), ...planLines(plan)].map((line) => `    ${line}`),
    ]),
    `${planLine(planned)} No calls were placed.`,
  ]
    .map(onOneLine)
    .join('\n');

export const planLine = (planned: readonly PlannedTest[]): string =>
  `${count(planned.length, 'test')}, ${count(new Set(planned.map(({ test }) => targetOf(test))).size, 'number')}. ${String(sizeBlock(totalOf(planned)))}`;

/** The figures of all tests together are those of the plan. */
export const planJson = (planned: readonly PlannedTest[]): object => ({
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
