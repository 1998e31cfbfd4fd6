import * as z from 'zod';
import { missionTestRunSchema, runResultsSchema } from './testRuns.ts';

/** The messages between the editor and the webview of a run's report: one contract for both sides. The webview says `ready`, then gets whole snapshots. */

export const reportSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** Of the test, or what stands for it. */
  name: z.string(),
  run: runResultsSchema,
  /** Of a mission: its verdict with the evidence. */
  mission: missionTestRunSchema.optional(),
  /** The test's file is known, and can be opened at a step. */
  hasFile: z.boolean(),
});
export type ReportSnapshot = z.output<typeof reportSnapshotSchema>;

export const toReportSchema = z.discriminatedUnion('type', [
  reportSnapshotSchema,
  /** The service cannot be reached, or the run is gone; what is shown stays, with this notice above it. */
  z.object({ type: z.literal('notice'), message: z.string() }),
  z.object({ type: z.literal('audio'), wav: z.instanceof(Uint8Array).optional(), error: z.string().optional() }),
]);
export type ToReport = z.output<typeof toReportSchema>;

export const fromReportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('requestAudio') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('refresh') }),
  /** Puts the address at which a probe waits for a call on the clipboard. */
  z.object({ type: z.literal('copyAddress') }),
  /** Opens the test's file, at a step where one is given. */
  z.object({ type: z.literal('openFile'), step: z.int().min(0).optional() }),
]);
export type FromReport = z.output<typeof fromReportSchema>;
