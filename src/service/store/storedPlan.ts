import { reasonOf, type Sentences } from '../../base/sentences.ts';
import type { Check } from '../../contract/checks.ts';
import type { MissionBounds } from '../../contract/missionConfigs.ts';
import type { Probe } from '../../contract/probe.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { MissionTestRun } from '../../contract/testRuns.ts';

/** What one run does, as of its launch. It contains the row's secrets, and is wiped when the run ends. */
export type TestPlan = (ScriptPlan | MissionPlan | ProbePlan) & { readonly caller?: CallerProfile };
export interface ScriptPlan {
  readonly type: 'script';
  readonly steps: readonly TestStep[];
  readonly row?: Readonly<Record<string, string>>;
  /** The steps that a guided run was given so far. Absent if the run isn't guided. */
  readonly given?: readonly TestStep[];
}
export interface ProbePlan {
  readonly type: 'probe';
  readonly probe: Probe;
  readonly phoneNumber?: string;
}
export interface MissionPlan extends MissionBounds {
  readonly type: 'mission';
  readonly mission: string;
  readonly acceptance: string;
  readonly checks?: readonly Check[] | undefined;
}

/** The judge's result for a mission's call. */
export type MissionResult = Pick<
  MissionTestRun,
  | 'verdict'
  | 'passReasoning'
  | 'passReasoningParts'
  | 'passEvidence'
  | 'judgeReasoning'
  | 'judgeReasoningParts'
  | 'judgedBy'
  | 'gaveUp'
  | 'unstable'
  | 'checks'
  | 'compliance'
  | 'turnLatencyMs'
>;

export const reasonOfVerdict = (mission?: MissionResult): Sentences | undefined =>
  reasonOf({ reason: mission?.judgeReasoning, reasonParts: mission?.judgeReasoningParts });
