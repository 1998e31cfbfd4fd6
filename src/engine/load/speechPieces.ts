import { AudioTape } from '../../speech/audioTape.ts';
import { Segmenter, type SegmentEvent } from '../../speech/segmenter.ts';

/** Samples of a frame of the segmenter at 8 kHz. */
const frame = 256;
/** Quieter audio is never speech: −42 dBFS. */
const quietestDb = -42;
const aboveNoiseDb = 10;
/** The noise level rises by this much a frame, because a line can become noisier. */
const noiseRiseDb = 0.02;

/** A shorter sound isn't recognised alone, so it belongs to what follows it. */
const shortestPieceMs = 250;

/** Speech between two short pauses, before the `pause` or `end` that shows that it is over. */
export type PieceEvent = SegmentEvent | { readonly type: 'piece'; readonly startMs: number; readonly endMs: number };

interface PieceHandlers {
  /** `speech`: 1 or 0. */
  readonly onFrame?: (pcm: Int16Array, speech: number) => void;
  /** Called while the tape still has the audio of the event. */
  readonly onEvent: (event: PieceEvent) => void;
}

/**
 * Divides audio into utterances, and these into pieces, by its level alone: the same each time for the same audio. The
 * silence between two prompts depends on the load of the called side, and may join or separate utterances, but the
 * pieces stay the same. 8 kHz, 16 bit, mono; times are milliseconds since the first sample.
 */
export class SpeechPieces {
  readonly tape = new AudioTape();
  readonly #segmenter = new Segmenter();
  /** The current frame; reused, because each call has thirty a second. */
  readonly #frame = new Int16Array(frame);
  #filled = 0;
  #done = 0;
  #noiseDb = quietestDb;
  #pieceStartMs: number | undefined;

  /** Everything before this time has been divided. */
  get heardMs(): number {
    return this.#done / 8;
  }

  push(pcm: Int16Array, { onFrame, onEvent }: PieceHandlers): void {
    this.tape.append(pcm);
    let taken = 0;
    while (taken < pcm.length) {
      const part = pcm.subarray(taken, taken + frame - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled < frame) break;
      this.#filled = 0;
      this.#done += frame;
      const speech = this.#isSpeech(this.#frame) ? 1 : 0;
      onFrame?.(this.#frame, speech);
      for (const event of this.#segmenter.feed(speech)) for (const part of this.#withPieces(event)) onEvent(part);
    }
    this.tape.forgetBefore(Math.min(this.#done, (this.#segmenter.runningSinceMs ?? Infinity) * 8) - marginSamples);
  }

  /** The audio ends here. */
  finish(): PieceEvent[] {
    return this.#segmenter.finish().flatMap((event) => this.#withPieces(event));
  }

  #withPieces(event: SegmentEvent): PieceEvent[] {
    if (event.type === 'start') this.#pieceStartMs = event.startMs;
    if (event.type === 'resume') this.#pieceStartMs ??= event.atMs;
    const startMs = this.#pieceStartMs;
    const isOver =
      startMs !== undefined &&
      (event.type === 'end' || (event.type === 'pause' && event.endMs - startMs >= shortestPieceMs));
    if (!isOver) return [event];
    this.#pieceStartMs = undefined;
    return [{ type: 'piece', startMs, endMs: event.endMs }, event];
  }

  #isSpeech(pcm: Int16Array): boolean {
    let sum = 0;
    for (const sample of pcm) sum += sample * sample;
    const level = 10 * Math.log10(sum / pcm.length / 32_768 ** 2 + 1e-12);
    this.#noiseDb = Math.min(this.#noiseDb + noiseRiseDb, Math.max(level, -96));
    return level >= Math.max(quietestDb, this.#noiseDb + aboveNoiseDb);
  }
}

/** An utterance is known to be over up to this much after its end. */
const marginSamples = 16_000;
