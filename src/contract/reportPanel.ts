import * as z from 'zod';
import { missionTestRunSchema, rejudgeRunSchema, runResultsSchema } from './testRuns.ts';

/**
 * The messages between the editor and the webview of a run's report: one contract for both sides. The webview says
 * `ready`, then gets whole snapshots.
 */

const acceptanceSchema = rejudgeRunSchema.shape.acceptance.unwrap();

/**
 * A stored call that is judged again: `run` once there is a verdict, `error` where there is none, neither while it is
 * awaited. Only the panel keeps it.
 */
const secondJudgementSchema = z.object({
  acceptance: z.string(),
  run: missionTestRunSchema.optional(),
  error: z.string().optional(),
});
export type SecondJudgement = z.output<typeof secondJudgementSchema>;

export const reportSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** Of the test, or what stands for it. */
  name: z.string(),
  run: runResultsSchema,
  /** Of a mission: its verdict with the evidence. */
  mission: missionTestRunSchema.optional(),
  /** The criterion of the saved mission as it is now; absent where that is gone, or the run goes on. */
  acceptance: z.string().optional(),
  again: secondJudgementSchema.optional(),
  /** The test's file is known, and can be opened at a step. */
  hasFile: z.boolean(),
});
export type ReportSnapshot = z.output<typeof reportSnapshotSchema>;

export const toReportSchema = z.discriminatedUnion('type', [
  reportSnapshotSchema,
  /** The service cannot be reached, or the run is gone; what is shown stays, with this notice above it. */
  z.object({ type: z.literal('notice'), message: z.string() }),
  /** Opens the criterion to be edited, where the call can be judged again. */
  z.object({ type: z.literal('editCriterion') }),
  /**
   * The recording from the byte on that was asked for: to its end, or as much as goes into one message of `total`
   * bytes.
   */
  z.object({
    type: z.literal('audio'),
    wav: z.instanceof(Uint8Array).optional(),
    from: z.int().min(0).optional(),
    total: z.int().min(0).optional(),
    error: z.string().optional(),
  }),
]);
export type ToReport = z.output<typeof toReportSchema>;
export type RecordingPart = Pick<Extract<ToReport, { type: 'audio' }>, 'wav' | 'from' | 'total' | 'error'>;

export const fromReportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** `from`: byte of the WAV file. */
  z.object({ type: z.literal('requestAudio'), from: z.int().min(0).optional() }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('refresh') }),
  /** Judges the stored call by this criterion. */
  z.object({ type: z.literal('judge'), acceptance: acceptanceSchema }),
  /** Puts the address at which a probe waits for a call on the clipboard. */
  z.object({ type: z.literal('copyAddress') }),
  /** Opens the test's file, at a step where one is given. */
  z.object({ type: z.literal('openFile'), step: z.int().min(0).optional() }),
]);
export type FromReport = z.output<typeof fromReportSchema>;
