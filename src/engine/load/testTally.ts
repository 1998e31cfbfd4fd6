import { loadFailuresAtMost, type LoadTested } from '../../contract/loadTests.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { LoadScript, LoadTestResult } from './loadCaller.ts';
import { testedCalls } from '../../model/stats/testedCalls.ts';
import { RoundedValues, roundTo } from '../../model/stats/roundedValues.ts';

type OutcomeCounts = Pick<LoadTested, 'passed' | 'failed' | 'inconclusive' | 'errors'>;
const countOf: Readonly<Record<RunOutcome, keyof OutcomeCounts>> = {
  PASS: 'passed',
  FAIL: 'failed',
  INCONCLUSIVE: 'inconclusive',
  ERROR: 'errors',
};
const noCalls = (): OutcomeCounts => ({ passed: 0, failed: 0, inconclusive: 0, errors: 0 });

/** From this many calls, a step at which nearly all fail says more about the test than about the load. */
const fewestForDiagnosis = 5;
const nearlyAll = 0.9;

/** Adds up the tests that the calls of a load test carry out. */
export class TestTally {
  readonly #script: LoadScript;
  readonly #outcomes = noCalls();
  readonly #steps: { readonly counts: OutcomeCounts; notReached: number; readonly seconds: RoundedValues }[];
  readonly #failures: LoadTested['failures'] = [];
  #unfinished = 0;

  constructor(script: LoadScript) {
    this.#script = script;
    this.#steps = script.steps.map(() => ({ counts: noCalls(), notReached: 0, seconds: new RoundedValues(3) }));
  }

  /**
   * @param call counts from 1
   * @param second when it was placed
   */
  add(call: number, second: number, { outcome, reason, steps, unfinished }: LoadTestResult): void {
    if (unfinished) {
      this.#unfinished += 1;
      return;
    }
    this.#outcomes[countOf[outcome]] += 1;
    for (const [index, tally] of this.#steps.entries()) {
      const step = steps[index];
      if (!step?.reached) {
        tally.notReached += 1;
        continue;
      }
      tally.counts[countOf[step.outcome]] += 1;
      if (step.latencyMs !== undefined) tally.seconds.add(step.latencyMs / 1000);
    }
    if (outcome === 'PASS' || this.#failures.length >= loadFailuresAtMost) return;
    const failed = steps.findIndex((step) => step.reached && step.outcome !== 'PASS');
    const name = this.#script.steps[failed]?.name;
    this.#failures.push({
      call,
      second: roundTo(second, 1),
      outcome,
      ...(name !== undefined && { step: name }),
      ...(reason !== undefined && { reason }),
    });
  }

  stats(): LoadTested {
    return {
      ...this.#outcomes,
      unfinished: this.#unfinished,
      steps: this.#steps.map(({ counts, notReached, seconds }, index) => {
        const responseSeconds = seconds.percentiles();
        return {
          name: this.#script.steps[index]?.name ?? '',
          ...counts,
          notReached,
          ...(responseSeconds && { responseSeconds }),
        };
      }),
      failures: this.#failures,
      referenceSeconds: roundTo(this.#script.reference.callSeconds, 2),
    };
  }

  /** Returns a sentence if nearly all calls fail at one step although the reference call passed it. */
  warning(): string | undefined {
    const ended = testedCalls(this.#outcomes);
    const at = this.#steps.findIndex(({ counts }) => counts.failed >= ended * nearlyAll);
    const name = this.#script.steps[at]?.name;
    return ended < fewestForDiagnosis || name === undefined
      ? undefined
      : `Nearly every call fails at the step “${name}”, which the reference call passed. If its prompt differs from call to call, load tests can't recognise it.`;
  }
}
