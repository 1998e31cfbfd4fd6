import type { SoundClass } from './ear.ts';
import { toneOfCadence, type ToneBand } from './lineTones.ts';
import { frameMs } from './segmenter.ts';
import { toneFrame } from './toneFrame.ts';
import type { ToneFrame } from './toneFrame.ts';

export interface SoundEvent {
  readonly type: 'sound';
  readonly sound: SoundClass;
  readonly sinceMs: number;
  readonly atMs: number;
}

type ToneKind = ToneBand | 'pure';

interface HeardFrame {
  readonly frame: ToneFrame;
  readonly quiet: boolean;
  readonly speech: boolean;
  readonly isTone: boolean;
}

const purity = 0.9;
const quietDb = -48;
/** A tone stands out where other sounds count as silence: the weakest level of one, and how far above the noise. */
const quietToneDb = -60;
const toneAboveNoiseDb = 8;
/** The tones that start a recording. */
const beepHz = [380, 1650] as const;
const isBeepHz = (hz: number): boolean => hz >= beepHz[0] && hz <= beepHz[1];
/** A shorter tone is a click or a chirp. */
const shortestToneMs = 120;
/** A shorter tone can be anything else, such as a chime, unless the words before it announce a recording. */
const clearBeepMs = 235;
/** Tones with a longer gap between them don't belong together. */
const aloneMs = 600;
const musicWindow = Math.round(2400 / frameMs);
/** The pause of a tone is quieter than the tone by at least this much. */
const pauseDb = 10;
/** As many tones of a cadence as any row of the table has before it repeats, and one more. */
const longestCadence = 5;
/** The longest pause of a tone in `lineTones`, with its tolerance: a single tone has no cadence. */
const longestPauseMs = 900;
/** Shorter than all tones that ring only once at a time. */
const singleRingMs = 850;
/** The least of a second tone that shows a cadence. */
const secondToneMs = 150;
/** The pitch in whole tones of a scale: the two frequencies of a ringback tone are at most one apart. */
const pitchOf = (hz: number): number => Math.round(6 * Math.log2(hz / 440));
/** Signals of a telephone line have up to three frequencies. A melody has more notes, each of some frames. */
const linePitches = 3;
const noteFrames = 3;
const near = (value: number, aim: number, tolerance: number): boolean => Math.abs(value - aim) <= tolerance;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A span with one steady tone. */
class Burst {
  readonly kind: ToneKind;
  readonly hz: number;
  readonly #frames: ToneFrame[] = [];
  readonly #sinceMs: number;
  readonly #before: number;
  /** The power of the frame after the last one. */
  after = 0;
  untilMs: number;

  /** @param before the power of the frame before it */
  constructor(kind: ToneKind, frame: ToneFrame, startMs: number, before: number) {
    this.kind = kind;
    this.hz = frame.peakHz;
    this.#sinceMs = startMs;
    this.#before = before;
    this.untilMs = startMs;
    this.add(frame, startMs + frameMs);
  }

  add(frame: ToneFrame, untilMs: number): void {
    this.untilMs = untilMs;
    this.after = 0;
    // Enough for the longest tone that ends.
    if (this.#frames.length > 100) this.#frames.shift();
    this.#frames.push(frame);
  }

  /** A tone can fill its first and last frames, and those beside them, only in part. Their power says how much. */
  #part(power: number): number {
    const inner = this.#frames.length > 2 ? this.#frames.slice(1, -1) : this.#frames;
    return Math.min(1, power / Math.max(1, median(inner.map((frame) => frame.power)))) * frameMs;
  }
  /** A frame beside the tone that is as loud is another sound. */
  #edge(power: number): number {
    const part = this.#part(power);
    return part < frameMs ? part : 0;
  }
  get sinceMs(): number {
    return this.#sinceMs + frameMs - this.#edge(this.#before) - this.#part(this.#frames[0]?.power ?? 0);
  }
  get endMs(): number {
    return this.untilMs - frameMs + this.#part(this.#frames.at(-1)?.power ?? 0) + this.#edge(this.after);
  }
  get length(): number {
    return this.endMs - this.sinceMs;
  }
  get level(): number {
    return Math.max(...this.#frames.map(({ level }) => level));
  }
  get centreHz(): number {
    return median(this.#frames.map(({ lowHz }) => lowHz));
  }
  /** Two frequencies close together make the level rise and fall. */
  get beats(): boolean {
    const levels = this.#frames.slice(1, -1).map(({ level }) => level);
    return Math.max(...levels) - Math.min(...levels) > beatDb;
  }
}

const beatDb = 4;

/**
 * Distinguishes a telephone line's sounds (tones of ITU-T E.180 and E.182, special information tones of E.180 Annex,
 * T.30 fax tones), one frame of 256 samples at a time. Pure: time is the count of frames. A sound is reported once, and
 * again after speech or another sound.
 */
export class SoundClassifier {
  #nowMs = 0;
  #floor = quietDb;
  #quietSinceMs: number | undefined;
  #silencesTold = 0;
  #burst: Burst | undefined;
  /** Ended bursts that can still become a cadence, a SIT or a beep. */
  #ended: Burst[] = [];
  #reported: SoundClass | undefined;
  #spokenMs = 0;
  readonly #recent: HeardFrame[] = [];
  #events: SoundEvent[] = [];

  /** @param speech the probability that the frame is speech */
  feed(pcm: Int16Array, speech: number): SoundEvent[] {
    this.#events = [];
    const frame = toneFrame(pcm);
    const startMs = this.#nowMs;
    this.#nowMs += frameMs;
    this.#floor = Math.min(Math.max(frame.level, -90), this.#floor + 0.1, -41);
    const quiet = frame.level < Math.max(quietDb, this.#floor + 5);
    this.#followSilence(quiet, startMs);
    const kind = frame.level < Math.max(quietToneDb, this.#floor + toneAboveNoiseDb) ? undefined : kindOf(frame);
    // Voice activity ends late, so a tone directly after words seems to be speech.
    if (kind === undefined) this.#followSpeech(speech);
    this.#followBurst(kind, frame, startMs);
    this.#judgeCadence();
    this.#judgeEnded(quiet);
    this.#recent.push({ frame, quiet, speech: speech >= 0.5, isTone: kind !== undefined });
    if (this.#recent.length > musicWindow) this.#recent.shift();
    this.#judgeMusic();
    return this.#events;
  }

  #tell(sound: SoundClass, sinceMs: number): void {
    if (sound === this.#reported) return;
    this.#reported = sound;
    this.#events.push({ type: 'sound', sound, sinceMs, atMs: this.#nowMs });
  }

  #followSilence(quiet: boolean, startMs: number): void {
    if (!quiet) {
      this.#quietSinceMs = undefined;
      return;
    }
    if (this.#quietSinceMs === undefined) {
      this.#quietSinceMs = startMs;
      this.#silencesTold = 0;
    }
    if (this.#nowMs - this.#quietSinceMs >= (this.#silencesTold + 1) * 1000) {
      this.#silencesTold += 1;
      this.#events.push({ type: 'sound', sound: 'silence', sinceMs: this.#quietSinceMs, atMs: this.#nowMs });
    }
  }

  #followSpeech(speech: number): void {
    this.#spokenMs = speech >= 0.5 ? this.#spokenMs + frameMs : 0;
    if (this.#spokenMs < 200) return;
    // Earlier sounds are over; the same sound is reported again.
    this.#reported = undefined;
    this.#ended = [];
  }

  #followBurst(kind: ToneKind | undefined, frame: ToneFrame, startMs: number): void {
    const burst = this.#burst;
    if (burst && kind === burst.kind && (kind !== 'pure' || near(frame.peakHz, burst.hz, 14))) {
      burst.add(frame, this.#nowMs);
      this.#judgeRunning(burst);
      return;
    }
    if (burst) {
      // One odd frame is an edge or a lost packet.
      if (this.#nowMs - burst.untilMs <= frameMs) {
        burst.after = frame.power;
        return;
      }
      if (burst.length >= shortestToneMs) this.#ended.push(burst);
      this.#burst = undefined;
    }
    if (kind) this.#burst = new Burst(kind, frame, startMs, this.#recent.at(-1)?.frame.power ?? 0);
  }

  #judgeRunning({ kind, hz, length, sinceMs }: Burst): void {
    if (kind !== 'pure') return;
    if (near(hz, 2100, 20) && length >= 900) this.#tell('fax', sinceMs);
    if (isBeepHz(hz) && length >= 1500) this.#tell('beep', sinceMs);
  }

  /** Compares the last tones with those of all countries, without the oldest ones if they don't fit. */
  #judgeCadence(): void {
    const running = this.#burst;
    const last = running ?? this.#ended.at(-1);
    if (!last || last.kind === 'pure') return;
    for (let bursts = this.#cadence(last); bursts.length > 0; bursts = bursts.slice(1)) {
      const shortest = bursts.length === 1 ? singleRingMs : secondToneMs;
      if (last.length < shortest) return;
      const spans = bursts.flatMap((burst, at) => {
        const before = bursts[at - 1];
        return before ? [burst.sinceMs - before.endMs, burst.length] : [burst.length];
      });
      const tone = toneOfCadence({
        band: last.kind,
        hz: last.centreHz,
        beats: last.beats,
        spans: running ? spans : [...spans, this.#nowMs - last.endMs],
      });
      if (tone) return this.#tell(tone, bursts[0]?.sinceMs ?? last.sinceMs);
    }
  }

  /** The tones of one kind up to this one, with pauses between them. In music, other notes sound there. */
  #cadence(last: Burst): Burst[] {
    const bursts = [last];
    for (const before of this.#ended.filter((burst) => burst !== last).toReversed()) {
      const next = bursts[0] ?? last;
      const between = this.#between(before.untilMs, next.sinceMs).slice(1, -1);
      const isPause = between.every(({ frame }) => frame.level < before.level - pauseDb);
      if (before.kind !== last.kind || !isPause || bursts.length === longestCadence) break;
      bursts.unshift(before);
    }
    return bursts;
  }

  #judgeEnded(quiet: boolean): void {
    if (this.#judgeSit()) return;
    const last = this.#ended.at(-1);
    if (!last) return;
    const gap = this.#nowMs - last.untilMs;
    const idle = this.#burst === undefined;
    if (last.kind === 'pure' && gap > 100 && idle) {
      this.#judgePure(last, gap, quiet);
      if (gap > aloneMs) this.#ended = [];
    } else if (last.kind === 'low' && gap > longestPauseMs && idle) {
      // There was no second burst, so it was neither a busy tone nor a double ring.
      if (this.#ended.length === 1 && !this.#isLineTone) this.#tellBeep(last, quiet);
      this.#ended = [];
    } else if (gap > 2500) {
      this.#ended = [];
    }
  }

  /** A single pure tone: the calling tone of a fax, or a beep. */
  #judgePure(last: Burst, gap: number, quiet: boolean): void {
    if (!this.#isAlone(last)) return;
    if (near(last.hz, 1100, 38) && near(last.length, 500, 90)) this.#tell('fax', last.sinceMs);
    else if (isBeepHz(last.hz) && (quiet || gap > 160) && !this.#inMusic(last.sinceMs)) this.#tellBeep(last, quiet);
  }

  get #isLineTone(): boolean {
    return this.#reported === 'ringback' || this.#reported === 'busy' || this.#reported === 'dial';
  }

  #tellBeep(tone: Burst, quiet: boolean): void {
    if (tone.length >= clearBeepMs) this.#tell('beep', tone.sinceMs);
    // Another note makes it a chime.
    else if (quiet && this.#nowMs - tone.untilMs > aloneMs) this.#tell('shortBeep', tone.sinceMs);
  }

  #isAlone(last: Burst): boolean {
    const before = this.#ended.at(-2);
    return !before || last.sinceMs - before.untilMs > aloneMs;
  }

  /** Three rising tones, close to each other. */
  #judgeSit(): boolean {
    const [a, b, c] = this.#ended.slice(-3);
    if (!a || !b || !c) return false;
    const close = b.sinceMs - a.untilMs <= 100 && c.sinceMs - b.untilMs <= 100;
    const isSit = close && near(a.hz, 950, 65) && near(b.hz, 1400, 65) && near(c.hz, 1800, 75);
    if (!isSit) return false;
    this.#tell('sit', a.sinceMs);
    this.#ended = [];
    return true;
  }

  /** Sound directly before a tone makes it a note rather than a beep. */
  #inMusic(sinceMs: number): boolean {
    const before = this.#between(sinceMs - 18 * frameMs, sinceMs - 2 * frameMs);
    return before.filter((entry) => !entry.quiet && !entry.speech).length >= 6;
  }

  /** The frames of a span before the current frame. */
  #between(fromMs: number, toMs: number): HeardFrame[] {
    const indexOf = (ms: number): number => Math.max(0, this.#recent.length + 1 + (ms - this.#nowMs) / frameMs);
    return this.#recent.slice(indexOf(fromMs), indexOf(toMs));
  }

  /** A tone of a telephone line keeps its frequencies. */
  #isMelody(): boolean {
    const frames = new Map<number, number>();
    for (const { frame, isTone } of this.#recent) {
      const pitch = pitchOf(frame.peakHz);
      if (isTone) frames.set(pitch, (frames.get(pitch) ?? 0) + 1);
    }
    return [...frames.values()].filter((count) => count >= noteFrames).length > linePitches;
  }

  #judgeMusic(): void {
    const recent = this.#recent;
    if (recent.length < musicWindow || this.#reported === 'music') return;
    const share = (test: (entry: HeardFrame) => boolean): number => recent.filter(test).length / recent.length;
    const sounding = share((entry) => !entry.quiet);
    if (sounding < 0.8 || share((entry) => entry.speech) > 0.12) return;
    if (share((entry) => entry.isTone) > 0.5 && !this.#isMelody()) return;
    if (share((entry) => !entry.quiet && entry.frame.flatness < -9) < 0.6) return;
    const first = recent.findIndex((entry) => !entry.quiet);
    this.#tell('music', this.#nowMs - (recent.length - first) * frameMs);
  }
}

function kindOf(frame: ToneFrame): ToneKind | undefined {
  const isPure = frame.peakShare >= purity;
  // One tone between the two of the busy tone has a share in the bands of both.
  if (frame.wideShare >= purity && frame.wideWeaker >= 0.12 && !isPure) return 'wide';
  if (frame.lowShare >= purity) return 'low';
  return isPure ? 'pure' : undefined;
}
