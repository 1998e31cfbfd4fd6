import * as z from 'zod';

/** The run has just ended. */
const endedSchema = z.literal(true).optional();

/**
 * Server-sent events of a workspace (`GET /v1/events`). They say what changed, not how: the listener reads the resource
 * again. The stream's `id` grows by one. A listener that reconnects reads everything it shows again.
 */
export const workspaceEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mapping.changed'), jobId: z.uuid(), ended: endedSchema }),
  z.object({ type: z.literal('mapping.deleted'), jobId: z.uuid() }),
  z.object({ type: z.literal('mapping.tree'), jobId: z.uuid(), runId: z.uuid() }),
  z.object({ type: z.literal('test.changed'), runId: z.uuid(), ended: endedSchema }),
  z.object({ type: z.literal('load.changed'), loadTestId: z.uuid(), ended: endedSchema }),
]);
export type WorkspaceEvent = z.output<typeof workspaceEventSchema>;
