import type { Disposable } from './lifetime.ts';

/** Tells listeners that something happened. `listen` has the shape of a `vscode.Event`. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();

  readonly listen = (listener: (event: T) => void): Disposable => {
    // A fresh function, so that one listener may listen twice.
    const own = (event: T): void => {
      listener(event);
    };
    this.#listeners.add(own);
    return {
      dispose: () => {
        this.#listeners.delete(own);
      },
    };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
