import * as z from 'zod';
import { mappingJobSchema, mappingRunSchema } from './mapping.ts';
import { isCancelling, openTextSchema, pageNoticeSchema } from './pageNotice.ts';
import { treeNodeSchema, treeResponseSchema } from './tree.ts';

/**
 * The messages between the editor and the tree's webview, for both sides. The webview says `ready`, then receives whole
 * snapshots, never deltas. Only the tree to compare with, which doesn't change, isn't sent again.
 */

const countSchema = z.object({ covered: z.int(), total: z.int() });
/** `elsewhere`: calls reached the step, but not by this key or phrase. */
const coverageMarkSchema = z.enum(['covered', 'elsewhere', 'uncovered']);
export type CoverageMark = z.output<typeof coverageMarkSchema>;

/** The part of a tree that the calls of tests reached. */
const panelCoverageSchema = z.object({
  steps: countSchema,
  /** Keys and phrases. */
  ways: countSchema,
  /** One mark per step in the tree's order, parents before children; null if the step couldn't be explored. */
  marks: z.array(coverageMarkSchema.nullable()),
});
export type PanelCoverage = z.output<typeof panelCoverageSchema>;

export const panelSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  name: z.string(),
  phoneNumber: z.string().optional(),
  /** Absent for a tree that was saved as a file, which has no runs and no audio. */
  job: mappingJobSchema.optional(),
  /** Newest first. */
  runs: z.array(mappingRunSchema),
  /** The run number that is shown. */
  version: z.int().optional(),
  tree: treeResponseSchema,
  /** `isCutShort`: its run was cancelled or interrupted, so it can lack steps. */
  base: z.object({ title: z.string(), tree: treeNodeSchema, isCutShort: z.boolean().optional() }).optional(),
  /** Replaces a base that was already sent and hasn't changed. Never in the first snapshot after `ready`. */
  keepsBase: z.literal(true).optional(),
  coverage: panelCoverageSchema.optional(),
  isCancelling,
  /** The mapping called a practice IVR that is running. */
  isPractice: z.boolean().optional(),
});

export const pictureFormatSchema = z.enum(['svg', 'png']);
export type PictureFormat = z.output<typeof pictureFormatSchema>;

export const toWebviewSchema = z.discriminatedUnion('type', [
  panelSnapshotSchema,
  z.object({
    type: z.literal('audio'),
    stepId: z.string(),
    wav: z.instanceof(Uint8Array).optional(),
    error: z.string().optional(),
  }),
  z.object({ type: z.literal('reveal'), stepId: z.string() }),
  /** `key`: see `StepContext`. */
  z.object({ type: z.literal('play'), key: z.string() }),
  z.object({ type: z.literal('draw'), format: pictureFormatSchema }),
  pageNoticeSchema,
]);
export type ToWebview = z.output<typeof toWebviewSchema>;

export const fromWebviewSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('requestAudio'), stepId: z.string() }),
  z.object({ type: z.literal('openTranscript'), stepId: z.string().optional() }),
  z.object({ type: z.literal('showRun'), version: z.int().min(1) }),
  z.object({ type: z.literal('start') }),
  z.object({ type: z.literal('raiseLimit') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('refresh') }),
  openTextSchema,
  z.object({ type: z.literal('stopComparing') }),
  /** Shows the compared trees as text. */
  z.object({ type: z.literal('openCompared') }),
  z.object({ type: z.literal('hideCoverage') }),
  /** Generates a test of the step's path, or tests for what the workspace's tests don't cover. */
  z.object({ type: z.literal('generateTests'), stepId: z.string().optional() }),
  z.object({ type: z.literal('callPath'), stepId: z.string() }),
  z.object({
    type: z.literal('picture'),
    format: pictureFormatSchema,
    picture: z.union([z.string(), z.instanceof(Uint8Array)]).optional(),
    error: z.string().optional(),
  }),
]);
export type FromWebview = z.output<typeof fromWebviewSchema>;
export type PanelSnapshot = z.output<typeof panelSnapshotSchema>;
