import { patience } from './patience.ts';

/**
 * How far this machine was behind them on a call when it mattered: what they say becomes text after they have said it,
 * on a busy machine long after.
 */
export class Lateness {
  #worstMs = 0;

  /** So long after the end of what they said it became text, or was acted upon, or was not understood yet. */
  behind(ms: number): void {
    this.#worstMs = Math.max(this.#worstMs, ms);
  }

  /**
   * Why what became of the call says little about them: it may be the doing of our machine. Undefined where we were in
   * time.
   */
  get excuse(): string | undefined {
    return this.#worstMs <= patience.ofSystems
      ? undefined
      : `Dialtree itself may be the cause: this machine was so busy that speech recognition was up to ${(this.#worstMs / 1000).toFixed(1)} s late. Run the test again when the machine is less busy.`;
  }
}
