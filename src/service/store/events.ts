import type { WorkspaceEvent } from '../../contract/events.ts';
import type { StoreNotices } from './notices.ts';

type Listener = (event: WorkspaceEvent) => void;

/** Notifies the listeners of a workspace of changes, whichever process made them. */
export class EventBus {
  readonly #listeners = new Map<string, Set<Listener>>();
  #notices: StoreNotices | undefined;

  publish(workspaceId: string, event: WorkspaceEvent): void {
    this.#deliver(workspaceId, event);
    this.#notices?.send({ type: 'event', workspaceId, event });
  }

  listen(workspaceId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(workspaceId) ?? new Set();
    this.#listeners.set(workspaceId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  /** Connects to the other processes on the store. `onGap`: their notices may have been missed. */
  connect(notices: StoreNotices, onGap: () => void): void {
    this.#notices = notices;
    notices.listen({
      onNotice: (notice) => {
        if (notice.type === 'event') this.#deliver(notice.workspaceId, notice.event);
      },
      onGap,
    });
  }

  #deliver(workspaceId: string, event: WorkspaceEvent): void {
    for (const listener of this.#listeners.get(workspaceId) ?? []) listener(event);
  }
}
