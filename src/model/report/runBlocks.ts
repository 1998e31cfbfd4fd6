import { sentence, type Sentences } from '../../base/sentences.ts';
import { stepState } from '../../contract/runState.ts';
import type { MissionTestRun, RunResults, StepResult } from '../../contract/testRuns.ts';
import { verdictOutcomes } from '../checks/outcomes.ts';

/** A step of a script, or a check of a probe or mission, as every report shows it. */
export interface StepBlock extends StepResult {
  /** Starts at 1. */
  readonly number: number;
  readonly state: ReturnType<typeof stepState>;
  /** It was reached, and it didn't pass. */
  readonly isToBlame: boolean;
  /** How much of its expected words was heard, and how much is needed. */
  readonly match?: Sentences;
}

/** Returns the rows of a report in order. A mission has checks; its turns are in the transcript. */
export const stepBlocks = (run: RunResults, mission?: Pick<MissionTestRun, 'checks'>): readonly StepBlock[] =>
  (run.runType === 'mission' ? (mission?.checks ?? []).map(stepOf) : run.steps).map((step, index) => {
    const state = stepState(step, run.endedBy);
    const match = matchOf(step);
    return {
      ...step,
      number: index + 1,
      state,
      isToBlame: step.outcome !== 'PASS' && state !== 'notReached',
      ...(match && { match }),
    };
  });

/** Ends the judge's reasoning if rules can't judge a mission. */
export const needsModel = sentence`Choose a language model to judge it, or write checks.`;

/** Returns true if rules couldn't judge a mission. */
export const lacksModel = ({ judgeReasoningParts = [] }: Partial<MissionTestRun> = {}): boolean =>
  judgeReasoningParts.some(([template]) => template === needsModel.parts[0]?.[0]);

/** Returns what a mission's verdict is based on: each sentence once, and none that is empty. */
export const verdictSentences = ({ passReasoning, judgeReasoning }: Partial<MissionTestRun> = {}): readonly string[] =>
  eachOnce([passReasoning, judgeReasoning]);

/** Returns each text once, without empty ones. */
export const eachOnce = (texts: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => (text === undefined || text === '' ? [] : [text]))),
];

/** Returns how much of its expected words a step heard, in percent. Undefined if none are expected. */
export function matchOf({ similarity, passThreshold }: StepResult): Sentences | undefined {
  if (similarity === undefined) return undefined;
  const match = Math.round(similarity * 100);
  return passThreshold === undefined
    ? sentence`${match}% match`
    : sentence`${match}% match, ${Math.round(passThreshold * 100)}% needed`;
}

/** `m:ss.t` of a time in the call, with a minus sign before the answer. */
export function clockTime(ms: number): string {
  const tenths = Math.round(Math.abs(ms) / 100);
  return `${ms < 0 ? '−' : ''}${String(Math.floor(tenths / 600))}:${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${String(tenths % 10)}`;
}

const stepOf = ({ check, verdict, evidence, ...why }: NonNullable<MissionTestRun['checks']>[number]): StepResult => ({
  ...why,
  name: check,
  outcome: verdictOutcomes[verdict],
  transcript: evidence?.quote,
  startMs: evidence?.startMs,
});
