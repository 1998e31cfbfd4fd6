/** Closes what a run has opened, in reverse order, once. */
export class Cleanup {
  #closers: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  /** Registers how to close something; called immediately if the run is already over. */
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
        // The rest must still be closed, and the work's own error is more useful.
        console.error('Cleaning up failed:', error);
      }
    }
  }
}

const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs `work`, then closes what it registered: after success, after failure, on a signal that ends this process, and on
 * an uncaught error, for example when the reader of the output has closed.
 */
export async function withCleanup<T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  const endWith = (exitCode: number): void => {
    void cleanup.run().then(() => process.exit(exitCode));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    endWith(endings[signal as keyof typeof endings]);
  };
  const onUncaught = (error: Error): void => {
    if (!('code' in error && error.code === 'EPIPE')) {
      console.error(error);
    }
    endWith(1);
  };
  const signals = Object.keys(endings) as (keyof typeof endings)[];
  for (const signal of signals) {
    process.on(signal, onSignal);
  }
  process.on('uncaughtException', onUncaught);
  try {
    return await work(cleanup);
  } finally {
    await cleanup.run();
    for (const signal of signals) {
      process.removeListener(signal, onSignal);
    }
    process.removeListener('uncaughtException', onUncaught);
  }
}
