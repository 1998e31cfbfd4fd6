import { serviceStopping } from './storeGate.ts';

/** Opens at the first need, once. A failed opening is tried again at the next need. */
export class LazyStore<
  Opened extends { readonly activeRuns: () => number; close(isLate?: () => boolean): Promise<void> },
> {
  readonly #open: () => Promise<Opened>;
  #opening: Promise<Opened> | undefined;
  #closed = false;
  #failure: unknown;
  #opened: Opened | undefined;

  constructor(open: () => Promise<Opened>) {
    this.#open = open;
  }

  /** Why the last opening failed. */
  get failure(): unknown {
    return this.#failure;
  }
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }
  /** What is open, without opening it. */
  get opened(): Opened | undefined {
    return this.#opened;
  }
  /** A run goes on, or the store is just being opened. */
  get busy(): boolean {
    return this.#opened ? this.#opened.activeRuns() > 0 : this.#opening !== undefined;
  }

  get(): Promise<Opened> {
    if (this.#closed) return Promise.reject(serviceStopping());
    return (this.#opening ??= this.#open().then(
      (opened) => {
        this.#failure = undefined;
        this.#opened = opened;
        return opened;
      },
      (error: unknown) => {
        this.#opening = undefined;
        this.#failure = error;
        throw error;
      },
    ));
  }

  async close(isLate?: () => boolean): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close(isLate);
  }
}
