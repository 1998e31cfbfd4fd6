import type { Span } from '../call/callAudio.ts';
import { Listeners } from '../../base/listeners.ts';
import type { Ear, EarEvent, ExpectedPrompt, SpeechEngine, Utterance } from '../../speech/ear.ts';
import { promptBegunIn, promptIn } from '../../speech/promptMatcher.ts';
import { speechEventOf } from '../../speech/segmenter.ts';
import { SoundClassifier } from '../../speech/soundClassifier.ts';
import type { Reference } from './reference.ts';
import { SpeechPieces, type PieceEvent } from './speechPieces.ts';

type Heard = Pick<Utterance, 'text' | 'words'>;
/** Stands for whatever the reference call doesn't have. */
const unknownPrompt: Heard = { text: '(another prompt)', words: [] };
/** Sound begins and ends slightly outside its detected times. */
const edgeMs = 60;

/**
 * Speech on the calls of a load test: prompts are recognised by their sound, and words are played from the reference.
 *
 * @param hearsSounds whether tones and music are recognised, which costs as much as the prompts
 * @param signal aborted when the result of the call no longer matters
 */
export function referenceSpeech(
  { prompts, spoken }: Reference,
  hearsSounds: boolean,
  signal: AbortSignal,
): Pick<SpeechEngine, 'openEar' | 'speak' | 'languagesOf'> {
  const expected = prompts.map(({ fingerprint }, index): ExpectedPrompt => ({ id: String(index), fingerprint }));
  return {
    openEar: () => new ReferenceEar(prompts, expected, hearsSounds, signal),
    speak: (text) => {
      const pcm = spoken.get(text);
      return pcm ? Promise.resolve(pcm) : Promise.reject(new Error(`The reference call didn't say “${text}”.`));
    },
    languagesOf: () => Promise.reject(new Error("Languages aren't recognised in a load test.")),
  };
}

/** An ear that knows the prompts of a reference call. It returns text as soon as an utterance is over. */
class ReferenceEar implements Ear {
  readonly #prompts: Reference['prompts'];
  readonly #expected: readonly ExpectedPrompt[];
  readonly #listeners = new Listeners<[EarEvent]>();
  readonly #pieces = new SpeechPieces();
  readonly #sounds: SoundClassifier | undefined;
  /** The pieces of the current utterance. */
  #heard: Heard[] = [];
  readonly #signal: AbortSignal;
  #closed = false;

  constructor(
    prompts: Reference['prompts'],
    expected: readonly ExpectedPrompt[],
    hearsSounds: boolean,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
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
  #understand({ startMs, endMs }: Span, isCutOff: boolean): Heard {
    const audio = this.#pieces.tape.slice((startMs - edgeMs) * 8, (endMs + edgeMs) * 8);
    const whole = this.#prompts[Number(promptIn(audio, this.#expected))];
    const begun = whole || !isCutOff ? undefined : this.#prompts[Number(promptBegunIn(audio, this.#expected))];
    const { text, words } = whole ?? (begun && beginningOf(begun, endMs - startMs)) ?? unknownPrompt;
    return {
      text,
      words: words.map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs })),
    };
  }

  #utterance({ startMs, endMs }: Span): Utterance {
    const known = this.#heard.filter(
      ({ text }, index) => text !== unknownPrompt.text || this.#heard[index - 1]?.text !== text,
    );
    const text = known.map((part) => part.text).join(' ');
    return { startMs, endMs, text, rawText: text, words: known.flatMap(({ words }) => words) };
  }
}

/** Returns what was heard of a prompt that lasted only this long, or undefined if it ended within the first word. */
function beginningOf({ words }: Heard, lengthMs: number): Heard | undefined {
  const heard = words.filter((word) => word.endMs <= lengthMs);
  return heard.length === 0 ? undefined : { words: heard, text: heard.map(({ text }) => text).join(' ') };
}
