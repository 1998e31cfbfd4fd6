import * as z from 'zod';
import { isCancelling, pageNoticeSchema } from './pageNotice.ts';
import { recordingPart } from './recordingPart.ts';
import { loadTestSchema, loadTimelinePoints, timelinePointSchema } from './loadTests.ts';

const seenSchema = z.array(timelinePointSchema).max(loadTimelinePoints);

/**
 * The messages between the editor and the webview of a load test's report, for both sides. The webview says `ready`,
 * then receives whole snapshots.
 */

export const loadSnapshotSchema = z.object({
  type: z.literal('snapshot'),
  /** The name of the test or of the called number. */
  name: z.string(),
  test: loadTestSchema,
  /** For a running test, its course as this window saw it. The service has a timeline when the test is over. */
  seen: seenSchema.optional(),
  isCancelling,
  /** Only in a saved file, which has no editor. */
  saved: z.literal(true).optional(),
});
export type LoadSnapshot = z.output<typeof loadSnapshotSchema>;

export const toLoadSchema = z.discriminatedUnion('type', [
  loadSnapshotSchema,
  pageNoticeSchema,
  z.object({ type: z.literal('audio'), recording: z.string(), ...recordingPart }),
]);
export type ToLoad = z.output<typeof toLoadSchema>;

/** A summary for the clipboard is far shorter. */
const summaryLength = 20_000;

export const fromLoadSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('cancel') }),
  /** By `recordingOfCall` or `recordingOfReference`. `from`: byte offset in the WAV file. */
  z.object({ type: z.literal('requestAudio'), recording: z.string().max(40), from: z.int().min(0).optional() }),
  /** Places the same calls again, as a new test. */
  z.object({ type: z.literal('runAgain') }),
  /** Copies a Markdown summary of the figures to the clipboard. */
  z.object({ type: z.literal('copy'), text: z.string().min(1).max(summaryLength) }),
]);
export type FromLoad = z.output<typeof fromLoadSchema>;

/** What the page keeps for a restored window: the course of a running test. */
export const loadPanelStateSchema = z.object({ seen: seenSchema });
export type LoadPanelState = z.output<typeof loadPanelStateSchema>;
