import { Listeners } from '../../base/listeners.ts';
import type { Disposable } from './lifetime.ts';

/** Tells listeners that something happened. `listen` has the shape of a `vscode.Event`. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Listeners<[event: T]>();

  readonly listen = (listener: (event: T) => void): Disposable => ({
    // A fresh function, so that one listener may listen twice.
    dispose: this.#listeners.add((event) => {
      listener(event);
    }),
  });

  fire(event: T): void {
    this.#listeners.tell(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
