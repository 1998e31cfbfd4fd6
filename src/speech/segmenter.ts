import type { EarEvent } from './ear.ts';

/** Milliseconds of one voice activity frame. */
export const frameMs = 32;

const onThreshold = 0.5;
const offThreshold = 0.35;
/** Speech of this length counts as an utterance. */
const confirmMs = 96;
/** A start of speech that isn't confirmed before this much silence counts as noise. */
const doubtMs = 224;
/** Short enough to occur between two sentences of a menu, so that each option is known while the next is spoken. */
const pauseMs = 224;
const endSilenceMs = 700;
const longUtteranceMs = 9000;
const longEndSilenceMs = 200;
const capMs = 18_000;
/** At the maximum length, the utterance is cut where speech was least likely in this last part. */
const cutStretchMs = 2500;

/** Times are milliseconds since the first frame; `endMs` is the end of the last frame with speech. */
export type SegmentEvent =
  | { readonly type: 'start'; readonly startMs: number }
  /** About a quarter of a second without speech, not yet the end. */
  | { readonly type: 'pause'; readonly startMs: number; readonly endMs: number }
  | { readonly type: 'resume'; readonly atMs: number }
  | { readonly type: 'end'; readonly startMs: number; readonly endMs: number };

/** Returns what an ear reports of speech that begins, pauses or continues. */
export function toEarEvent(event: Exclude<SegmentEvent, { type: 'end' }>): EarEvent {
  switch (event.type) {
    case 'start':
      return { type: 'speechStart', atMs: event.startMs };
    case 'pause':
      return { type: 'speechPause', atMs: event.endMs };
    case 'resume':
      return { type: 'speechResume', atMs: event.atMs };
  }
}

interface Running {
  readonly startMs: number;
  endMs: number;
  speechMs: number;
  confirmed: boolean;
  paused: boolean;
  speaking: boolean;
  readonly recent: number[];
}

/** Turns speech probabilities (one every 32 ms) into utterances. Pure: time is the count of frames. */
export class Segmenter {
  #frames = 0;
  #running: Running | undefined;

  /** The start of the current, confirmed utterance. */
  get runningSinceMs(): number | undefined {
    return this.#running?.startMs;
  }

  feed(probability: number): SegmentEvent[] {
    const events: SegmentEvent[] = [];
    this.#step(probability, events);
    return events;
  }

  /** The audio ends here, and so does the current utterance. */
  finish(): SegmentEvent[] {
    const running = this.#running;
    this.#running = undefined;
    if (!running?.confirmed) return [];
    const { startMs, endMs, paused } = running;
    return [...(paused ? [] : [{ type: 'pause', startMs, endMs } as const]), { type: 'end', startMs, endMs }];
  }

  /** The current utterance ends at this time, which is in the past. What came after belongs to the next one. */
  splitAt(atMs: number): SegmentEvent[] {
    const running = this.#running;
    const afterMs = this.#frames * frameMs - atMs;
    if (!running || running.startMs >= atMs) return [];
    const after = running.recent.slice(-Math.ceil(afterMs / frameMs));
    const { startMs, confirmed, paused } = running;
    const endMs = Math.min(running.endMs, atMs);
    const events: SegmentEvent[] = [];
    if (confirmed && !paused) events.push({ type: 'pause', startMs, endMs });
    if (confirmed) events.push({ type: 'end', startMs, endMs });
    this.#restart(after, events);
    return events;
  }

  /** Begins again with the newest frames. */
  #restart(after: readonly number[], events: SegmentEvent[]): void {
    this.#running = undefined;
    this.#frames -= after.length;
    for (const probability of after) this.#step(probability, events);
  }

  #step(probability: number, events: SegmentEvent[]): void {
    const atMs = this.#frames * frameMs;
    this.#frames += 1;
    const nowMs = this.#frames * frameMs;
    let running = this.#running;
    if (!running) {
      if (probability < onThreshold) return;
      running = {
        startMs: atMs,
        endMs: nowMs,
        speechMs: 0,
        confirmed: false,
        paused: false,
        speaking: true,
        recent: [],
      };
      this.#running = running;
    }
    running.recent.push(probability);
    if (running.recent.length > cutStretchMs / frameMs) running.recent.shift();
    running.speaking = probability >= (running.speaking ? offThreshold : onThreshold);
    if (running.speaking) this.#speech(running, atMs, nowMs, events);
    else this.#silence(running, nowMs, events);
  }

  #speech(running: Running, atMs: number, nowMs: number, events: SegmentEvent[]): void {
    running.endMs = nowMs;
    running.speechMs += frameMs;
    if (!running.confirmed && running.speechMs >= confirmMs) {
      running.confirmed = true;
      events.push({ type: 'start', startMs: running.startMs });
    }
    if (running.paused) {
      running.paused = false;
      events.push({ type: 'resume', atMs });
    }
    if (nowMs - running.startMs >= capMs) this.#cut(running, nowMs, events);
  }

  #silence(running: Running, nowMs: number, events: SegmentEvent[]): void {
    const silentMs = nowMs - running.endMs;
    if (!running.confirmed) {
      if (silentMs >= doubtMs) this.#running = undefined;
      return;
    }
    const { startMs, endMs } = running;
    const enough = endMs - startMs > longUtteranceMs ? longEndSilenceMs : endSilenceMs;
    if (!running.paused && silentMs >= Math.min(pauseMs, enough)) {
      running.paused = true;
      events.push({ type: 'pause', startMs, endMs });
    }
    if (silentMs >= enough) {
      this.#running = undefined;
      events.push({ type: 'end', startMs, endMs });
    }
  }

  /** Ends an endless utterance at its least likely frame and adds what came after to the next one. */
  #cut(running: Running, nowMs: number, events: SegmentEvent[]): void {
    const { recent, startMs } = running;
    const lowest = recent.lastIndexOf(Math.min(...recent));
    const after = recent.slice(lowest + 1);
    events.push({ type: 'end', startMs, endMs: nowMs - after.length * frameMs });
    this.#restart(after, events);
  }
}
