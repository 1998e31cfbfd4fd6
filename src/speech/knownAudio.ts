import type { MatchEvent } from './promptMatcher.ts';

/** Detected speech starts can be slightly later or earlier than sound onsets. */
const toleranceMs = 350;
/** The number of remembered spans. An utterance is judged up to some seconds after it was heard. */
const maxEntries = 16;

/** Records which spans of the stream are known prompts that need no recognition. */
export class KnownAudio {
  #active = false;
  #past: { readonly fromMs: number; readonly toMs: number }[] = [];
  #current: { readonly fromMs: number; readonly decided: boolean } | undefined;

  /** From `nowMs`, expects prompts whose audio isn't recognised, or, if not active, recognises everything. */
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

  /** A known prompt stopped here, which is in the past. What follows is another prompt. */
  cut(atMs: number): void {
    if (this.#current && this.#current.fromMs < atMs) this.#finish(atMs);
    this.#past = this.#past
      .filter(({ fromMs }) => fromMs < atMs)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, atMs) }));
  }

  /** The sound that is being matched ends here. It was known only if a match had been found. */
  #finish(atMs: number): void {
    if (this.#current?.decided)
      this.#past = [...this.#past, { fromMs: this.#current.fromMs, toMs: atMs }].slice(-maxEntries);
    this.#current = undefined;
  }

  /**
   * Returns where unknown speech begins in an utterance, or undefined if all of it is known.
   * @param last the utterance is over, so what is undecided counts as unknown
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
