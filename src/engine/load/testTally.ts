import { loadFailuresAtMost, type LoadTested } from '../../contract/loadTests.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { LoadScript, LoadTestResult } from './loadCaller.ts';
import { StepTimeline } from './stepTimeline.ts';
import { UnknownPrompts, type UnknownPrompt } from './unknownPrompts.ts';
import { missingPlaceholders } from '../script/placeholders.ts';
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

/** Adds up the tests that the calls of a load test carry out. */
export class TestTally {
  readonly #script: LoadScript;
  readonly #outcomes = noCalls();
  readonly #steps: {
    readonly counts: OutcomeCounts;
    notReached: number;
    /** Calls that heard something else than the reference. */
    unknown: number;
    readonly seconds: RoundedValues;
  }[];
  readonly #failures: (LoadTested['failures'][number] & { readonly unknown?: UnknownPrompt | undefined })[] = [];
  readonly #unknown = new UnknownPrompts();
  readonly #timeline: StepTimeline;
  #unfinished = 0;

  constructor(script: LoadScript) {
    this.#script = script;
    this.#timeline = new StepTimeline(script.steps.length);
    this.#steps = script.steps.map(() => ({
      counts: noCalls(),
      notReached: 0,
      unknown: 0,
      seconds: new RoundedValues(3),
    }));
  }

  /**
   * @param call counts from 1
   * @param second when it was placed
   */
  add(call: number, second: number, { outcome, reason, steps, unfinished, unknown: pcm }: LoadTestResult): void {
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
      this.#timeline.add(index, second, step.outcome === 'PASS');
      if (step.latencyMs !== undefined) tally.seconds.add(step.latencyMs / 1000);
    }
    if (outcome === 'PASS') return;
    const failed = steps.findIndex((step) => step.reached && step.outcome !== 'PASS');
    const unknown = outcome === 'FAIL' && pcm ? this.#unknown.add(failed, pcm) : undefined;
    const step = this.#steps[failed];
    if (step && pcm) step.unknown += 1;
    if (this.#failures.length >= loadFailuresAtMost) return;
    const name = this.#script.steps[failed]?.name;
    this.#failures.push({
      call,
      second: roundTo(second, 1),
      outcome,
      ...(name !== undefined && { step: name }),
      ...(reason !== undefined && { reason }),
      ...(unknown && { unknown }),
    });
  }

  stats(): LoadTested {
    return {
      ...this.#outcomes,
      unfinished: this.#unfinished,
      columnSeconds: this.#timeline.columnSeconds,
      steps: this.#steps.map(({ counts, notReached, seconds }, index) => {
        const responseSeconds = seconds.percentiles();
        return {
          name: this.#script.steps[index]?.name ?? '',
          ...counts,
          notReached,
          overTime: this.#timeline.of(index),
          ...(responseSeconds && { responseSeconds }),
        };
      }),
      failures: this.#failures.map(({ unknown, ...failure }) => ({
        ...failure,
        ...(unknown?.text !== undefined && { heard: unknown.text }),
        ...(unknown && this.#isAsExpected(unknown) && { outcome: 'INCONCLUSIVE', reason: soundsDifferent }),
      })),
      ...(this.#unknown.all.some(({ text }) => text !== undefined) && {
        unknownPrompts: this.#unknown.all.flatMap(({ step, calls, text }) =>
          text === undefined ? [] : [{ step: this.#script.steps[step]?.name ?? '', calls, heard: text }],
        ),
      }),
      referenceSeconds: roundTo(this.#script.reference.callSeconds, 2),
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

  #isAsExpected({ step, text }: UnknownPrompt): boolean {
    const { expectedTranscript, passThreshold = 1 } = this.#script.steps[step] ?? {};
    return (
      text !== undefined &&
      expectedTranscript !== undefined &&
      missingPlaceholders([expectedTranscript], {}).length === 0 &&
      similarity(expectedTranscript, text).score >= passThreshold
    );
  }

  /** Returns a sentence if nearly all calls hear something else at one step than the reference calls. */
  warning(): string | undefined {
    const ended = testedCalls(this.#outcomes);
    const at = this.#steps.findIndex(({ unknown }) => unknown >= ended * nearlyAll);
    const name = this.#script.steps[at]?.name;
    return ended < fewestForDiagnosis || name === undefined
      ? undefined
      : `Nearly every call hears another prompt at the step “${name}” than the reference calls. Either the called side has changed since then, or the prompt has more variants than these calls showed.`;
  }
}
