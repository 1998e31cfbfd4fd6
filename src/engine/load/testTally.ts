import { because, join, reasonOf, sentence, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { LoadTested } from '../../contract/loadTests.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { LoadTask, LoadTestResult } from './loadCaller.ts';
import { FailedCalls, type FailedCall } from './failedCalls.ts';
import { stepNamesOf } from './loadTask.ts';
import { StepTimeline } from './stepTimeline.ts';
import { areExpected, audibleLoss } from './otherWords.ts';
import type { HeardInstead } from './unknownAudio.ts';
import { UnknownPrompts, type UnknownPrompt } from './unknownPrompts.ts';
import { fillPlaceholders, missingPlaceholders } from '../script/placeholders.ts';
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

const soundsDifferent = sentence`The words were as expected, but they sounded different from the reference calls, so the rest of the call wasn't tested.`;
const isWordless = sentence`Sounds without words were heard instead of the expected words.`;
const lossText = (share: number): Sentences =>
  sentence`${roundTo(share * 100, 1)} % of the audio packets of this call were lost or late.`;

interface TestedCall {
  /** Counts from 1. */
  readonly number: number;
  /** When it was placed. */
  readonly second: number;
  readonly script: LoadTask;
}

/** Adds up the tests that the calls of a load test carry out. */
export class TestTally {
  readonly #scripts: readonly LoadTask[];
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
  constructor(scripts: readonly LoadTask[]) {
    this.#scripts = scripts;
    this.#names = scripts[0] ? stepNamesOf(scripts[0]) : [];
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
    {
      outcome,
      reason,
      reasonParts,
      steps,
      failedStep,
      unfinished,
      unknown: heard,
      lossShare = 0,
      example,
    }: LoadTestResult,
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
    const isDamaged = lossShare >= audibleLoss;
    const unknown = this.#unknownPrompt({ row, step: failedStep, isDamaged }, heard);
    return this.#failures.add(
      {
        call: number,
        second: roundTo(second, 1),
        outcome,
        ...(script.row && { row: row + 1 }),
        ...withoutUndefined({
          step: this.#names[failedStep ?? -1],
          reason,
          reasonParts,
          unknown,
          lossShare: isDamaged ? lossShare : undefined,
        }),
      },
      example && failedStep !== undefined ? { step: failedStep } : undefined,
    );
  }

  #unknownPrompt(
    { row, step, isDamaged }: { readonly row: number; readonly step: number | undefined; readonly isDamaged: boolean },
    heard: HeardInstead | undefined,
  ): UnknownPrompt | undefined {
    const counts = this.#steps[step ?? -1];
    if (step === undefined || !counts || !heard) return undefined;
    counts.unknown += 1;
    return this.#unknown.add({ row, step, isDamaged }, heard);
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
          responseSeconds,
        };
      }),
      failures: this.#failures.all.map((failure) => this.#shown(failure)),
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
   * inconclusive, because they weren't carried out any further. An abort doesn't wait for the current recognition.
   */
  async recognise(recognise: (pcm: Int16Array) => Promise<string>, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    for (const prompt of this.#unknown.all) {
      const words: string[] = [];
      const recognised = new Set<number>();
      for (const part of prompt.parts) {
        const text = typeof part === 'string' ? part : await Promise.race([recognise(part), aborted]);
        if (text === undefined || signal.aborted) return;
        for (const word of text.split(/\s+/).filter((one) => one !== '')) {
          if (typeof part !== 'string') recognised.add(words.length);
          words.push(word);
        }
      }
      prompt.text = words.join(' ');
      prompt.recognised = recognised;
      const step = this.#steps[prompt.step];
      if (!step || !this.#isAsExpected(prompt)) continue;
      for (const counts of [this.#outcomes, step.counts]) {
        counts.failed -= prompt.calls;
        counts.inconclusive += prompt.calls;
      }
    }
  }

  #isAsExpected({ row, step, text, ...heard }: UnknownPrompt): boolean {
    const { steps, row: values = {}, wordsThreshold } = this.#scripts[row] ?? {};
    const { expectedTranscript, passThreshold: ofStep = 1 } = steps?.[step] ?? {};
    const passThreshold = wordsThreshold ?? ofStep;
    return (
      text !== undefined &&
      expectedTranscript !== undefined &&
      missingPlaceholders([expectedTranscript], values).length === 0 &&
      areExpected({ expected: fillPlaceholders(expectedTranscript, values), passThreshold }, { text, ...heard })
    );
  }

  #shown({ unknown, lossShare, ...failure }: FailedCall): LoadTested['failures'][number] {
    const isExpected = unknown !== undefined && this.#isAsExpected(unknown);
    const why = isExpected
      ? soundsDifferent
      : unknown?.text === ''
        ? join(sentence`Step “${failure.step ?? ''}”:`, isWordless)
        : reasonOf(failure);
    const reason = join(why, lossShare === undefined ? undefined : lossText(lossShare));
    return {
      ...failure,
      ...(unknown?.text !== undefined && unknown.text !== '' && { heard: unknown.text }),
      ...(isExpected && { outcome: 'INCONCLUSIVE' }),
      ...(reason.parts.length > 0 && because(reason)),
    };
  }

  /** Returns a sentence if nearly all calls hear something else at one step than the reference calls. */
  warning(): Sentences | undefined {
    const ended = testedCalls(this.#outcomes);
    const at = this.#steps.findIndex(({ unknown }) => unknown >= ended * nearlyAll);
    const name = this.#names[at];
    return ended < fewestForDiagnosis || name === undefined
      ? undefined
      : sentence`Nearly every call hears another prompt at the step “${name}” than the reference calls. Either the called side has changed since then, or the prompt has more variants than these calls showed.`;
  }
}
