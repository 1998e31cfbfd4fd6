import * as z from 'zod';
import { mappingJobSchema, mappingRunSchema } from './mapping.ts';
import { treeNodeSchema, treeResponseSchema } from './tree.ts';

/**
 * The messages between the editor and the tree's webview: one contract for both sides. The webview says `ready`, then
 * gets whole snapshots, never deltas; only what they are compared with, which does not change, is not sent again.
 */

const countSchema = z.object({ covered: z.int(), total: z.int() });
/** `elsewhere`: calls came to the step, but not by this key or phrase. */
const coverageMarkSchema = z.enum(['covered', 'elsewhere', 'uncovered']);
export type CoverageMark = z.output<typeof coverageMarkSchema>;

/** What of a tree the calls of tests went through. */
const panelCoverageSchema = z.object({
  steps: countSchema,
  /** Keys and phrases. */
  ways: countSchema,
  /** Of each step in the tree's order, parents before children; null where it could not be explored. */
  marks: z.array(coverageMarkSchema.nullable()),
});
export type PanelCoverage = z.output<typeof panelCoverageSchema>;

export const panelSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  name: z.string(),
  phoneNumber: z.string().optional(),
  /** Absent for a tree that was saved as a file: it has no runs, and nothing to listen to. */
  job: mappingJobSchema.optional(),
  /** Newest first. */
  runs: z.array(mappingRunSchema),
  /** Run number that is shown. */
  version: z.int().optional(),
  tree: treeResponseSchema,
  /** What the tree is compared with. */
  base: z.object({ title: z.string(), tree: treeNodeSchema }).optional(),
  /** In place of a base that has come already, and is as it was: never in the first snapshot after `ready`. */
  keepsBase: z.literal(true).optional(),
  coverage: panelCoverageSchema.optional(),
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
  /** Asks for a picture of the whole tree. */
  z.object({ type: z.literal('draw'), format: pictureFormatSchema }),
  /** The service cannot be reached, or the job is gone; what is shown stays, with this notice above it. */
  z.object({ type: z.literal('notice'), message: z.string(), severity: z.enum(['info', 'error']) }),
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
  z.object({ type: z.literal('stopComparing') }),
  z.object({ type: z.literal('hideCoverage') }),
  /** For what the tests of the workspace do not cover of the tree. */
  z.object({ type: z.literal('generateTests') }),
  /** Calls the way to a step. */
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
