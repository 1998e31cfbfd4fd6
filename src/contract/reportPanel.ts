import * as z from 'zod';
import { afterHandCall, listenSchema, soundSchema } from './handPanel.ts';
import { isCancelling, pageNoticeSchema } from './pageNotice.ts';
import { recordingPart } from './recordingPart.ts';
import { missionTestRunSchema, rejudgeRunSchema, runResultsSchema, testRunSchema } from './testRuns.ts';

/**
 * The messages between the editor and the webview of a run's report, for both sides. The webview says `ready`, then
 * receives whole snapshots.
 */

const acceptanceSchema = rejudgeRunSchema.shape.acceptance.unwrap();

/**
 * A second judgement of a stored call: `run` once there is a verdict, `error` if it failed, neither while it is
 * pending. Only the panel keeps it.
 */
const secondJudgementSchema = z.object({
  acceptance: z.string(),
  run: missionTestRunSchema.optional(),
  error: z.string().optional(),
});
export type SecondJudgement = z.output<typeof secondJudgementSchema>;

export const reportSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** The name of the test, or a substitute. */
  name: z.string(),
  /** The rule that a compliance probe is based on. */
  rule: z.string().optional(),
  run: runResultsSchema,
  mission: missionTestRunSchema.optional(),
  /** What a mission or an active run has been asked to do. Absent if that isn't known, or if its test has changed since. */
  plan: z
    .object({
      /** Names of the steps, or of a mission's checks. */
      names: z.array(z.string()),
      /** The persona and goal of a mission, or what a probe observes. */
      goal: z.string().optional(),
      acceptance: z.string().optional(),
    })
    .optional(),
  /** The saved mission's current criterion. Absent if the mission is gone or the run is active. */
  acceptance: z.string().optional(),
  again: secondJudgementSchema.optional(),
  /** The test's file is known, and can be opened at a step. */
  hasFile: z.boolean(),
  /** The newest runs of this test, the newest first. */
  history: z.array(testRunSchema.pick({ id: true, outcome: true, endedBy: true, guided: true, startedAt: true })),
  /** Indexes of the steps whose words in the file can be replaced by what was heard. */
  acceptable: z.array(z.int().min(0)),
  /** The user can choose the language model that judges missions. */
  choosesModel: z.boolean().optional(),
  isCancelling,
  /** Only in a saved file, which has no editor: what it contains of the recording. */
  saved: z.enum(['withSound', 'withoutSound', 'noRecording']).optional(),
});
export type ReportSnapshot = z.output<typeof reportSnapshotSchema>;

export const toReportSchema = z.discriminatedUnion('type', [
  reportSnapshotSchema,
  pageNoticeSchema,
  /** Opens the criterion for editing if the call can be judged again. */
  z.object({ type: z.literal('editCriterion') }),
  z.object({ type: z.literal('audio'), ...recordingPart }),
  soundSchema,
]);
export type ToReport = z.output<typeof toReportSchema>;

export const fromReportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** `from`: byte offset in the WAV file. */
  z.object({ type: z.literal('requestAudio'), from: z.int().min(0).optional() }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('refresh') }),
  /** Runs the test again: what this run was of, or all rows whose newest run didn't pass. */
  z.object({ type: z.literal('runAgain'), what: z.enum(['all', 'failed']) }),
  /** Judges the stored call by this criterion. Empty: by the checks of a mission without one. */
  z.object({ type: z.literal('judge'), acceptance: acceptanceSchema.or(z.literal('')) }),
  z.object({ type: z.literal('chooseModel') }),
  /** Asks how to share the run: as a file, a summary or a link. */
  z.object({ type: z.literal('share') }),
  /** Opens the report of another run of the test. */
  z.object({ type: z.literal('openRun'), runId: z.uuid() }),
  /** Copies the address at which a probe waits for a call to the clipboard. */
  z.object({ type: z.literal('copyAddress') }),
  /** Replaces the words of a step in the test's file by what was heard, after questions and a preview. */
  z.object({ type: z.literal('acceptHeard'), step: z.int().min(0) }),
  /** Opens the test's file, at a step if one is given. */
  z.object({ type: z.literal('openFile'), step: z.int().min(0).optional() }),
  listenSchema,
  ...afterHandCall,
]);
export type FromReport = z.output<typeof fromReportSchema>;
