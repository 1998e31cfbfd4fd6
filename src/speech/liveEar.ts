import { Listeners } from '../base/listeners.ts';
import { AudioTape } from './audioTape.ts';
import type { Ear, EarEvent, ExpectedPrompt, Utterance } from './ear.ts';
import { hasMaybeOffer, isMenuSoFar } from './keys/menuSoFar.ts';
import { KnownAudio } from './knownAudio.ts';
import { PromptMatcher } from './promptMatcher.ts';
import type { RecognitionJob, RecognitionQueue } from './recognitionQueue.ts';
import { Segmenter, toEarEvent } from './segmenter.ts';
import type { SegmentEvent } from './segmenter.ts';
import { SoundClassifier } from './soundClassifier.ts';
import { WorkerDied } from './workerHandle.ts';
import type { SpeechWorker } from './workerHandle.ts';
import type { Recognition } from './workerProtocol.ts';

const samplesPerMs = 8;
/** Samples of a voice activity frame. */
const frame = 256;
/** The maximum number of frames in one message, so that other calls don't wait long. */
const framesAMessage = 64;
const paddingMs = 200;
/** The rest of an utterance beside known audio is recognised from this length. */
const minMs = 250;
const lookBackMs = 240;
/** A prompt that began at a cut is compared from its beginning if the cut was less than this long ago. */
const recentCutMs = 1000;

/** How many pieces wait for the rest of their menu. */
const maxUndecided = 10;

/** An utterance whose last words may be an offer with a key that wasn't recognised. */
interface Undecided {
  readonly piece: Piece;
  readonly utterance: Utterance;
  /** What was offered before its end. */
  readonly after: readonly string[];
}

interface Options {
  readonly id: number;
  /** Finds speech; slower recognition has its own workers. */
  readonly listener: SpeechWorker;
  readonly queue: RecognitionQueue;
  /** Whether text is wanted at each pause, before the utterance is over. */
  readonly early: boolean;
  readonly onFailure: (error: unknown) => void;
  readonly onClose: () => void;
}

/** Audio that is being recognised; `fromMs` is the time of its first sample. */
interface Piece {
  readonly fromMs: number;
  readonly pcm: Int16Array;
  readonly job: RecognitionJob;
}

/** Prompts are matched as samples arrive; voice activity, sounds and utterances follow when the worker responds. */
export class LiveEar implements Ear {
  readonly #options: Options;
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #tape = new AudioTape();
  readonly #segmenter = new Segmenter();
  readonly #sounds = new SoundClassifier();
  readonly #known = new KnownAudio();
  #matcher: PromptMatcher | undefined;
  #expected: readonly ExpectedPrompt[] = [];
  #detected = 0;
  #pumping: Promise<void> | undefined;
  #flushTo = 0;
  readonly #cuts: number[] = [];
  #cutMs = -Infinity;
  #lastEndMs = 0;
  #early: (Piece & { readonly startMs: number; readonly endMs: number }) | undefined;
  #delivery: Promise<void> = Promise.resolve();
  #undecided: Undecided[] = [];
  #failing = false;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get heardMs(): number {
    return this.#detected / samplesPerMs;
  }

  push(pcm: Int16Array): void {
    if (this.#closed || pcm.length === 0) return;
    for (const event of this.#matcher?.push(pcm) ?? []) {
      this.#known.follow(event);
      if (event.type !== 'onset') this.#emit(event);
    }
    this.#tape.append(pcm);
    this.#pumping ??= this.#pump();
  }

  expect(prompts: readonly ExpectedPrompt[], options: { readonly recognise?: boolean } = {}): void {
    const same =
      this.#matcher !== undefined &&
      prompts.length === this.#expected.length &&
      prompts.every(({ fingerprint }, index) => fingerprint === this.#expected[index]?.fingerprint);
    if (!same) {
      this.#expected = prompts;
      // A very recent beginning isn't lost.
      const from = Math.max(0, Math.round(this.#compareFromMs * samplesPerMs));
      this.#matcher = prompts.length > 0 ? new PromptMatcher(prompts, from) : undefined;
      this.#matcher?.push(this.#tape.slice(from, this.#tape.end));
    }
    this.#known.expect(this.#matcher !== undefined && options.recognise === false, this.#tape.end / samplesPerMs);
  }

  listen(listener: (event: EarEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  cut(atMs = this.#tape.end / samplesPerMs): void {
    this.#cutMs = atMs;
    this.#known.cut(atMs);
    if (atMs >= this.heardMs) this.#cuts.push(atMs * samplesPerMs);
    else {
      for (const event of this.#segmenter.splitAt(atMs)) this.#follow(event);
      this.#lastEndMs = Math.max(this.#lastEndMs, atMs);
    }
    this.#options.queue.newPrompt(this.#options.id);
    this.#undecided = [];
  }

  get #compareFromMs(): number {
    const nowMs = this.#tape.end / samplesPerMs;
    return this.#cutMs > nowMs - recentCutMs ? this.#cutMs : nowMs - lookBackMs;
  }

  async flush(): Promise<void> {
    if (this.#closed) return;
    this.#flushTo = this.#tape.end;
    this.#pumping ??= this.#pump();
    await this.settled();
    for (const event of this.#segmenter.finish()) this.#follow(event);
    await this.#delivery;
  }

  /** Resolves when all samples so far have been through voice activity detection. */
  async settled(): Promise<void> {
    while (this.#pumping) await this.#pumping;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#early?.job.cancel();
    this.#listeners.clear();
    this.#options.queue.forget(this.#options.id);
    if (this.#options.listener.running)
      this.#options.listener.start('forgetStream', { stream: this.#options.id }).result.catch(() => undefined);
    this.#options.onClose();
  }

  #emit(event: EarEvent): void {
    this.#listeners.tell(event);
  }

  async #pump(): Promise<void> {
    await Promise.resolve();
    while (!this.#closed) {
      const ready = Math.max(0, Math.floor((this.#tape.end - this.#detected) / frame));
      const rest = this.#detected < this.#flushTo && ready === 0;
      if (ready === 0 && !rest) break;
      const length = Math.min(Math.max(ready, 1), framesAMessage) * frame;
      const pcm = new Int16Array(length);
      pcm.set(this.#tape.slice(this.#detected, this.#detected + length));
      const probabilities = await this.#detect(pcm);
      if (!probabilities) break;
      // A flush can end inside a frame; the samples after it start the next one, so frames follow sample numbers.
      this.#detected += length;
      probabilities.forEach((probability, index) => {
        if (this.#cutBefore(this.#detected - length + index * frame))
          for (const event of this.#segmenter.finish()) this.#follow(event);
        this.#hear(probability, pcm.subarray(index * frame, (index + 1) * frame));
      });
      this.#tape.forgetBefore(
        Math.max(0, Math.min(this.#detected, (this.#segmenter.runningSinceMs ?? Infinity) * samplesPerMs) - 8000),
      );
    }
    this.#pumping = undefined;
  }

  #cutBefore(sample: number): boolean {
    const due = (this.#cuts[0] ?? Infinity) <= sample;
    if (due) this.#cuts.shift();
    return due;
  }

  /** Without a worker, the audio counts as silence; undefined once the ear is closed. */
  async #detect(pcm: Int16Array): Promise<Float32Array | undefined> {
    try {
      const probabilities = await this.#options.listener.start('detect', { stream: this.#options.id, pcm }).result;
      this.#failing = false;
      return this.#closed ? undefined : probabilities;
    } catch (error) {
      if (this.#closed) return undefined;
      if (!(error instanceof WorkerDied) && !this.#failing) {
        this.#failing = true;
        this.#options.onFailure(error);
      }
      for (const event of this.#segmenter.finish())
        if (event.type === 'end') this.#deliver(event.startMs, event.endMs, undefined);
      return new Float32Array(pcm.length / frame);
    }
  }

  #hear(probability: number, pcm: Int16Array): void {
    for (const event of this.#sounds.feed(pcm, probability)) this.#emit(event);
    for (const event of this.#segmenter.feed(probability)) this.#follow(event);
  }

  #follow(event: SegmentEvent): void {
    if (event.type === 'end') {
      this.#end(event.startMs, event.endMs);
      return;
    }
    if (event.type === 'resume') this.#early?.job.makePartial();
    this.#emit(toEarEvent(event));
    if (event.type === 'pause') this.#startEarly(event.startMs, event.endMs);
  }

  /** Sends the part of the utterance that isn't known already; undefined if there is none. */
  #submit(startMs: number, endMs: number, urgency: 'final' | 'early'): Piece | undefined {
    const unknownMs = this.#known.unknownPart(startMs, endMs, urgency === 'final');
    if (unknownMs === undefined || (unknownMs > startMs && endMs - unknownMs < minMs)) return undefined;
    const fromMs = Math.max(unknownMs - (unknownMs > startMs ? 0 : paddingMs), this.#lastEndMs, 0);
    const pcm = this.#tape.slice(fromMs * samplesPerMs, (endMs + paddingMs) * samplesPerMs);
    return { fromMs, pcm, job: this.#options.queue.submit(this.#options.id, pcm, urgency) };
  }

  /** Recognises the utterance up to a pause, if a worker is free; the utterance may be over, or continue. */
  #startEarly(startMs: number, endMs: number): void {
    if (!this.#options.early || this.#early?.job.running === true || !this.#options.queue.idle) return;
    this.#early = undefined;
    const piece = this.#submit(startMs, endMs, 'early');
    if (!piece) return;
    const { job } = piece;
    this.#early = { ...piece, startMs, endMs };
    void job.result
      .then(({ text }) => {
        const current = job === this.#early?.job;
        if (!this.#closed && current && text !== '' && this.#segmenter.runningSinceMs === startMs)
          this.#emit({ type: 'partial', startMs, endMs, text });
      })
      .catch(() => undefined);
  }

  #end(startMs: number, endMs: number): void {
    const early = this.#early;
    this.#early = undefined;
    let piece: Piece | undefined;
    if (early?.startMs === startMs && early.endMs === endMs) {
      early.job.makeFinal();
      piece = early;
    } else {
      early?.job.cancel();
      piece = this.#submit(startMs, endMs, 'final');
    }
    this.#lastEndMs = endMs;
    if (piece) this.#deliver(startMs, endMs, piece);
  }

  /**
   * Once a prompt is known to be a menu, listens again to its utterances that may be offers. Earlier ones are
   * corrected; returns this one.
   */
  async #decide(utterance: Utterance, piece: Piece): Promise<Utterance> {
    const { queue, id } = this.#options;
    const menu = queue.menuOf(id);
    let current = utterance;
    if (hasMaybeOffer(utterance.text))
      this.#undecided = [...this.#undecided, { piece, utterance, after: menu.keys }].slice(-maxUndecided);
    if (!isMenuSoFar(menu)) return current;
    const undecided = this.#undecided;
    this.#undecided = [];
    for (const { piece: older, utterance: heard, after } of undecided) {
      const now = queue.menuOf(id);
      const before = { ...now, keys: [...now.keys.filter((key) => !after.includes(key)), ...after] };
      const recognition = await queue.submit(id, older.pcm, 'final', { rawText: heard.rawText, before }).result;
      if (recognition.text === '' || recognition.text === heard.text) continue;
      const decided = utteranceOf(heard.startMs, heard.endMs, recognition, older);
      if (heard === utterance) current = decided;
      else if (!this.#closed) this.#emit({ type: 'correction', utterance: decided });
    }
    return current;
  }

  /** Delivers utterances in order, each when its text is ready; no piece means lost work. */
  #deliver(startMs: number, endMs: number, piece: Piece | undefined): void {
    const previous = this.#delivery;
    this.#delivery = (async () => {
      let utterance: Utterance = { startMs, endMs, text: '', rawText: '', words: [] };
      try {
        const recognition = await piece?.job.result;
        if (piece && recognition) {
          utterance = utteranceOf(startMs, endMs, recognition, piece);
          await previous;
          utterance = await this.#decide(utterance, piece);
        }
      } catch (error) {
        this.#options.onFailure(error);
      }
      await previous;
      if (!this.#closed) this.#emit({ type: 'utterance', utterance });
    })();
  }
}

const utteranceOf = (
  startMs: number,
  endMs: number,
  { text, rawText, words }: Recognition,
  { fromMs }: Piece,
): Utterance => ({
  startMs,
  endMs,
  text,
  rawText,
  words: words.map((word) => ({ ...word, startMs: word.startMs + fromMs, endMs: word.endMs + fromMs })),
});
