/** Functions that want to hear of something, in the order in which they came. */
export class Listeners<Heard extends readonly unknown[]> {
  readonly #all = new Set<(...heard: Heard) => void>();

  /** The same function is held once. The returned function takes it out. */
  add(listener: (...heard: Heard) => void): () => void {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  has(listener: (...heard: Heard) => void): boolean {
    return this.#all.has(listener);
  }

  /** Calls those that are there now. An error of one ends it for the rest. */
  tell(...heard: Heard): void {
    for (const listener of [...this.#all]) listener(...heard);
  }

  /** Calls those that are there now, each whatever the others do. Returns what went wrong, with whose it is. */
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
