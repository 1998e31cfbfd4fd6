import type { AudioSpan } from '../call/callAudio.ts';
import { Listeners } from '../../base/listeners.ts';
import type { Ear, EarEvent, SpeechEngine, Utterance } from '../../speech/ear.ts';
import { toEarEvent } from '../../speech/segmenter.ts';
import { SoundClassifier } from '../../speech/soundClassifier.ts';
import { edgeMs, type LoadReference } from './reference.ts';
import { ReferencePrompts, type Understood } from './referencePrompts.ts';
import type { Later } from './spareTime.ts';
import { SpeechPieces, type PieceEvent } from './speechPieces.ts';

/** Stands for whatever the reference doesn't have. */
const unknownPrompt: Understood = { text: '(another prompt)', words: [] };
const noWords: Understood = { text: '', words: [] };
/** If a call ends this soon after a prompt began, the sound doesn't show which prompt it was. */
const shortestCutOffMs = 700;

/**
 * Speech on the calls of a load test: prompts are recognised by their sound, and words are played from the reference.
 */
export function referenceSpeech(
  reference: LoadReference,
  options: EarOptions,
): Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'> {
  return {
    openEar: () => new ReferenceEar(new ReferencePrompts(reference), options),
    speak: (text) => {
      const pcm = reference.spoken.get(text);
      return pcm ? Promise.resolve(pcm) : Promise.reject(new Error(`The reference call didn't say “${text}”.`));
    },
    languagesOf: () => Promise.reject(new Error("Languages aren't recognised in a load test.")),
  };
}

interface EarOptions {
  /** Tones and music are recognised too, which costs as much as the prompts. */
  readonly hearsSounds: boolean;
  /** Called with each piece of what is heard that the reference doesn't have. */
  readonly onOther: (heard: AudioSpan) => void;
  /** Compares what was heard. It must not throw the errors of its work. */
  readonly later: Later;
  /** Aborted when the result of the call no longer matters. */
  readonly signal: AbortSignal;
}

/** An ear that knows the prompts of a reference call. It returns text as soon as an utterance is over. */
class ReferenceEar implements Ear {
  readonly #prompts: ReferencePrompts;
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #pieces = new SpeechPieces();
  readonly #sounds: SoundClassifier | undefined;
  readonly #options: EarOptions;
  /** Put off, in order. */
  readonly #waiting: (() => void)[] = [];
  /** The pieces of the current utterance. */
  #heard: Understood[] = [];
  #closed = false;

  constructor(prompts: ReferencePrompts, options: EarOptions) {
    this.#prompts = prompts;
    this.#options = options;
    this.#sounds = options.hearsSounds ? new SoundClassifier() : undefined;
  }

  get heardMs(): number {
    return this.#pieces.heardMs;
  }

  push(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#pieces.push(pcm, {
      onFrame: (frame, speech) => {
        for (const sound of this.#sounds?.feed(frame, speech) ?? []) this.#emit(sound);
      },
      onEvent: (event) => this.#follow(event),
    });
  }

  /** Everything of the reference is expected at any time. */
  expect(): void {
    // Nothing to do.
  }

  listen(listener: (event: EarEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  cut(): void {
    for (const event of this.#pieces.finish()) this.#follow(event);
  }

  /** The call is over. If it ended during a prompt, the words until then were heard. */
  flush(): Promise<void> {
    if (!this.#closed) for (const event of this.#pieces.finish()) this.#follow(event, !this.#options.signal.aborted);
    for (const work of this.#waiting.splice(0)) work();
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#listeners.clear();
  }

  #emit(event: EarEvent): void {
    this.#listeners.tell(event);
  }

  #follow(event: PieceEvent, isCutOff = false): void {
    switch (event.type) {
      case 'piece': {
        const { startMs, endMs } = event;
        const pcm = this.#pieces.tape.slice((startMs - edgeMs) * 8, (endMs + edgeMs) * 8);
        this.#later(() => {
          this.#heard.push(this.#understand({ startMs, endMs, pcm }, isCutOff));
        });
        break;
      }
      case 'end':
        this.#later(() => {
          const utterance = this.#utterance(event);
          this.#heard = [];
          this.#emit({ type: 'utterance', utterance });
        });
        break;
      default:
        this.#emit(toEarEvent(event));
    }
  }

  #later(work: () => void): void {
    this.#waiting.push(work);
    this.#options.later(() => {
      this.#waiting.shift()?.();
    });
  }

  /** Returns the words that the reference has for this sound. */
  #understand(heard: AudioSpan & { readonly pcm: Int16Array }, isCutOff: boolean): Understood {
    const { startMs, endMs, pcm } = heard;
    const begun = isCutOff ? this.#prompts.understandBegun(pcm, endMs - startMs) : undefined;
    const isTooShort = isCutOff && endMs - startMs < shortestCutOffMs;
    const understood = begun ?? this.#prompts.understand(pcm, endMs - startMs) ?? (isTooShort ? noWords : undefined);
    if (!understood) this.#options.onOther(heard);
    const { text, words } = understood ?? unknownPrompt;
    return {
      text,
      words: words.map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs })),
    };
  }

  #utterance({ startMs, endMs }: AudioSpan): Utterance {
    const known = this.#heard.filter(
      ({ text }, index) => text !== '' && (text !== unknownPrompt.text || this.#heard[index - 1]?.text !== text),
    );
    const text = known.map((part) => part.text).join(' ');
    return { startMs, endMs, text, rawText: text, words: known.flatMap(({ words }) => words) };
  }
}
