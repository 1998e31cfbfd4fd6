/** Closes what a run has opened, in reverse order, once. */
export class Cleanup {
  #closers: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  /** Registers how to close something; called at once when the run is already over. */
  add(close: () => unknown): void {
    this.#closers.push(close);
    if (this.#running !== undefined) {
      this.#running = this.#running.then(() => this.#closeAll());
    }
  }

  run(): Promise<void> {
    this.#running ??= this.#closeAll();
    return this.#running;
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        // The rest must be closed all the same, and the work's own error says more.
        console.error('Cleaning up failed:', error);
      }
    }
  }
}

const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs `work`, then closes what it registered: after success, after failure, and on a signal that ends this process. */
export async function withCleanup<T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  const onSignal = (signal: NodeJS.Signals): void => {
    const exitCode = endings[signal as keyof typeof endings];
    void cleanup.run().then(() => process.exit(exitCode));
  };
  const signals = Object.keys(endings) as (keyof typeof endings)[];
  for (const signal of signals) {
    process.once(signal, onSignal);
  }
  try {
    return await work(cleanup);
  } finally {
    await cleanup.run();
    for (const signal of signals) {
      process.removeListener(signal, onSignal);
    }
  }
}
