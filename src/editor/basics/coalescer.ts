/** Runs one piece of work at a time. Requests during a run share one further run. */
export class Coalescer {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves with the first run that begins after this call. */
  request(): Promise<void> {
    if (this.#waiting) return this.#waiting;
    if (!this.#running) return this.#run();
    this.#waiting = this.#running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.#waiting = undefined;
        return this.#run();
      });
    return this.#waiting;
  }

  #run(): Promise<void> {
    const running = this.#work().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
