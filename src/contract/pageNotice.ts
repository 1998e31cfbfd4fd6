import * as z from 'zod';

/** A place in the file that a page shows; line and column count from 1. */
const place = { line: z.int().min(1), column: z.int().min(1) };

/**
 * A message of the editor for a page: the service can't be reached, the page's subject is gone or isn't valid, or a
 * request was refused. Content that the page already shows stays, with this notice above it until the next snapshot.
 */
export const pageNoticeSchema = z.object({
  type: z.literal('notice'),
  message: z.string(),
  severity: z.enum(['info', 'error']),
  /** The problem in the file, which the page then offers to open as text. */
  place: z.object(place).optional(),
});
export type PageNotice = z.output<typeof pageNoticeSchema>;

/** In a page's snapshot of a run: its calls are being hung up on request, of this page or of another part of the editor. */
export const isCancelling = z.boolean().optional();

export const openTextSchema = z.object({ type: z.literal('openText'), ...place });
export type OpenText = z.output<typeof openTextSchema>;
