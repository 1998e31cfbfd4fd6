import type { MatchEvent } from './promptMatcher.ts';

/** Speech starts are found a little later or earlier than sound onsets. */
const toleranceMs = 350;

/** Which stretch of the stream is a prompt known already, and so needs no recognition. */
export class KnownAudio {
  #active = false;
  #fromMs: number | undefined;
  #toMs = Infinity;
  #decided = false;

  /** From `nowMs` on prompts are expected whose audio is not to be recognised; or, when not active, everything is to be. */
  expect(active: boolean, nowMs: number): void {
    // The known prompt before ends here at the latest.
    if (this.#fromMs !== undefined && this.#decided) this.#toMs = Math.min(this.#toMs, nowMs);
    else this.#fromMs = undefined;
    this.#active = active;
  }

  follow(event: MatchEvent): void {
    if (!this.#active) return;
    switch (event.type) {
      case 'onset':
        this.#begin(event.atMs, false);
        break;
      case 'promptMatched':
        this.#begin(event.startMs, true);
        break;
      case 'promptBroken':
      case 'promptEnded':
        this.#toMs = event.atMs;
        break;
      case 'promptUnknown':
        this.#fromMs = undefined;
    }
  }

  #begin(atMs: number, decided: boolean): void {
    this.#fromMs = atMs;
    this.#toMs = Infinity;
    this.#decided = decided;
  }

  /**
   * Where in an utterance unknown speech begins; undefined when all of it is known.
   * @param last the utterance is over: what is still undecided counts as unknown
   */
  unknownPart(startMs: number, endMs: number, last: boolean): number | undefined {
    const from = this.#fromMs;
    if (from === undefined || startMs < from - toleranceMs || startMs >= this.#toMs || (last && !this.#decided)) return startMs;
    return this.#toMs < endMs ? this.#toMs : undefined;
  }
}
