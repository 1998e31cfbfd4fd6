import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { LoadTested } from '../../contract/loadTests.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { LoadScript, LoadTestResult } from './loadCaller.ts';
import { FailedCalls } from './failedCalls.ts';
import { StepTimeline } from './stepTimeline.ts';
import { UnknownPrompts, type UnknownPrompt } from './unknownPrompts.ts';
import { fillPlaceholders, missingPlaceholders } from '../script/placeholders.ts';
import { testedCalls } from '../../model/stats/testedCalls.ts';
import { similarity } from '../../model/heard/similarity.ts';
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

const soundsDifferent =
  'The words were as expected, but they sounded different from the reference calls, so the rest of the call was not tested.';

/** A call that carried out a test. */
interface TestedCall {
  /** Counts from 1. */
  readonly number: number;
  /** When it was placed. */
  readonly second: number;
  readonly script: LoadScript;
}

/** Adds up the tests that the calls of a load test carry out. */
export class TestTally {
  readonly #scripts: readonly LoadScript[];
  readonly #names: readonly string[];
  readonly #outcomes = noCalls();
  readonly #steps: {
    readonly counts: OutcomeCounts;
    notReached: number;
    /** Calls that heard something else than the reference. */
    unknown: number;
    readonly seconds: RoundedValues;
  }[];
  readonly #failures = new FailedCalls();
  readonly #unknown = new UnknownPrompts();
  readonly #timeline: StepTimeline;
  #unfinished = 0;

  /** One script for each row of the test. */
  constructor(scripts: readonly LoadScript[]) {
    this.#scripts = scripts;
    this.#names = scripts[0]?.steps.map(({ name }) => name) ?? [];
    this.#timeline = new StepTimeline(this.#names.length);
    this.#steps = this.#names.map(() => ({
      counts: noCalls(),
      notReached: 0,
      unknown: 0,
      seconds: new RoundedValues(3),
    }));
  }

  get needsExamples(): boolean {
    return this.#failures.needsExamples;
  }

  /** Returns true if the example of this call is kept. */
  add(
    { number, second, script }: TestedCall,
    { outcome, reason, steps, failedStep, unfinished, unknown: pcm, example }: LoadTestResult,
  ): boolean {
    if (unfinished) {
      this.#unfinished += 1;
      return false;
    }
    this.#outcomes[countOf[outcome]] += 1;
    for (const [index, tally] of this.#steps.entries()) {
      const step = steps[index];
      if (!step?.reached) {
        tally.notReached += 1;
        continue;
      }
      tally.counts[countOf[step.outcome]] += 1;
      this.#timeline.add(index, second, step.outcome === 'PASS' || step.optional === true);
      if (step.latencyMs !== undefined) tally.seconds.add(step.latencyMs / 1000);
    }
    if (outcome === 'PASS') return false;
    const row = this.#scripts.indexOf(script);
    const unknown = this.#unknownPrompt(row, failedStep, pcm);
    return this.#failures.add(
      {
        call: number,
        second: roundTo(second, 1),
        outcome,
        ...(script.row && { row: row + 1 }),
        ...withoutUndefined({ step: this.#names[failedStep ?? -1], reason, unknown }),
      },
      example && failedStep !== undefined ? { step: failedStep } : undefined,
    );
  }

  #unknownPrompt(row: number, failedStep: number | undefined, pcm: Int16Array | undefined): UnknownPrompt | undefined {
    const step = this.#steps[failedStep ?? -1];
    if (failedStep === undefined || !step || !pcm) return undefined;
    step.unknown += 1;
    return this.#unknown.add({ row, step: failedStep }, pcm);
  }

  stats(): LoadTested {
    return {
      ...this.#outcomes,
      unfinished: this.#unfinished,
      columnSeconds: this.#timeline.columnSeconds,
      steps: this.#steps.map(({ counts, notReached, seconds }, index) => {
        const responseSeconds = seconds.percentiles();
        return {
          name: this.#names[index] ?? '',
          ...counts,
          notReached,
          overTime: this.#timeline.of(index),
          ...(responseSeconds && { responseSeconds }),
        };
      }),
      failures: this.#failures.all.map(({ unknown, ...failure }) => ({
        ...failure,
        ...(unknown?.text !== undefined && { heard: unknown.text }),
        ...(unknown && this.#isAsExpected(unknown) && { outcome: 'INCONCLUSIVE', reason: soundsDifferent }),
      })),
      ...(this.#unknown.all.some(({ text }) => text !== undefined) && {
        unknownPrompts: this.#unknown.all.flatMap(({ step, calls, text }) =>
          text === undefined ? [] : [{ step: this.#names[step] ?? '', calls, heard: text }],
        ),
      }),
      referenceSeconds: roundTo(
        this.#scripts.reduce((sum, { reference }) => sum + reference.callSeconds, 0),
        2,
      ),
    };
  }

  /**
   * Finds out what was said instead of the expected prompts. Calls that heard the right words after all are
   * inconclusive, because they weren't carried out any further.
   */
  async recognise(recognise: (pcm: Int16Array) => Promise<string>, signal: AbortSignal): Promise<void> {
    for (const prompt of this.#unknown.all) {
      if (signal.aborted) return;
      prompt.text = await recognise(prompt.pcm);
      const step = this.#steps[prompt.step];
      if (!step || !this.#isAsExpected(prompt)) continue;
      for (const counts of [this.#outcomes, step.counts]) {
        counts.failed -= prompt.calls;
        counts.inconclusive += prompt.calls;
      }
    }
  }

  #isAsExpected({ row, step, text }: UnknownPrompt): boolean {
    const { steps, row: values = {} } = this.#scripts[row] ?? { steps: [] };
    const { expectedTranscript, passThreshold = 1 } = steps[step] ?? {};
    return (
      text !== undefined &&
      expectedTranscript !== undefined &&
      missingPlaceholders([expectedTranscript], values).length === 0 &&
      similarity(fillPlaceholders(expectedTranscript, values), text).score >= passThreshold
    );
  }

  /** Returns a sentence if nearly all calls hear something else at one step than the reference calls. */
  warning(): string | undefined {
    const ended = testedCalls(this.#outcomes);
    const at = this.#steps.findIndex(({ unknown }) => unknown >= ended * nearlyAll);
    const name = this.#names[at];
    return ended < fewestForDiagnosis || name === undefined
      ? undefined
      : `Nearly every call hears another prompt at the step “${name}” than the reference calls. Either the called side has changed since then, or the prompt has more variants than these calls showed.`;
  }
}
