import { because, join, reasonOf, sentence, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { loadFailuresAtMost, type LoadTested } from '../../contract/loadTests.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import { mostExamples } from './exampleTape.ts';
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

/** From this share of lost packets on, a prompt can sound different. */
const audibleLoss = 0.02;

const otherPrompt = sentence`The call heard something other than the reference calls.`;
const lossText = (share: number): Sentences =>
  sentence`${roundTo(share * 100, 1)} % of the audio packets of this call were lost or late.`;

interface TestedCall {
  /** Counts from 1. */
  readonly number: number;
  /** When it was placed. */
  readonly second: number;
  readonly script: LoadScript | undefined;
}

/** Adds up the tests that the calls of a load test carry out. */
export class TestTally {
  readonly #scripts: readonly LoadScript[];
  readonly #names: readonly string[];
  readonly #outcomes = noCalls();
  readonly #steps: {
    readonly counts: OutcomeCounts;
    notReached: number;
    /** Calls that failed because they heard another prompt than the reference. */
    otherPrompts: number;
    readonly seconds: RoundedValues;
  }[];
  readonly #failures: LoadTested['failures'] = [];
  #examples = 0;
  #unfinished = 0;

  /** One script for each row of the test. Without one, the steps aren't counted. */
  constructor(scripts: readonly LoadScript[]) {
    this.#scripts = scripts;
    this.#names = scripts[0]?.steps.map(({ name }) => name) ?? [];
    this.#steps = this.#names.map(() => ({
      counts: noCalls(),
      notReached: 0,
      otherPrompts: 0,
      seconds: new RoundedValues(3),
    }));
  }

  get needsExamples(): boolean {
    return this.#examples < mostExamples;
  }

  /** Returns true if the example of this call is kept. */
  add({ number, second, script }: TestedCall, result: LoadTestResult): boolean {
    const { steps, failedStep = -1, unfinished, isOtherPrompt = false, lossShare = 0, example } = result;
    if (unfinished) {
      this.#unfinished += 1;
      return false;
    }
    const isLossy = lossShare >= audibleLoss;
    // It could be the expected prompt.
    const outcome = isOtherPrompt && isLossy ? 'INCONCLUSIVE' : result.outcome;
    this.#outcomes[countOf[outcome]] += 1;
    for (const [index, tally] of this.#steps.entries()) {
      const step = steps[index];
      if (!step?.reached) {
        tally.notReached += 1;
        continue;
      }
      tally.counts[countOf[index === failedStep ? outcome : step.outcome]] += 1;
      if (step.latencyMs !== undefined) tally.seconds.add(step.latencyMs / 1000);
      if (index === failedStep && isOtherPrompt) tally.otherPrompts += 1;
    }
    if (outcome === 'PASS' || this.#failures.length >= loadFailuresAtMost) return false;
    const step = this.#names[failedStep];
    const why = join(
      ...(isOtherPrompt ? [sentence`Step “${step ?? ''}”:`, otherPrompt] : [reasonOf(result)]),
      isLossy ? lossText(lossShare) : undefined,
    );
    this.#failures.push({
      call: number,
      second: roundTo(second, 1),
      outcome,
      ...(script?.row && { row: this.#scripts.indexOf(script) + 1 }),
      ...withoutUndefined({ step }),
      ...(why.parts.length > 0 && because(why)),
    });
    const isKept = example !== undefined && this.needsExamples;
    if (isKept) this.#examples += 1;
    return isKept;
  }

  stats(): LoadTested {
    return {
      ...this.#outcomes,
      unfinished: this.#unfinished,
      steps: this.#steps.map(({ counts, notReached, seconds }, index) => ({
        name: this.#names[index] ?? '',
        ...counts,
        notReached,
        responseSeconds: seconds.percentiles(),
      })),
      failures: [...this.#failures],
      referenceSeconds: roundTo(
        this.#scripts.reduce((sum, { reference }) => sum + reference.callSeconds, 0),
        2,
      ),
    };
  }

  /** Returns a sentence if nearly all calls hear something else at one step than the reference calls. */
  warning(): Sentences | undefined {
    const ended = testedCalls(this.#outcomes);
    const at = this.#steps.findIndex(({ otherPrompts }) => otherPrompts >= ended * nearlyAll);
    const name = this.#names[at];
    return ended < fewestForDiagnosis || name === undefined
      ? undefined
      : sentence`Nearly every call hears another prompt at the step “${name}” than the reference calls. Either the called side has changed since then, or the prompt has more variants than these calls showed.`;
  }
}
