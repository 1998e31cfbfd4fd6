import type { MissionTestRun, RunResults, StepResult } from '../../contract/testRuns.ts';
import { verdictOutcomes } from './outcomes.ts';

/** Returns the rows of a report: the steps of a script or probe. A mission has checks; its turns are in the transcript. */
export const reportSteps = (run: RunResults, mission: MissionTestRun | undefined): readonly StepResult[] =>
  run.runType === 'mission' ? (mission?.checks ?? []).map(stepOf) : run.steps;

const stepOf = ({ check, verdict, evidence, ...why }: NonNullable<MissionTestRun['checks']>[number]): StepResult => ({
  ...why,
  name: check,
  outcome: verdictOutcomes[verdict],
  transcript: evidence?.quote,
  startMs: evidence?.startMs,
});
