import type { EarEvent, ExpectedPrompt, Fingerprint } from './ear.ts';
import { promptMs, quietDb, readFingerprint, SoundFrames } from './fingerprint.ts';
import type { UnpackedFingerprint } from './fingerprint.ts';
import { PromptTrack, gainOf, stepMs, stretchDistance } from './promptTrack.ts';
import { spectrumLength } from './spectrum.ts';

export type MatchEvent =
  /** Sound began after quiet: from here, prompts are compared. */
  { readonly type: 'onset'; readonly atMs: number } | Extract<EarEvent, { readonly type: `prompt${string}` }>;

const stepSamples = stepMs * 8;
const historySteps = 160;
/** This many reference frames within this distance (dB) are a beginning: short and close, or longer and looser. */
const accepted: readonly { readonly frames: number; readonly within: number }[] = [
  { frames: 15, within: 2.4 },
  { frames: 20, within: 3 },
  { frames: 30, within: 3.6 },
];
/** Others that begin almost as closely are kept in addition to the first. */
const besideMargin = 1.6;
const besideSteps = 6;
/** A followed prompt is lost beyond this distance, or if another matches this much better. */
const lostBeyond = 5.2;
/** A moment beyond can be a bad packet; this far beyond, or for 40 ms, isn't. */
const lostForSure = 1.6;
const lostAfterSteps = 4;
const lostBeside = { least: 3.4, margin: 1.6 };
/** On a line with noise above this, everything matches less well: by this much per dB, up to a limit. */
const noiseSlack = { aboveDb: -52, aDb: 0.12, most: 1.4 };
const quietBeforeOnsetMs = 120;
/** After this silence another prompt can begin, even if too little was heard to judge the one before. */
const newSoundAfterMs = 350;
const unknownAfterMs = 700;
const chooseAfterMs = 700;
/**
 * Options begin alike ("if you are calling about …"), so the rest of a prompt is recognised later than its beginning:
 * after this much sound, because pauses are all alike.
 */
const chooseRestAfterMs = 2000;
/** Waits for prompts that diverge within this time after the decision. */
const waitFrames = 125;

interface Candidate {
  readonly id: string;
  readonly reference: UnpackedFingerprint;
  readonly offsetMs: number | undefined;
}

/** Compares an audio stream with expected prompts, each from its beginning. Pure: time is the count of samples. */
export class PromptMatcher {
  /** The recent past. */
  readonly frames = new SoundFrames(historySteps);
  readonly #candidates: readonly Candidate[];
  readonly #firstSample: number;
  #tail = new Int16Array(0);
  #step = -1;
  #floor = -96;
  #quietMs = quietBeforeOnsetMs;
  #onsetStep: number | undefined;
  #activeMs = 0;
  #tracks: PromptTrack[] = [];
  #current: PromptTrack | undefined;
  /** The current sound has been judged; the next sound after quiet is compared again. */
  #waiting = false;

  /** @param firstSample the number of the first sample that will be pushed, for the times of events */
  constructor(prompts: readonly ExpectedPrompt[], firstSample = 0) {
    this.#candidates = prompts
      .map(({ id, fingerprint, offsetMs }) => ({ id, reference: readFingerprint(fingerprint), offsetMs }))
      .filter(({ reference }) => reference.frames.length > 0);
    this.#firstSample = firstSample;
  }

  push(pcm: Int16Array): MatchEvent[] {
    const events: MatchEvent[] = [];
    const joined = new Int16Array(this.#tail.length + pcm.length);
    joined.set(this.#tail);
    joined.set(pcm, this.#tail.length);
    let at = 0;
    for (; at + spectrumLength <= joined.length; at += stepSamples) this.#hear(joined, at, events);
    this.#tail = joined.slice(at);
    return events;
  }

  /** Returns the index in `frames` of a step of the recent past, or -1. */
  indexOf(step: number): number {
    return step > this.#step - historySteps && step >= 0 && step <= this.#step ? step % historySteps : -1;
  }

  #ms(step: number): number {
    return this.#firstSample / 8 + step * stepMs;
  }

  get #nowMs(): number {
    return this.#ms(this.#step) + spectrumLength / 8;
  }

  #hear(pcm: Int16Array, at: number, events: MatchEvent[]): void {
    this.#step += 1;
    this.#noticeOnset(this.frames.describe(this.#step % historySteps, pcm, at), events);
    if (this.#current) this.#followCurrent(events);
    else if (this.#tracks.length > 0) this.#choose(events);
    else this.#seek(events);
  }

  get #slack(): number {
    return Math.max(0, Math.min(noiseSlack.most, (this.#floor - noiseSlack.aboveDb) * noiseSlack.aDb));
  }

  /** Counts sound since its onset. The noise floor falls immediately and rises by 3 dB per second. */
  #noticeOnset(level: number, events: MatchEvent[]): void {
    this.#floor = this.#step === 0 ? Math.min(level, quietDb) : Math.min(level, this.#floor + 0.03, quietDb + 6);
    if (level <= Math.max(quietDb, this.#floor + 7)) {
      this.#quietMs += stepMs;
      // A click or the end of the previous sound isn't a prompt.
      if (this.#quietMs >= 200 && this.#activeMs < 250) this.#onsetStep = undefined;
      return;
    }
    const isDue = this.#onsetStep === undefined || this.#waiting || this.#quietMs >= newSoundAfterMs;
    if (this.#quietMs >= quietBeforeOnsetMs && isDue) {
      this.#waiting = false;
      this.#onsetStep = this.#step;
      this.#activeMs = 0;
      events.push({ type: 'onset', atMs: this.#ms(this.#step) });
    }
    this.#quietMs = 0;
    this.#activeMs += stepMs;
  }

  /** Something else has begun to play: compare it from its beginning. */
  #restart(): void {
    this.#waiting = false;
    this.#onsetStep = this.#step;
    this.#activeMs = 0;
  }

  #seek(events: MatchEvent[]): void {
    if (this.#waiting) return;
    for (const { frames, within } of accepted) {
      for (const candidate of this.#candidates) {
        const count = Math.min(frames, candidate.reference.frames.length);
        const start = this.#step - 2 * (count - 1);
        const limit = within + this.#slack / 2;
        if (start < 0 || this.#distance(candidate, start, count, limit) >= limit) continue;
        this.#startTracks(count, start);
        this.#choose(events, true);
        return;
      }
    }
    if (this.#onsetStep !== undefined && this.#activeMs >= unknownAfterMs) {
      this.#waiting = true;
      events.push({ type: 'promptUnknown', atMs: this.#nowMs });
    }
  }

  #distance({ reference }: Candidate, start: number, count: number, limit: number): number {
    return stretchDistance(reference, this, start, 0, count, gainOf(reference, this, start, 0, count), limit);
  }

  /** Follows every candidate that matches at about `start`, with the closest alignment of each. */
  #startTracks(count: number, start: number): void {
    const found: PromptTrack[] = [];
    for (const candidate of this.#candidates) {
      let best: PromptTrack | undefined;
      for (let near = Math.max(0, start - besideSteps); near <= start; near += 1) {
        const frames = Math.min(count, candidate.reference.frames.length);
        const distance = this.#distance(candidate, near, frames, best?.distance ?? Infinity);
        if (!best || distance < best.distance)
          best = new PromptTrack(candidate, near, distance, gainOf(candidate.reference, this, near, 0, frames));
      }
      if (best) found.push(best);
    }
    const least = Math.min(...found.map((track) => track.distance));
    this.#tracks = found.filter((track) => track.distance < least + besideMargin);
  }

  /** Drops tracks that don't match any more. */
  #follow(): void {
    for (const track of this.#tracks)
      if (!track.ended(this.#step) || track === this.#current) track.follow(this, this.#step);
    const least = Math.min(...this.#tracks.map((track) => track.distance));
    this.#tracks = this.#tracks.filter((track) => {
      const beyond = track.distance - lostBeyond - this.#slack;
      const beaten = track.distance >= lostBeside.least + this.#slack && track.distance >= least + lostBeside.margin;
      track.doubtSteps = beyond > 0 ? track.doubtSteps + 1 : 0;
      return !beaten && beyond < lostForSure && track.doubtSteps < lostAfterSteps;
    });
  }

  /** `isNew`: the tracks have just begun. If all of them are lost at once, this step would only find them again. */
  #choose(events: MatchEvent[], isNew = false): void {
    this.#follow();
    const [first, ...others] = this.#tracks.toSorted((a, b) => a.distance - b.distance);
    if (!first) {
      if (!isNew) this.#seek(events);
      return;
    }
    const sinceStartMs = (this.#step - first.start) * stepMs;
    const wait =
      (first.offsetMs !== undefined && first.soundMs(this.#step) < chooseRestAfterMs) ||
      (others.length > 0 &&
        (sinceStartMs < chooseAfterMs || others.some((other) => first.partsFrom(other, this.#step, waitFrames))));
    if (wait && !first.ended(this.#step)) return;
    this.#current = first;
    events.push({
      type: 'promptMatched',
      id: first.id,
      startMs: Math.max(0, this.#ms(first.start) - first.reference.leadMs),
      offsetMs: first.offsetMs,
      atMs: this.#nowMs,
    });
    this.#followCurrent(events);
  }

  #followCurrent(events: MatchEvent[]): void {
    const current = this.#current;
    if (!current) return;
    this.#follow();
    if (!this.#tracks.includes(current)) {
      this.#current = undefined;
      events.push({ type: 'promptBroken', id: current.id, atMs: this.#nowMs });
      // Another prompt with the same beginning may be playing.
      if (this.#tracks.length > 0) this.#choose(events);
      else this.#restart();
    } else if (current.ended(this.#step)) {
      this.#current = undefined;
      this.#tracks = [];
      this.#waiting = true;
      events.push({ type: 'promptEnded', id: current.id, atMs: this.#nowMs });
    }
  }
}

/** Returns the prompt that a recording contains from its first sound to its last, if it is one of these. */
export function recordedPromptIn(pcm: Int16Array, prompts: readonly ExpectedPrompt[]): string | undefined {
  const { firstMs, lastMs } = soundEdges(pcm);
  // Only prompts of the same length can match, so most recordings needn't be compared at all.
  const alike = prompts.filter(
    ({ fingerprint }) => Math.abs(promptMs(fingerprint) - (lastMs - firstMs)) <= lengthSlackMs,
  );
  return alike.length === 0 ? undefined : findPromptAtStart(pcm, alike);
}

export function beginsWith(pcm: Int16Array, fingerprint: Fingerprint): boolean {
  const { firstMs } = soundEdges(pcm);
  const beginning = pcm.subarray(0, Math.round((firstMs + promptMs(fingerprint) + lengthSlackMs) * 8));
  return findPromptAtStart(beginning, [{ id: 'beginning', fingerprint }]) !== undefined;
}

/** Returns the prompt with which a recording begins, whatever follows it. */
export function findPromptAtStart(pcm: Int16Array, prompts: readonly ExpectedPrompt[]): string | undefined {
  const { firstMs } = soundEdges(pcm);
  const edge = recordingEdgeMs * 8;
  const padded = new Int16Array(pcm.length + 2 * edge);
  padded.set(pcm, edge);
  let following: string | undefined;
  for (const event of new PromptMatcher(prompts).push(padded)) {
    if (event.type === 'promptMatched')
      following = event.startMs <= recordingEdgeMs + firstMs + startSlackMs ? event.id : undefined;
    else if (event.type === 'promptBroken') following = undefined;
    else if (event.type === 'promptEnded') return following === event.id ? event.id : undefined;
  }
  return undefined;
}

/** Returns which of these prompts a recording contains only the beginning of: the call ended during it. */
export function promptBegunIn(pcm: Int16Array, prompts: readonly ExpectedPrompt[]): string | undefined {
  const { firstMs, lastMs } = soundEdges(pcm);
  const longer = prompts.filter(({ fingerprint }) => promptMs(fingerprint) > lastMs - firstMs);
  const edge = recordingEdgeMs * 8;
  const padded = new Int16Array(edge + Math.round(lastMs * 8));
  padded.set(pcm.subarray(0, padded.length - edge), edge);
  let following: string | undefined;
  for (const event of new PromptMatcher(longer).push(padded)) {
    if (event.type === 'promptMatched') following = event.id;
    // The last frames can contain the end of the call.
    else if (event.type === 'promptBroken' && event.atMs < padded.length / 8 - brokenAtEndMs) following = undefined;
    else if (event.type === 'promptEnded') following = undefined;
  }
  return following;
}

/** Returns where the first sound begins and the last one ends. */
export function soundEdges(pcm: Int16Array): { readonly firstMs: number; readonly lastMs: number } {
  const frame = new SoundFrames(1);
  const isSound = (at: number): boolean => frame.describe(0, pcm, at) > quietDb;
  let first = 0,
    last = pcm.length - spectrumLength;
  while (first < last && !isSound(first)) first += stepSamples;
  while (last > first && !isSound(last)) last -= stepSamples;
  return { firstMs: first / 8, lastMs: (last + spectrumLength) / 8 };
}

/** Sound after the prompt makes the recording a different one. */
const lengthSlackMs = 600;
const recordingEdgeMs = 400;
/** The first sound of a recording can be a click before the prompt. */
const startSlackMs = 250;
const brokenAtEndMs = 100;
