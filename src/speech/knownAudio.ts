import type { MatchEvent } from './promptMatcher.ts';

/** Speech starts are found a little later or earlier than sound onsets. */
const toleranceMs = 350;
/** Stretches remembered; an utterance is judged at most some seconds after it was heard. */
const kept = 16;

/** Which stretches of the stream are prompts known already, and so need no recognition. */
export class KnownAudio {
  #active = false;
  #past: { readonly fromMs: number; readonly toMs: number }[] = [];
  #current: { readonly fromMs: number; readonly decided: boolean } | undefined;

  /**
   * From `nowMs` on prompts are expected whose audio is not to be recognised; or, when not active, everything is to be.
   */
  expect(active: boolean, nowMs: number): void {
    this.#finish(nowMs);
    this.#active = active;
  }

  follow(event: MatchEvent): void {
    if (!this.#active) return;
    switch (event.type) {
      case 'onset':
        this.#current = { fromMs: event.atMs, decided: false };
        break;
      case 'promptMatched':
        this.#current = { fromMs: event.startMs, decided: true };
        break;
      case 'promptBroken':
      case 'promptEnded':
        this.#finish(event.atMs);
        break;
      case 'promptUnknown':
        this.#current = undefined;
    }
  }

  /** What is being matched ends here; it was known only if a match had been found. */
  #finish(atMs: number): void {
    if (this.#current?.decided) this.#past = [...this.#past, { fromMs: this.#current.fromMs, toMs: atMs }].slice(-kept);
    this.#current = undefined;
  }

  /**
   * Where in an utterance unknown speech begins; undefined when all of it is known.
   * @param last the utterance is over: what is still undecided counts as unknown
   */
  unknownPart(startMs: number, endMs: number, last: boolean): number | undefined {
    const current =
      this.#current && (this.#current.decided || !last) ? [{ fromMs: this.#current.fromMs, toMs: Infinity }] : [];
    let fromMs = startMs;
    for (const known of [...this.#past, ...current]) {
      const tolerance = fromMs === startMs ? toleranceMs : 0;
      if (fromMs >= known.fromMs - tolerance && fromMs < known.toMs) fromMs = known.toMs;
    }
    return fromMs < endMs ? fromMs : undefined;
  }
}
