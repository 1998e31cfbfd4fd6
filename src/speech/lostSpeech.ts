import type { Word } from './ear.ts';
import { hopMs as frameMs, pauseDbOf, soundFrames } from './fingerprint.ts';

/** How long a slow speaker takes. In 420 utterances without lost words, none takes 0.5 s longer anywhere. */
const slow = { wordMs: 200, letterMs: 60 };
/** More than slow speakers need, and less than the shortest lost words take, such as "choose six". */
const minLostMs = 700;
/** At least seven quiet frames: shorter quiet occurs inside words, as before "k" and "t". */
const quietBetweenWords = /(?<=1)0{7,}(?=1)/g;
/** The aligner sets the end of a word up to this far from where its sound ends. */
const nearMs = 100;
/** A part with one short word is recognised badly without its neighbours. */
const minPartMs = 600;

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly lostMs: number;
}

/** Returns for each 20 ms whether a voice is heard. */
export function voicedFrames(pcm: Int16Array): boolean[] {
  const frames = soundFrames(pcm, frameMs * 8);
  const pauseDb = pauseDbOf(frames);
  return Array.from(frames.levels, (level) => level > pauseDb);
}

function longestMs(text: string): number {
  const words = text.replaceAll(/\d/g, ' four ').match(/[a-z']+/gi) ?? [];
  return slow.wordMs * words.length + slow.letterMs * words.join('').length;
}

/** Returns the stretch where speech takes most longer than its words. Words without times stand for everything. */
export function mostLost(voiced: readonly boolean[], text: string, words: readonly Word[]): Stretch {
  const spans = words.flatMap((word) => [{ text: '', endMs: word.startMs }, word]);
  const end = { text: words.length > 0 ? '' : text, endMs: voiced.length * frameMs };
  let most: Stretch = { startMs: 0, endMs: 0, lostMs: 0 };
  let running = most;
  // A number that the aligner can't follow has no length, and the times of the next words may be those of the number.
  let untimedMs = 0;
  for (const { text: said, endMs } of [...spans, end]) {
    const voice = voiced.slice(Math.round(running.endMs / frameMs), Math.round(endMs / frameMs)).filter(Boolean);
    if (endMs <= running.endMs) untimedMs += longestMs(said);
    else {
      const lostMs = Math.max(0, running.lostMs) + voice.length * frameMs - longestMs(said) - untimedMs;
      running = { startMs: running.lostMs > 0 ? running.startMs : running.endMs, endMs, lostMs };
      untimedMs = Math.min(untimedMs, Math.max(0, -lostMs));
    }
    if (running.lostMs > most.lostMs) most = running;
  }
  return most;
}

/** Returns where to cut: at the pauses around a lost stretch, or at the longest pause if it is everything. */
export function cutsAround(voiced: readonly boolean[], lost: Stretch): readonly number[] {
  const pauses = Array.from(voiced.map(Number).join('').matchAll(quietBetweenWords), ({ index, 0: { length } }) => ({
    atMs: (index + length / 2) * frameMs,
    halfMs: (length / 2) * frameMs,
  })).filter(({ atMs }) => lost.lostMs >= minLostMs && Math.min(atMs, voiced.length * frameMs - atMs) >= minPartMs);
  const before = pauses.findLast(({ atMs, halfMs }) => atMs - halfMs <= lost.startMs + nearMs);
  const after = pauses.find(({ atMs, halfMs }) => atMs > lost.startMs && atMs + halfMs >= lost.endMs - nearMs);
  const longest = pauses.toSorted((a, b) => b.halfMs - a.halfMs)[0];
  return [before ?? (after ? undefined : longest), after].flatMap((pause) => (pause ? [pause.atMs] : []));
}
