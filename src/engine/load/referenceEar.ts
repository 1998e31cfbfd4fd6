import type { Span } from '../call/callAudio.ts';
import { Listeners } from '../../base/listeners.ts';
import type { Ear, EarEvent, SpeechEngine, Utterance } from '../../speech/ear.ts';
import { speechEventOf } from '../../speech/segmenter.ts';
import { SoundClassifier } from '../../speech/soundClassifier.ts';
import { edgeMs, type Reference } from './reference.ts';
import { ReferencePrompts, type Understood } from './referencePrompts.ts';
import { SpeechPieces, type PieceEvent } from './speechPieces.ts';

/** Stands for whatever the reference doesn't have. */
const unknownPrompt: Understood = { text: '(another prompt)', words: [] };

/**
 * Speech on the calls of a load test: prompts are recognised by their sound, and words are played from the reference.
 *
 * @param hearsSounds whether tones and music are recognised, which costs as much as the prompts
 * @param onUnknown receives the audio of what the reference doesn't have
 * @param signal aborted when the result of the call no longer matters
 */
export function referenceSpeech(
  reference: Reference,
  hearsSounds: boolean,
  onUnknown: OnUnknown,
  signal: AbortSignal,
): Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'> {
  return {
    openEar: () => new ReferenceEar(new ReferencePrompts(reference), hearsSounds, onUnknown, signal),
    speak: (text) => {
      const pcm = reference.spoken.get(text);
      return pcm ? Promise.resolve(pcm) : Promise.reject(new Error(`The reference call didn't say “${text}”.`));
    },
    languagesOf: () => Promise.reject(new Error("Languages aren't recognised in a load test.")),
  };
}

type OnUnknown = (heard: Span & { readonly pcm: Int16Array }) => void;

/** An ear that knows the prompts of a reference call. It returns text as soon as an utterance is over. */
class ReferenceEar implements Ear {
  readonly #prompts: ReferencePrompts;
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #pieces = new SpeechPieces();
  readonly #sounds: SoundClassifier | undefined;
  readonly #onUnknown: OnUnknown;
  readonly #signal: AbortSignal;
  /** The pieces of the current utterance. */
  #heard: Understood[] = [];
  #closed = false;

  constructor(prompts: ReferencePrompts, hearsSounds: boolean, onUnknown: OnUnknown, signal: AbortSignal) {
    this.#signal = signal;
    this.#prompts = prompts;
    this.#onUnknown = onUnknown;
    this.#sounds = hearsSounds ? new SoundClassifier() : undefined;
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
      onEvent: (event) => {
        this.#follow(event);
      },
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
    if (!this.#closed) for (const event of this.#pieces.finish()) this.#follow(event, !this.#signal.aborted);
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
  }

  #emit(event: EarEvent): void {
    this.#listeners.tell(event);
  }

  #follow(event: PieceEvent, isCutOff = false): void {
    switch (event.type) {
      case 'piece':
        this.#heard.push(this.#understand(event, isCutOff));
        break;
      case 'end':
        this.#emit({ type: 'utterance', utterance: this.#utterance(event) });
        this.#heard = [];
        break;
      default:
        this.#emit(speechEventOf(event));
    }
  }

  /** Returns the words that the reference has for this sound. */
  #understand({ startMs, endMs }: Span, isCutOff: boolean): Understood {
    const audio = this.#pieces.tape.slice((startMs - edgeMs) * 8, (endMs + edgeMs) * 8);
    const begun = isCutOff ? this.#prompts.understandBegun(audio, endMs - startMs) : undefined;
    const understood = begun ?? this.#prompts.understand(audio, endMs - startMs);
    if (!understood) this.#onUnknown({ startMs, endMs, pcm: audio });
    const { text, words } = understood ?? unknownPrompt;
    return {
      text,
      words: words.map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs })),
    };
  }

  #utterance({ startMs, endMs }: Span): Utterance {
    const known = this.#heard.filter(
      ({ text }, index) => text !== '' && (text !== unknownPrompt.text || this.#heard[index - 1]?.text !== text),
    );
    const text = known.map((part) => part.text).join(' ');
    return { startMs, endMs, text, rawText: text, words: known.flatMap(({ words }) => words) };
  }
}
