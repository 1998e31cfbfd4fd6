import type { ExpectedPrompt, Utterance } from '../../speech/ear.ts';
import { promptMs } from '../../speech/fingerprint.ts';
import { beginsWith, promptBegunIn, recordedPromptIn } from '../../speech/promptMatcher.ts';
import { PieceMatcher, type PromptPiece } from './pieceMatcher.ts';
import type { LoadReference, ReferencePrompt } from './reference.ts';

/** Word times are relative to the first sound. */
export type Understood = Pick<Utterance, 'text' | 'words'>;

/** What varies can be this much longer than on the reference call. */
const longer = { times: 3, plusMs: 2000 };
const isTooLong = (ms: number, referenceMs: number): boolean => ms > referenceMs * longer.times + longer.plusMs;
const nothing: Understood = { text: '', words: [] };

/** Only its place is known. */
const hasOnlyPlace = (prompt: ReferencePrompt | undefined): boolean =>
  prompt?.varies !== undefined && prompt.varies.beginning === undefined;

/** Understands the sounds of one call by those of a reference. */
export class ReferencePrompts {
  readonly #prompts: readonly ReferencePrompt[];
  readonly #expected: readonly ExpectedPrompt[];
  /** The beginnings of prompts that vary. */
  readonly #beginnings: readonly ExpectedPrompt[];
  readonly #pieces: PieceMatcher;
  /** Index of the last prompt that was understood by its sound; −1 at the beginning of the call. */
  #at = -1;
  /** Consecutive prompts that vary, of which the call hears the first or a later one. */
  #run: readonly ReferencePrompt[] = [];
  #runMs = 0;

  constructor({ prompts }: Pick<LoadReference, 'prompts'>) {
    this.#prompts = prompts;
    // What varies can be the same again, but is understood in the same way then.
    this.#expected = prompts.flatMap(({ fingerprint, varies }, index) =>
      varies ? [] : [{ id: String(index), fingerprint }],
    );
    this.#beginnings = prompts.flatMap(({ varies }, index) =>
      varies?.beginning ? [{ id: String(index), fingerprint: varies.beginning }] : [],
    );
    this.#pieces = new PieceMatcher(prompts.map(({ fingerprint, varies }) => (varies ? undefined : fingerprint)));
  }

  /** Returns the words that the reference has for this sound, or undefined if it has none. */
  understand(pcm: Int16Array, ms: number): Understood | undefined {
    const parts = this.#pieces.hear(pcm);
    if (parts) return joined(parts.map((part) => this.#wordsOf(part)));
    const index = this.#begunBy(pcm, ms);
    const prompt = this.#prompts[index ?? -1];
    if (index === undefined || !prompt) return this.#understandByPlace(ms);
    this.#follow(index);
    return { text: prompt.text, words: prompt.words };
  }

  /** Understands a prompt, or a part of it. */
  #wordsOf({ index, fromMs, toMs }: PromptPiece): SpokenPart {
    const isWhole = fromMs === 0 && toMs === Infinity;
    const at = (isWhole ? this.#sameAs(index) : undefined) ?? index;
    const { fingerprint, text, words } = this.#prompts[at] ?? { ...nothing, fingerprint: new Uint8Array() };
    this.#follow(at);
    const lastsMs = Math.min(toMs, promptMs(fingerprint)) - fromMs;
    if (isWhole) return { text, words, lastsMs };
    const own = words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 >= fromMs && (startMs + endMs) / 2 < toMs);
    return {
      ...spoken(own.map((word) => ({ ...word, startMs: word.startMs - fromMs, endMs: word.endMs - fromMs }))),
      lastsMs,
    };
  }

  #follow(index: number): void {
    this.#at = index;
    this.#run = [];
  }

  /** Returns the words until the end of a sound that stops during a prompt, or undefined if there are none. */
  understandBegun(pcm: Int16Array, ms: number): Understood | undefined {
    if (recordedPromptIn(pcm, this.#expected) !== undefined) return undefined;
    const prompt = this.#prompts[Number(promptBegunIn(pcm, [...this.#expected, ...this.#beginnings]))];
    const words = prompt?.words.filter((word) => word.endMs <= ms) ?? [];
    return words.length === 0 ? undefined : spoken(words);
  }

  /** Returns the next of these indexes in the course of the call, or the first of all. */
  #next(indexes: readonly number[]): number | undefined {
    return indexes.find((index) => index > this.#at) ?? indexes[0];
  }

  /** A prompt can be played several times. */
  #sameAs(index: number): number | undefined {
    return this.#next(this.#placesOf(index).filter((at) => !this.#prompts[at]?.varies));
  }

  /** Returns where the reference has the same words. Sounds without words can be anything. */
  #placesOf(index: number): number[] {
    const text = this.#prompts[index]?.text ?? '';
    return text === '' ? [index] : [...this.#prompts.keys()].filter((at) => this.#prompts[at]?.text === text);
  }

  #begunBy(pcm: Int16Array, ms: number): number | undefined {
    const begun = [...this.#prompts.entries()].filter(
      ([, { varies, fingerprint }]) =>
        varies?.beginning !== undefined && !isTooLong(ms, promptMs(fingerprint)) && beginsWith(pcm, varies.beginning),
    );
    return this.#next(begun.map(([index]) => index));
  }

  #understandByPlace(ms: number): Understood | undefined {
    const isNew = this.#run.length === 0;
    if (isNew) {
      this.#run = this.#runAfter(this.#at);
      this.#runMs = 0;
    }
    this.#runMs += ms;
    const runMs = this.#run.reduce((sum, { fingerprint }) => sum + promptMs(fingerprint), 0);
    if (this.#run.length === 0 || isTooLong(this.#runMs, runMs)) return undefined;
    // Its pieces can be more or fewer than on the reference call, so its words come with the first one.
    return isNew ? joined(this.#run.map((one) => ({ ...one, lastsMs: promptMs(one.fingerprint) }))) : nothing;
  }

  /** Returns what varies after this prompt, or after the same prompt elsewhere in the reference. */
  #runAfter(at: number): readonly ReferencePrompt[] {
    const before = [at, ...this.#placesOf(at)].find((index) => hasOnlyPlace(this.#prompts[index + 1]));
    if (before === undefined) return [];
    const rest = this.#prompts.slice(before + 1);
    const end = rest.findIndex((prompt) => !hasOnlyPlace(prompt));
    return end < 0 ? rest : rest.slice(0, end);
  }
}

interface SpokenPart extends Understood {
  readonly lastsMs: number;
}

const spoken = (words: Understood['words']): Understood => ({ words, text: words.map(({ text }) => text).join(' ') });

function joined(parts: readonly SpokenPart[]): Understood {
  let fromMs = 0;
  const words = parts.flatMap((part) => {
    const shiftMs = fromMs;
    fromMs += part.lastsMs;
    return part.words.map((word) => ({ ...word, startMs: word.startMs + shiftMs, endMs: word.endMs + shiftMs }));
  });
  return { text: parts.map(({ text }) => text).join(' '), words };
}
