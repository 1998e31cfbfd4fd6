import { callSecondsAtMost, missionSecondsAtMost } from '../model/callBudget.ts';
import { callsAtOnce } from './callTests.ts';
import type { LoadedTest } from './runFiles.ts';

/** What a run would do, before anything is dialled. */
export interface RunPlan {
  readonly tests: readonly {
    readonly file: string;
    readonly name: string;
    readonly calls: number;
    /** E.164 number or SIP URI; absent: the practice IVR. */
    readonly phoneNumber?: string;
    readonly ivr?: string;
    /** Of all its calls. */
    readonly minutesAtMost: number;
  }[];
  readonly calls: number;
  readonly minutesAtMost: number;
}

export function planRun(tests: readonly LoadedTest[], repeat: number): RunPlan {
  const rows = tests.map((test): RunPlan['tests'][number] => {
    const { source, ivr } = test;
    const calls = repeat * callsAtOnce(test);
    return {
      file: source.file, name: source.test.name, calls,
      ...(source.test.phoneNumber !== undefined && { phoneNumber: source.test.phoneNumber }), ...(ivr && { ivr: ivr.ivr.name }),
      minutesAtMost: Math.ceil(calls * (source.kind === 'calltest' ? callSecondsAtMost(source.test.steps) : missionSecondsAtMost) / 6) / 10,
    };
  });
  return { tests: rows, calls: rows.reduce((sum, { calls }) => sum + calls, 0), minutesAtMost: Math.round(10 * rows.reduce((sum, { minutesAtMost }) => sum + minutesAtMost, 0)) / 10 };
}

export function planText({ tests, calls, minutesAtMost }: RunPlan): string {
  const targets = new Set(tests.map(({ phoneNumber, ivr }) => phoneNumber ?? ivr));
  const lines = tests.flatMap((test) => [
    `${test.file}  ${test.name}`,
    `    ${test.phoneNumber ?? `practice IVR ${test.ivr ?? ''}`}: ${count(test.calls, 'call')}, at most ${String(test.minutesAtMost)} minutes`,
  ]);
  return [...lines, `${count(tests.length, 'test')}, ${count(calls, 'call')} to ${count(targets.size, 'number')}, at most ${String(minutesAtMost)} minutes. Nothing was dialled.`].join('\n');
}

const count = (number: number, what: string): string => `${String(number)} ${what}${number === 1 ? '' : 's'}`;
