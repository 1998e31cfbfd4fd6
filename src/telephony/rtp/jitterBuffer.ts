import type { AudioFrame } from '../call.ts';
import type { G711Law } from '../../base/g711.ts';
import { linearTable } from '../../base/g711.ts';
import type { Reception } from './rtcp.ts';

export const FRAME_SAMPLES = 160;
const SAMPLES_PER_MS = 8;
/** 1.024 s of audio, addressed by RTP timestamp; a power of two. */
const RING_SAMPLES = 8192;
const MASK = RING_SAMPLES - 1;
const INITIAL_DELAY_MS = 60;
const MIN_DELAY_MS = 40;
const MAX_DELAY_MS = 120;
/** The delay stays fixed until the jitter estimate has settled. */
const SETTLING_PACKETS = 50;
const MAX_DROPOUT = 3000;

interface JitterCounters {
  readonly received: number;
  readonly lost: number;
  readonly late: number;
  readonly concealed: number;
  readonly jitterMs: number;
}

const SEQUENCE_CYCLE = 0x10000;

/** Returns the signed difference a − b of two wrapping 32 bit timestamps. */
function timestampDifference(a: number, b: number): number {
  return (a - b) | 0;
}
/** Returns the signed difference a − b of two wrapping 16 bit sequence numbers. */
function sequenceDifference(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}

/**
 * Restores the remote clock: 20 ms frames in timestamp order, whatever the packets' own length. The delay is 60 ms for
 * the first second of packets, then follows the measured jitter between 40 and 120 ms. If too much is queued, frames
 * are delivered faster, never dropped, because the listeners are recognisers, not ears.
 */
export class JitterBuffer {
  readonly #samples = new Int16Array(RING_SAMPLES);
  readonly #filled = new Uint8Array(RING_SAMPLES);
  #started = false;
  #playing = false;
  /** The next sample to deliver. */
  #next = 0;
  /** One past the newest sample received. */
  #end = 0;
  #ssrc = 0;
  #candidate: { ssrc: number; sequence: number } | undefined;
  #baseSequence = 0;
  #highestSequence = 0;
  #cycles = 0;
  #receivedThisSource = 0;
  #lostEarlier = 0;
  #starvedTicks = 0;
  #concealedRun = 0;
  #last: Int16Array = new Int16Array(FRAME_SAMPLES);
  #received = 0;
  #late = 0;
  #concealed = 0;
  #jitter = 0;
  #transit: number | undefined;
  /** The newest packet is comfort noise, so the peer is silent until its next packet. */
  #isQuiet = false;

  /** The target delay, in milliseconds, a multiple of 20. */
  get targetDelayMs(): number {
    if (this.#received < SETTLING_PACKETS) return INITIAL_DELAY_MS;
    const wanted = 20 + 3 * (this.#jitter / SAMPLES_PER_MS);
    return Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, Math.ceil(wanted / 20) * 20));
  }

  /** Adds a voice packet that arrived at `now` (ms). False if it wasn't used: foreign source, duplicate, or late. */
  putAudio(
    packet: { sequence: number; timestamp: number; ssrc: number; payload: Uint8Array },
    law: G711Law,
    now: number,
  ): boolean {
    const { payload } = packet;
    if (payload.length === 0 || payload.length > RING_SAMPLES / 4) return false;
    if (!this.#admit(packet, payload.length, now)) return false;
    const table = linearTable(law);
    const skip = Math.max(0, -timestampDifference(packet.timestamp, this.#next));
    for (let i = skip; i < payload.length; i++) {
      const slot = (packet.timestamp + i) & MASK;
      this.#samples[slot] = table[payload[i] as number] as number;
      this.#filled[slot] = 1;
    }
    return true;
  }

  /** Accounts for a packet without audio (a telephone-event): its span plays as silence and isn't a loss. */
  putSilence(packet: { sequence: number; timestamp: number; ssrc: number }, samples: number, now: number): void {
    const span = Math.min(samples, RING_SAMPLES / 4);
    // An event's timestamp stays at its start, so it says nothing about transit time and can be older than the playout.
    if (!this.#started || packet.ssrc !== this.#ssrc) {
      if (!this.#admit(packet, span, now)) return;
    } else {
      this.#countSequence(packet.sequence);
    }
    const endDifference = timestampDifference(packet.timestamp + span, this.#end);
    if (Math.abs(endDifference) > RING_SAMPLES) return;
    if (endDifference > 0) this.#extendTo((packet.timestamp + span) >>> 0);
    this.#fillSilence(packet.timestamp, span);
  }

  /**
   * Adds a packet of comfort noise (RFC 3389): until the next packet, there is silence, which isn't a loss. It plays as
   * digital silence, because recognisers need no noise.
   */
  putNoise(packet: { sequence: number; timestamp: number; ssrc: number }, now: number): void {
    if (!this.#admit(packet, FRAME_SAMPLES, now)) return;
    this.#fillSilence(packet.timestamp, FRAME_SAMPLES);
    this.#isQuiet = packet.sequence === this.#highestSequence;
  }

  /** Fills what is empty of these samples and still to be played. */
  #fillSilence(from: number, samples: number): void {
    const skip = Math.max(0, -timestampDifference(from, this.#next));
    for (let i = skip; i < Math.min(samples, RING_SAMPLES); i++) {
      const slot = (from + i) & MASK;
      if (this.#filled[slot] === 0) {
        this.#filled[slot] = 1;
        this.#samples[slot] = 0;
      }
    }
  }

  /** Returns the frames due at one 20 ms tick: usually one, none while a packet is late, more when it catches up. */
  take(): AudioFrame[] {
    if (!this.#started) return [];
    const depth = timestampDifference(this.#end, this.#next) / SAMPLES_PER_MS;
    const target = this.targetDelayMs;
    if (!this.#playing) {
      // Counted from the first packet, not by the queue: packets that overtake others would shorten the delay.
      if (++this.#starvedTicks * 20 < target) return [];
      this.#playing = true;
      this.#starvedTicks = 0;
    }
    if (depth < 20) return this.#starve();
    const frames: AudioFrame[] = [];
    if (this.#complete() || depth >= target) frames.push(this.#shift());
    // Two ticks of slack keep ordinary jitter from speeding up the playout.
    while (timestampDifference(this.#end, this.#next) / SAMPLES_PER_MS > target + 40) frames.push(this.#shift());
    if (frames.length > 0) this.#starvedTicks = 0;
    return frames;
  }

  counters(): JitterCounters {
    return {
      received: this.#received,
      lost: this.#lostEarlier + this.#lostThisSource(),
      late: this.#late,
      concealed: this.#concealed,
      jitterMs: this.#jitter / SAMPLES_PER_MS,
    };
  }

  /** Undefined before the first packet. */
  reception(): Reception | undefined {
    if (!this.#started) return undefined;
    return {
      ssrc: this.#ssrc,
      highestSequence: this.#cycles + this.#highestSequence,
      expected: this.#expectedThisSource(),
      received: this.#receivedThisSource,
      jitter: Math.round(this.#jitter),
    };
  }

  /** Waits for a late packet, then continues with silence, so that listeners notice a peer that stopped. */
  #starve(): AudioFrame[] {
    this.#starvedTicks++;
    if (this.#isQuiet) this.#fillSilence(this.#next, FRAME_SAMPLES);
    else if (this.#starvedTicks * 20 <= MAX_DELAY_MS) return [];
    if (timestampDifference(this.#end, this.#next) < FRAME_SAMPLES) this.#extendTo((this.#next + FRAME_SAMPLES) >>> 0);
    return [this.#shift()];
  }

  #complete(): boolean {
    for (let i = 0; i < FRAME_SAMPLES; i++) if (this.#filled[(this.#next + i) & MASK] === 0) return false;
    return true;
  }

  #shift(): AudioFrame {
    const pcm = new Int16Array(FRAME_SAMPLES);
    let missing = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const slot = (this.#next + i) & MASK;
      if (this.#filled[slot] === 1) pcm[i] = this.#samples[slot] as number;
      else missing++;
      this.#filled[slot] = 0;
    }
    this.#next = (this.#next + FRAME_SAMPLES) >>> 0;
    if (missing === 0) {
      this.#last = pcm;
      this.#concealedRun = 0;
      return { pcm, concealed: false };
    }
    this.#concealed++;
    this.#concealedRun++;
    // Repeats the last frame, fading out over 60 ms: enough for recognisers, at far below the cost of G.711 appendix I.
    const gain = Math.max(0, 1 - this.#concealedRun / 3);
    if (missing === FRAME_SAMPLES) for (let i = 0; i < FRAME_SAMPLES; i++) pcm[i] = (this.#last[i] as number) * gain;
    return { pcm, concealed: true };
  }

  /** Checks source, sequence and timing. Returns true if the packet's samples belong in the ring. */
  #admit(packet: { sequence: number; timestamp: number; ssrc: number }, samples: number, now: number): boolean {
    if (!this.#started) {
      this.#restart(packet, false);
    } else if (packet.ssrc !== this.#ssrc) {
      // RFC 3550 appendix A.1: a new source is accepted at its second packet in sequence.
      const known = this.#candidate;
      this.#candidate = { ssrc: packet.ssrc, sequence: packet.sequence };
      if (known?.ssrc !== packet.ssrc || sequenceDifference(packet.sequence, known.sequence) !== 1) return false;
      this.#restart(packet, true);
    }
    this.#candidate = undefined;
    const ahead = sequenceDifference(packet.sequence, this.#highestSequence);
    if (this.#isQuiet && ahead === 1) this.#fillSilence(this.#end, timestampDifference(packet.timestamp, this.#end));
    this.#countSequence(packet.sequence);
    this.#measureJitter(packet.timestamp, now);

    const offset = timestampDifference(packet.timestamp, this.#next);
    if (offset + samples > RING_SAMPLES || offset < -MAX_DROPOUT * FRAME_SAMPLES) {
      // The remote clock jumped: continue from its current time.
      this.#rebase(packet.timestamp);
    } else if (offset + samples <= 0 || (offset < 0 && ahead > 0)) {
      this.#late++;
      if (ahead <= 0) return false;
      // In sequence but behind the playout: the peer paused while silence continued here.
      this.#rebase(packet.timestamp);
    } else if (offset < 0 && this.#filled[this.#next & MASK] === 1) {
      return false;
    }
    const end = (packet.timestamp + samples) >>> 0;
    if (timestampDifference(end, this.#end) > 0) this.#extendTo(end);
    return true;
  }

  #restart(packet: { sequence: number; timestamp: number; ssrc: number }, keepPlaying: boolean): void {
    this.#lostEarlier += this.#lostThisSource();
    this.#ssrc = packet.ssrc;
    this.#baseSequence = packet.sequence;
    this.#highestSequence = packet.sequence;
    this.#cycles = 0;
    this.#receivedThisSource = 0;
    this.#transit = undefined;
    this.#isQuiet = false;
    this.#started = true;
    if (!keepPlaying) this.#playing = false;
    this.#rebase(packet.timestamp);
  }

  #rebase(timestamp: number): void {
    this.#filled.fill(0);
    this.#next = timestamp;
    this.#end = timestamp;
  }

  #extendTo(end: number): void {
    this.#end = end;
  }

  #countSequence(sequence: number): void {
    this.#received++;
    this.#receivedThisSource++;
    const ahead = sequenceDifference(sequence, this.#highestSequence);
    if (ahead <= 0) return;
    if (sequence < this.#highestSequence) this.#cycles += SEQUENCE_CYCLE;
    this.#highestSequence = sequence;
    this.#isQuiet = false;
  }

  #lostThisSource(): number {
    if (!this.#started) return 0;
    return Math.max(0, this.#expectedThisSource() - this.#receivedThisSource);
  }

  #expectedThisSource(): number {
    return this.#cycles + this.#highestSequence - this.#baseSequence + 1;
  }

  /** RFC 3550 section 6.4.1, in timestamp units. */
  #measureJitter(timestamp: number, now: number): void {
    const transit = (Math.round(now * SAMPLES_PER_MS) - timestamp) | 0;
    if (this.#transit !== undefined) {
      const difference = Math.abs((transit - this.#transit) | 0);
      // A jump of a second is a pause or a new clock, not jitter.
      if (difference < 8000) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}
