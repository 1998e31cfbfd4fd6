import type { WorkspaceEvent } from '../contract/events.ts';

type Listener = (event: WorkspaceEvent) => void;

/** Tells the listeners of a workspace what changed. */
export class EventBus {
  readonly #listeners = new Map<string, Set<Listener>>();

  publish(workspaceId: string, event: WorkspaceEvent): void {
    for (const listener of this.#listeners.get(workspaceId) ?? []) listener(event);
  }

  listen(workspaceId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(workspaceId) ?? new Set();
    this.#listeners.set(workspaceId, listeners.add(listener));
    return () => { listeners.delete(listener); };
  }
}
