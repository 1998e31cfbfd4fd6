import { after, type WallClock } from '../../basics/wallClock.ts';

/** A saved file and a practice IVR that reads it again have settled by then. A call takes longer than this anyway. */
const settleMs = 1_000;

/** Runs tests again when they change: after a pause in the changes, and one run of a test at a time. */
export class Reruns {
  readonly #clock: WallClock;
  readonly #run: (test: string) => Promise<unknown>;
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Set<string>();
  /** Changed while they run. */
  readonly #again = new Set<string>();
  #isOver = false;

  /** @param run must not reject */
  constructor(clock: WallClock, run: (test: string) => Promise<unknown>) {
    this.#clock = clock;
    this.#run = run;
  }

  changed(test: string): void {
    if (this.#isOver) return;
    this.#waiting.get(test)?.();
    this.#waiting.set(
      test,
      after(this.#clock, settleMs, () => {
        this.#waiting.delete(test);
        if (this.#running.has(test)) this.#again.add(test);
        else void this.#start(test);
      }),
    );
  }

  dispose(): void {
    this.#isOver = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#again.clear();
  }

  async #start(test: string): Promise<void> {
    this.#running.add(test);
    await this.#run(test);
    this.#running.delete(test);
    if (this.#again.delete(test)) await this.#start(test);
  }
}
