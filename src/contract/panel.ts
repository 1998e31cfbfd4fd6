import * as z from 'zod';
import { mappingJobSchema, mappingRunSchema } from './mapping.ts';
import { treeNodeSchema, treeResponseSchema } from './tree.ts';

/** The messages between the editor and the tree's webview: one contract for both sides. The webview says `ready`, then gets whole snapshots, never deltas; only what they are compared with, which does not change, is not sent again. */

const heard = z.string().optional();
/** What a caller did, and what they said then. */
const moveSchema = z.union([z.object({ key: z.string(), heard }), z.object({ phrase: z.string(), heard })]);

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
  /** The ways that calls of tests went through the tree, where it shows its coverage. */
  walks: z.array(z.array(moveSchema)).optional(),
});

export const pictureFormatSchema = z.enum(['svg', 'png']);
export type PictureFormat = z.output<typeof pictureFormatSchema>;

export const toWebviewSchema = z.discriminatedUnion('type', [
  panelSnapshotSchema,
  z.object({ type: z.literal('audio'), stepId: z.string(), wav: z.instanceof(Uint8Array).optional(), error: z.string().optional() }),
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
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('stopComparing') }),
  z.object({ type: z.literal('hideCoverage') }),
  /** For what the tests of the workspace do not cover of the tree. */
  z.object({ type: z.literal('generateTests') }),
  /** Calls the way to a step. */
  z.object({ type: z.literal('callPath'), stepId: z.string() }),
  z.object({ type: z.literal('picture'), format: pictureFormatSchema, picture: z.union([z.string(), z.instanceof(Uint8Array)]).optional(), error: z.string().optional() }),
]);
export type FromWebview = z.output<typeof fromWebviewSchema>;
export type PanelSnapshot = z.output<typeof panelSnapshotSchema>;
