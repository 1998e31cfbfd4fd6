import type { WorkspaceEvent } from '../../contract/events.ts';

/** What the processes on one store tell each other. */
export type Notice =
  | { readonly type: 'event'; readonly workspaceId: string; readonly event: WorkspaceEvent }
  /** A run waits in the queue. */
  | { readonly type: 'work' }
  /** Whoever carries this run out shall end it. */
  | { readonly type: 'cancel'; readonly runId: string }
  /** Streams of events that were opened with this key end. */
  | { readonly type: 'revoked'; readonly keyId: string };

/** Tells the other processes, and hears them. Notices may be lost: what must happen also stands in the store. */
export interface Notices {
  send(notice: Notice): void;
  /** `onGap` is called after a time in which notices may have been lost. Returns what ends it. */
  listen(listener: { readonly onNotice: (notice: Notice) => void; readonly onGap?: () => void }): () => void;
}
