import type { SoundClass } from './ear.ts';
import { frameMs } from './segmenter.ts';
import { toneFrame } from './toneFrame.ts';
import type { ToneFrame } from './toneFrame.ts';

export interface SoundEvent {
  readonly type: 'sound';
  readonly sound: SoundClass;
  readonly sinceMs: number;
  readonly atMs: number;
}

type ToneKind = 'low' | 'busy' | 'pure';

/** A span with one steady tone. */
interface Burst {
  readonly kind: ToneKind;
  readonly hz: number;
  readonly sinceMs: number;
  untilMs: number;
  /** The power of its frames: all together, and the strongest one. */
  power: number;
  fullPower: number;
}

interface HeardFrame {
  readonly frame: ToneFrame;
  readonly quiet: boolean;
  readonly speech: boolean;
  readonly isTone: boolean;
}

const lengthOf = ({ sinceMs, untilMs }: Burst): number => untilMs - sinceMs;
const levelOf = (burst: Burst): number => 10 * Math.log10(burst.fullPower);
/** A tone can fill its first and last frame only in part, so their power says how long a short one sounds. */
const isTone = (burst: Burst): boolean =>
  lengthOf(burst) - 2 * frameMs >= shortestToneMs || (burst.power / burst.fullPower) * frameMs >= shortestToneMs;

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
/** The pause of a busy tone is quieter than the tone by at least this much. In music, other notes sound there. */
const pauseDb = 10;
/** The pitch in whole tones of a scale: the two frequencies of a ringback tone are at most one apart. */
const pitchOf = (hz: number): number => Math.round(6 * Math.log2(hz / 440));
/** Signals of a telephone line have up to three frequencies. A melody has more notes, each of some frames. */
const linePitches = 3;
const noteFrames = 3;
const near = (value: number, aim: number, tolerance: number): boolean => Math.abs(value - aim) <= tolerance;

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
    const power = 10 ** (frame.level / 10);
    if (burst && kind === burst.kind && (kind !== 'pure' || near(frame.peakHz, burst.hz, 14))) {
      burst.untilMs = this.#nowMs;
      burst.power += power;
      burst.fullPower = Math.max(burst.fullPower, power);
      this.#judgeRunning(burst);
      return;
    }
    if (burst) {
      // One odd frame is an edge or a lost packet.
      if (this.#nowMs - burst.untilMs <= frameMs) return;
      if (isTone(burst)) this.#ended.push(burst);
      this.#burst = undefined;
    }
    if (kind) this.#burst = { kind, hz: frame.peakHz, sinceMs: startMs, untilMs: this.#nowMs, power, fullPower: power };
  }

  #judgeRunning(burst: Burst): void {
    const length = lengthOf(burst);
    if (burst.kind === 'low' && length >= 850) this.#tell('ringback', burst.sinceMs);
    if (burst.kind === 'pure' && near(burst.hz, 2100, 20) && length >= 900) this.#tell('fax', burst.sinceMs);
    if (burst.kind === 'pure' && isBeepHz(burst.hz) && length >= 1500) this.#tell('beep', burst.sinceMs);
    if (burst.kind !== 'pure' && length >= 150) this.#judgeCadence(burst);
  }

  /** Two bursts of one tone: the gap and their lengths distinguish ringback from busy. */
  #judgeCadence(burst: Burst): void {
    const previous = this.#ended.at(-1);
    if (previous?.kind !== burst.kind) return;
    const on = lengthOf(previous);
    const off = burst.sinceMs - previous.untilMs;
    const isPause = this.#between(previous.untilMs, burst.sinceMs)
      .slice(1, -1)
      .every(({ frame }) => frame.level < levelOf(previous) - pauseDb);
    if (!isPause) return;
    const british = burst.kind === 'low' && near(on, 400, 90) && near(off, 200, 75);
    if (british && lengthOf(burst) >= 290) this.#tell('ringback', previous.sinceMs);
    else if (!british && on <= 640 && off >= 130 && off <= 640 && Math.abs(on - off) <= 200)
      this.#tell('busy', previous.sinceMs);
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
    } else if (last.kind === 'low' && gap > 760 && idle) {
      // There was no second burst, so it was neither a busy tone nor a double ring.
      if (this.#isAlone(last) && this.#reported !== 'ringback' && this.#reported !== 'busy')
        this.#tellBeep(last, quiet);
      this.#ended = [];
    } else if (gap > 2500) {
      this.#ended = [];
    }
  }

  /** A single pure tone: the calling tone of a fax, or a beep. */
  #judgePure(last: Burst, gap: number, quiet: boolean): void {
    if (!this.#isAlone(last)) return;
    const length = lengthOf(last);
    if (near(last.hz, 1100, 25) && near(length, 500, 90)) this.#tell('fax', last.sinceMs);
    else if (isBeepHz(last.hz) && (quiet || gap > 160) && !this.#inMusic(last.sinceMs)) this.#tellBeep(last, quiet);
  }

  #tellBeep(tone: Burst, quiet: boolean): void {
    if (lengthOf(tone) >= clearBeepMs) this.#tell('beep', tone.sinceMs);
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
    const isSit = close && near(a.hz, 950, 60) && near(b.hz, 1400, 60) && near(c.hz, 1780, 50);
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
  if (frame.busyShare >= purity && frame.busyWeaker >= 0.12 && !isPure) return 'busy';
  if (frame.lowShare >= purity) return 'low';
  return isPure ? 'pure' : undefined;
}
