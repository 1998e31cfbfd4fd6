/** Turns pushed values into an async iterable with one reader. */
export class EventStream<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  #failure: { readonly cause: unknown } | undefined;

  /** Whether values wait until it is known what they may show. */
  get isHeld(): boolean {
    return false;
  }

  push(value: Value): void {
    this.#values.push(value);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** The reader receives what was pushed before, then an error with this cause. */
  fail(cause: unknown): void {
    this.#failure ??= { cause };
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      const value = this.#values.shift();
      if (value !== undefined) {
        yield value;
        continue;
      }
      if (this.#failure) throw new Error('an internal error', this.#failure);
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Why work ends when its results aren't read any more; a sentence, like the other reasons for an abort. */
export const readerLeft = 'Stopped, because its results are no longer being read.';

/**
 * Runs `work` while something reads what it pushes into `events`, and ends the stream when it ends. If the reader
 * leaves early, aborts the signal of `work` and waits for its end, so that no call outlives its reader. `work` must not
 * reject.
 */
export async function* streamUntilClosed<Value>(
  events: EventStream<Value>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): AsyncGenerator<Value> {
  const readerGone = new AbortController();
  const working = work(AbortSignal.any([signal, readerGone.signal])).finally(() => events.close());
  try {
    yield* events;
  } finally {
    readerGone.abort(readerLeft);
    await working;
  }
}
