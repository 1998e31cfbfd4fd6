import type { ActiveCallEvent } from '../../src/engine/call/activeCall.ts';
import { Segmenter, frameMs } from '../../src/speech/segmenter.ts';

export interface SpokenText {
  readonly events: readonly (readonly [atMs: number, event: ActiveCallEvent])[];
  /** The end of the last word. */
  readonly endMs: number;
}

const msAWord = 330;
const longestCommaMs = 600;
/** From the end of an utterance to its text on an idle machine. */
const recognitionMs = 400;

/**
 * Returns the speech events for these sentences, spoken with this pause between them and a shorter one after commas,
 * starting at `fromMs`. Uses the real segmenter; every word is heard.
 */
export function spokenEvents(sentences: readonly string[], pauseMs: number, fromMs = 0): SpokenText {
  const words: { readonly text: string; readonly startMs: number; readonly endMs: number }[] = [];
  let atMs = fromMs;
  for (const sentence of sentences) {
    for (const text of sentence.split(/\s+/)) {
      words.push({ text, startMs: atMs, endMs: atMs + msAWord });
      atMs += msAWord + (text.endsWith(',') ? Math.min(pauseMs, longestCommaMs) : 0);
    }
    atMs += pauseMs;
  }
  const endMs = words.at(-1)?.endMs ?? fromMs;
  const textOf = (startMs: number, untilMs: number): string =>
    words
      .filter((word) => word.startMs >= startMs - frameMs && word.startMs < untilMs)
      .map(({ text }) => text)
      .join(' ');
  const segmenter = new Segmenter();
  const events: [atMs: number, event: ActiveCallEvent][] = [];
  for (let nowMs = frameMs; nowMs < endMs + 2000; nowMs += frameMs) {
    const speaks = words.some((word) => word.startMs < nowMs && word.endMs >= nowMs);
    for (const event of segmenter.feed(speaks ? 1 : 0)) {
      if (event.type === 'start') events.push([nowMs, { type: 'speechStart', atMs: event.startMs }]);
      else if (event.type === 'resume') events.push([nowMs, { type: 'speechResume', atMs: event.atMs }]);
      else {
        const { startMs, endMs: partMs } = event;
        const text = textOf(startMs, partMs);
        if (event.type === 'pause') events.push([nowMs, { type: 'speechPause', atMs: partMs }]);
        else
          events.push([
            nowMs + recognitionMs,
            { type: 'utterance', utterance: { startMs, endMs: partMs, text, rawText: text, words: [] } },
          ]);
      }
    }
  }
  return { events, endMs };
}
