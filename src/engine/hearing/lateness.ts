import { patience } from './patience.ts';

/**
 * How late this machine was on a call when it mattered: on a busy machine, words become text long after they are said.
 */
export class Lateness {
  #worstMs = 0;

  /** An utterance became text, was acted upon, or still wasn't understood this long after its end. */
  behind(ms: number): void {
    this.#worstMs = Math.max(this.#worstMs, ms);
  }

  /** Why the result says little about the called side: this machine may have caused it. Undefined if it was in time. */
  get excuse(): string | undefined {
    return this.#worstMs <= patience.ofSystems
      ? undefined
      : `Dialtree itself may be the cause: this machine was so busy that speech recognition was up to ${(this.#worstMs / 1000).toFixed(1)} s late. Run the test again when the machine is less busy.`;
  }
}
