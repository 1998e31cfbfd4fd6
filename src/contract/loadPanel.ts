import * as z from 'zod';
import { loadTestSchema, loadTimelinePoints, timelinePointSchema } from './loadTests.ts';

const seenSchema = z.array(timelinePointSchema).max(loadTimelinePoints);

/**
 * The messages between the editor and the webview of a load test's report: one contract for both sides. The webview
 * says `ready`, then gets whole snapshots.
 */

export const loadSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** Of the test or the number that is called. */
  name: z.string(),
  test: loadTestSchema,
  /** Of a running test: its course as this window saw it go by. The service has a timeline once the test is over. */
  seen: seenSchema.optional(),
  /** It runs, and this editor may end it. */
  canCancel: z.boolean(),
  /** It is over, and the same calls can be placed again. */
  canRunAgain: z.boolean(),
});
export type LoadSnapshot = z.output<typeof loadSnapshotSchema>;

export const toLoadSchema = z.discriminatedUnion('type', [
  loadSnapshotSchema,
  /**
   * The service cannot be reached, the test is gone, or what was asked for was refused; what is shown stays, with this
   * notice above it until the next snapshot.
   */
  z.object({ type: z.literal('notice'), message: z.string(), severity: z.enum(['info', 'error']) }),
]);
export type ToLoad = z.output<typeof toLoadSchema>;

/** A summary is far shorter; its reader is a clipboard. */
const summaryLength = 20_000;

export const fromLoadSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('cancel') }),
  /** Places the same calls again, as a test of its own. */
  z.object({ type: z.literal('runAgain') }),
  /** Puts a summary of the figures, as Markdown, on the clipboard. */
  z.object({ type: z.literal('copy'), text: z.string().min(1).max(summaryLength) }),
]);
export type FromLoad = z.output<typeof fromLoadSchema>;

/**
 * What the page keeps by `setState`; the window that comes after this one finds the test by it, and goes on with its
 * course.
 */
export const loadPanelStateSchema = z.object({ loadTestId: z.uuid(), seen: seenSchema.optional().catch(undefined) });
export type LoadPanelState = z.output<typeof loadPanelStateSchema>;
