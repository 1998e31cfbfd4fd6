import { Listeners } from '../../base/listeners.ts';
import type { Ear, EarEvent, ExpectedPrompt, SpeechEngine, Utterance } from '../../speech/ear.ts';
import { promptIn } from '../../speech/promptMatcher.ts';
import type { SegmentEvent } from '../../speech/segmenter.ts';
import { SoundClassifier } from '../../speech/soundClassifier.ts';
import type { Reference } from './reference.ts';
import { SpeechPieces } from './speechPieces.ts';

/** The text of a prompt that the reference call doesn't have. */
const unknownPrompt = '(another prompt)';
/** Sound begins and ends slightly outside its detected times. */
const edgeMs = 60;

/**
 * Speech on the calls of a load test: prompts are recognised by their sound, and words are played from the reference.
 *
 * @param hearsSounds whether tones and music are recognised, which costs as much as the prompts
 */
export function referenceSpeech(
  { prompts, spoken }: Reference,
  hearsSounds: boolean,
): Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'> {
  const expected = prompts.map(({ fingerprint }, index): ExpectedPrompt => ({ id: String(index), fingerprint }));
  return {
    openEar: () => new ReferenceEar(prompts, expected, hearsSounds),
    speak: (text) => {
      const pcm = spoken.get(text);
      return pcm ? Promise.resolve(pcm) : Promise.reject(new Error(`The reference call didn't say “${text}”.`));
    },
    languagesOf: () => Promise.reject(new Error("Languages aren't recognised in a load test.")),
  };
}

/** An ear that knows the prompts of a reference call. It returns text as soon as a prompt has ended. */
class ReferenceEar implements Ear {
  readonly #prompts: Reference['prompts'];
  readonly #expected: readonly ExpectedPrompt[];
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #pieces = new SpeechPieces();
  readonly #sounds: SoundClassifier | undefined;
  #closed = false;

  constructor(prompts: Reference['prompts'], expected: readonly ExpectedPrompt[], hearsSounds: boolean) {
    this.#prompts = prompts;
    this.#expected = expected;
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

  flush(): Promise<void> {
    if (!this.#closed) this.cut();
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
  }

  #emit(event: EarEvent): void {
    this.#listeners.tell(event);
  }

  #follow(event: SegmentEvent): void {
    switch (event.type) {
      case 'start':
        this.#emit({ type: 'speechStart', atMs: event.startMs });
        break;
      case 'pause':
        this.#emit({ type: 'speechPause', atMs: event.endMs });
        break;
      case 'resume':
        this.#emit({ type: 'speechResume', atMs: event.atMs });
        break;
      case 'end':
        this.#emit({ type: 'utterance', utterance: this.#understand(event.startMs, event.endMs) });
        break;
    }
  }

  #understand(startMs: number, endMs: number): Utterance {
    const audio = this.#pieces.tape.slice((startMs - edgeMs) * 8, (endMs + edgeMs) * 8);
    const id = promptIn(audio, this.#expected);
    const prompt = id === undefined ? undefined : this.#prompts[Number(id)];
    const text = prompt?.text ?? unknownPrompt;
    const words = (prompt?.words ?? []).map((word) => ({
      ...word,
      startMs: word.startMs + startMs,
      endMs: word.endMs + startMs,
    }));
    return { startMs, endMs, text, rawText: text, words };
  }
}
