import type { Disposable } from '../basics/lifetime.ts';

/** Counts watchers. `onChange` is called for the first and after the last one. */
export class Watchers {
  readonly #onChange: () => void;
  #count = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** Watches until the result is disposed of. */
  add(): Disposable {
    this.#step(1);
    let ended = false;
    return {
      dispose: () => {
        if (ended) return;
        ended = true;
        this.#step(-1);
      },
    };
  }

  #step(by: 1 | -1): void {
    const before = this.any;
    this.#count += by;
    if (this.any !== before) this.#onChange();
  }
}
