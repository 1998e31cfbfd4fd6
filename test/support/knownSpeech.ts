import { Listeners } from '../../src/base/listeners.ts';
import { decodeUlaw, encodeUlaw } from '../../src/base/g711.ts';
import { SpeechPieces, type PieceEvent } from '../../src/engine/load/speechPieces.ts';
import type { Ear, EarEvent, SpeechEngine, Word } from '../../src/speech/ear.ts';
import { toEarEvent } from '../../src/speech/segmenter.ts';

/** A prompt whose words are known: 8 kHz, 16 bit, mono. */
interface KnownPrompt {
  readonly text: string;
  readonly pcm: Int16Array;
}

interface Sentence {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Its frames that aren't silent. */
  readonly frames: number;
}
/** A frame of a known prompt. */
interface KnownFrame {
  readonly sentence: Sentence;
  readonly atMs: number;
}

const frameSamples = 160;
const frameMs = 20;

/**
 * Speech without models, for reference calls to a called side that plays only these prompts over G.711 without
 * transcoding: each prompt is recognised by its frames. The result doesn't depend on how fast the machine is. The text
 * of a sentence is reported if at least half of it was heard.
 */
export function knownSpeech(prompts: readonly KnownPrompt[]): Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'> {
  const known = new Map(prompts.flatMap((prompt) => framesOf(prompt)));
  return {
    openEar: () => new KnownEar(known),
    speak: (text) => Promise.reject(new Error(`The caller can't say “${text}” in this test.`)),
    languagesOf: () => Promise.resolve([]),
  };
}

/** Divides a prompt into sentences at its pauses, of which it must have one between any two sentences. */
function framesOf({ text, pcm }: KnownPrompt): (readonly [string, KnownFrame])[] {
  const received = decodeUlaw(encodeUlaw(pcm));
  const keys = Array.from({ length: Math.floor(received.length / frameSamples) }, (_, index) =>
    keyOf(received.subarray(index * frameSamples, (index + 1) * frameSamples)),
  );
  const texts = text.split(/(?<=[.?!])\s+/);
  const spans = spansOf(pcm);
  if (texts.length !== spans.length)
    throw new Error(
      `“${text}” has ${String(texts.length)} sentences, but pauses divide it into ${String(spans.length)}.`,
    );
  return spans.flatMap(({ startMs, endMs }, index) => {
    const own = keys.flatMap((key, frame) =>
      key !== undefined && frame * frameMs >= startMs && frame * frameMs < endMs
        ? [{ key, atMs: frame * frameMs }]
        : [],
    );
    const sentence = { text: texts[index] ?? '', startMs, endMs, frames: own.length };
    return own.map(({ key, atMs }) => [key, { sentence, atMs }] as const);
  });
}

function spansOf(pcm: Int16Array): { readonly startMs: number; readonly endMs: number }[] {
  const pieces = new SpeechPieces();
  const spans: { readonly startMs: number; readonly endMs: number }[] = [];
  const onEvent = (event: PieceEvent): void => {
    if (event.type === 'piece') spans.push(event);
  };
  pieces.push(pcm, { onEvent });
  for (const event of pieces.finish()) onEvent(event);
  return spans;
}

/** Undefined for silence, which all prompts have in common. */
const keyOf = (frame: Int16Array): string | undefined =>
  frame.some((sample) => Math.abs(sample) > 64)
    ? Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('latin1')
    : undefined;

/** A sentence on a call. */
interface HeardSentence {
  readonly sentence: Sentence;
  /** Where the prompt of this sentence begins on the call. */
  readonly promptMs: number;
  frames: number;
}

class KnownEar implements Ear {
  readonly #known: ReadonlyMap<string, KnownFrame>;
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #pieces = new SpeechPieces();
  #heard: HeardSentence[] = [];
  #samples = 0;
  #closed = false;

  constructor(known: ReadonlyMap<string, KnownFrame>) {
    this.#known = known;
  }

  get heardMs(): number {
    return this.#pieces.heardMs;
  }

  push(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#recognise(pcm);
    this.#samples += pcm.length;
    this.#pieces.push(pcm, {
      onEvent: (event) => this.#follow(event),
    });
  }

  expect(): void {
    // Each known prompt is expected at any time.
  }

  listen(listener: (event: EarEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  cut(): void {
    for (const event of this.#pieces.finish()) this.#follow(event);
  }

  flush(): Promise<void> {
    if (!this.#closed) this.cut();
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
  }

  /** A received frame arrives as one piece of 160 samples. */
  #recognise(pcm: Int16Array): void {
    const key = pcm.length === frameSamples ? keyOf(pcm) : undefined;
    const frame = key === undefined ? undefined : this.#known.get(key);
    if (!frame) return;
    const last = this.#heard.at(-1);
    if (last?.sentence === frame.sentence) last.frames += 1;
    else this.#heard.push({ sentence: frame.sentence, promptMs: this.#samples / 8 - frame.atMs, frames: 1 });
  }

  #follow(event: PieceEvent): void {
    if (event.type === 'piece') return;
    if (event.type !== 'end') {
      this.#listeners.tell(toEarEvent(event));
      return;
    }
    const words = this.#heard
      .filter(({ sentence, frames }) => frames >= sentence.frames / 2)
      .flatMap((heard) => wordsOf(heard));
    this.#heard = [];
    const text = words.map((word) => word.text).join(' ');
    const { startMs, endMs } = event;
    this.#listeners.tell({ type: 'utterance', utterance: { startMs, endMs, text, rawText: text, words } });
  }
}

/** Spreads the words of a sentence evenly over its time. */
function wordsOf({ sentence: { text, startMs, endMs }, promptMs }: HeardSentence): Word[] {
  const texts = text.split(/\s+/);
  const wordMs = (endMs - startMs) / texts.length;
  return texts.map((word, index) => ({
    text: word,
    startMs: promptMs + startMs + index * wordMs,
    endMs: promptMs + startMs + (index + 1) * wordMs,
  }));
}
