import { Listeners } from '../../base/listeners.ts';
import type { Disposable } from './lifetime.ts';

/** Notifies listeners of an event. `listen` has the shape of a `vscode.Event`. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Listeners<[event: T]>();

  readonly listen = (listener: (event: T) => void): Disposable => ({
    // A new function each time, so that one listener can be added twice.
    dispose: this.#listeners.add((event) => listener(event)),
  });

  fire(event: T): void {
    this.#listeners.tell(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
