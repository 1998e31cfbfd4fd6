import { serviceStopping } from './storeGate.ts';

/** Opens the store on demand, once. A failed attempt is repeated at the next request. */
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

  /** Why the last attempt failed. */
  get failure(): unknown {
    return this.#failure;
  }
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }
  /** The open store, without opening it. */
  get opened(): Opened | undefined {
    return this.#opened;
  }
  /** A run is active, or the store is being opened. */
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
