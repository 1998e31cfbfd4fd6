import type { WorkspaceEvent } from '../../contract/events.ts';

/** Messages between the processes on one store. */
export type StoreNotice =
  | { readonly type: 'event'; readonly workspaceId: string; readonly event: WorkspaceEvent }
  /** A run is waiting in the queue. */
  | { readonly type: 'work' }
  /** The process that performs this run should end it. */
  | { readonly type: 'cancel'; readonly runId: string }
  /** Event streams that were opened with this key end. */
  | { readonly type: 'revoked'; readonly keyId: string };

/** Exchanges notices with the other processes. They can be lost, so what must happen is also in the store. */
export interface StoreNotices {
  send(notice: StoreNotice): void;
  /** `onGap` is called after a time in which notices may have been lost. Returns a function that ends it. */
  listen(listener: { readonly onNotice: (notice: StoreNotice) => void; readonly onGap?: () => void }): () => void;
}
