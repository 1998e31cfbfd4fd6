import type { Disposable } from '../basics/lifetime.ts';

/** Counts who looks at something: `onChange` hears of the first one and of the last. */
export class Watchers {
  readonly #onChange: () => void;
  #count = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** Looks until the result is disposed. */
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
