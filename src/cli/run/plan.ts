import { count } from '../../base/count.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import { probeOf } from '../../contract/probeFile.ts';
import type { TestFile } from '../../model/tests/testFile.ts';
import type { TestPlan } from '../../service/store/storedPlan.ts';
import { costOf } from '../../model/calls/callBudget.ts';
import { PracticeRegistry } from '../../practice/registry.ts';
import { resolveTarget } from '../../service/numbers/dialGate.ts';
import { launchBudget, missionPlanOf, plansOf } from '../../service/testing/testPlan.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import type { LoadedTest } from './testFiles.ts';

interface RunPlan {
  readonly tests: readonly {
    readonly file: string;
    readonly name: string;
    readonly calls: number;
    /** E.164 number or SIP URI. Absent for the practice IVR. */
    readonly phoneNumber?: string;
    readonly ivr?: string;
    /** All its calls together. */
    readonly minutesAtMost: number;
    /** In the currency of the dial plan's rates. Absent if its route has no rate. */
    readonly costAtMost?: number;
  }[];
  readonly calls: number;
  readonly minutesAtMost: number;
  /** The tests whose routes have a rate. Absent if none has. */
  readonly costAtMost?: number;
}

/** Plans a run. `routes` is the dial plan of the service that the command starts; a remote service has its own. */
export function planRun(tests: readonly LoadedTest[], repeat: number, routes: Routes): RunPlan {
  const rows = tests.map(({ source, ivr }): RunPlan['tests'][number] => {
    const once = launchBudget(plansIn(source));
    const seconds = repeat * once.seconds;
    const rate = ivr || source.test.phoneNumber === undefined ? undefined : rateOf(source.test.phoneNumber, routes);
    return {
      file: source.file,
      name: source.test.name,
      calls: repeat * once.calls,
      ...(source.test.phoneNumber !== undefined && { phoneNumber: source.test.phoneNumber }),
      ...(ivr && { ivr: ivr.ivr.name }),
      minutesAtMost: Math.ceil(seconds / 6) / 10,
      ...(rate !== undefined && { costAtMost: cents(costOf(seconds, rate)) }),
    };
  });
  const costs = rows.flatMap(({ costAtMost }) => costAtMost ?? []);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return {
    tests: rows,
    calls: sum(rows.map(({ calls }) => calls)),
    minutesAtMost: Math.round(10 * sum(rows.map(({ minutesAtMost }) => minutesAtMost))) / 10,
    ...(costs.length > 0 && { costAtMost: cents(sum(costs)) }),
  };
}

function plansIn({ kind, test }: TestFile): readonly TestPlan[] {
  if (kind === 'probe') return [{ type: 'probe', probe: probeOf(test) }];
  return kind === 'mission' ? [missionPlanOf(test)] : plansOf(test);
}

function rateOf(phoneNumber: string, routes: Routes): number | undefined {
  try {
    return resolveTarget(phoneNumber, { routes, practices: new PracticeRegistry() }).costPerMinute;
  } catch (error) {
    if (error instanceof HumanError) return undefined;
    throw error;
  }
}

/** Rounds a cost up to cents, so that it is never shown too low. */
export const cents = (amount: number): number => Math.ceil(Math.round(amount * 1e6) / 1e4) / 100;

export function planText(plan: RunPlan): string {
  const lines = plan.tests.flatMap((test) => [
    onOneLine(`${test.file}  ${test.name}`),
    `    ${onOneLine(test.phoneNumber ?? `practice IVR ${test.ivr ?? ''}`)}: ${count(test.calls, 'call')}, up to ${count(test.minutesAtMost, 'minute')}${costText(test.costAtMost)}`,
  ]);
  return [...lines, `${planLine(plan)} No calls were placed.`].join('\n');
}

export function planLine({ tests, calls, minutesAtMost, costAtMost }: RunPlan): string {
  const targets = new Set(tests.map(({ phoneNumber, ivr }) => phoneNumber ?? ivr));
  return `${count(tests.length, 'test')}, ${count(calls, 'call')} to ${count(targets.size, 'number')}, up to ${count(minutesAtMost, 'minute')}${costText(costAtMost)}.`;
}

/** Returns the end of a sentence. Rates of the dial plan have no currency; a service knows its workspace's currency. */
export const costText = (cost: number | undefined, currency?: string): string =>
  cost === undefined ? '' : `, cost up to ${cost.toFixed(2)}${currency === undefined ? '' : ` ${currency}`}`;
