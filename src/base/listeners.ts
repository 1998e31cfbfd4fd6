/** Functions that are notified of an event, in the order in which they were added. */
export class Listeners<Heard extends readonly unknown[]> {
  readonly #all = new Set<(...heard: Heard) => void>();

  /** Adds a listener once. Returns a function that removes it. */
  add(listener: (...heard: Heard) => void): () => void {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  get size(): number {
    return this.#all.size;
  }

  has(listener: (...heard: Heard) => void): boolean {
    return this.#all.has(listener);
  }

  /** Calls all current listeners. If one throws an error, the rest aren't called. */
  tell(...heard: Heard): void {
    for (const listener of [...this.#all]) listener(...heard);
  }

  /**
   * Calls all current listeners, even if some of them throw. Returns each error with a function that removes its
   * listener.
   */
  tellAll(...heard: Heard): { readonly error: unknown; readonly remove: () => void }[] {
    return [...this.#all].flatMap((listener) => {
      try {
        listener(...heard);
        return [];
      } catch (error) {
        return [{ error, remove: () => this.#all.delete(listener) }];
      }
    });
  }

  clear(): void {
    this.#all.clear();
  }
}
