import type { ExpectedPrompt, Utterance } from '../../speech/ear.ts';
import { beginsWith, promptBegunIn, promptIn } from '../../speech/promptMatcher.ts';
import type { Reference, ReferencePrompt } from './reference.ts';

/** Word times are relative to the first sound. */
export type Understood = Pick<Utterance, 'text' | 'words'>;

/** Consecutive prompts that differ from call to call, so that only their place is known. */
interface VaryingRun extends Understood {
  readonly ms: number;
}

/** Much more than this isn't the part that varies. */
const longestRun = { times: 3, plusMs: 2000 };
const nothing: Understood = { text: '', words: [] };

/** Understands the sounds of one call by those of a reference. */
export class ReferencePrompts {
  readonly #prompts: readonly ReferencePrompt[];
  readonly #expected: readonly ExpectedPrompt[];
  readonly #beginnings: readonly (readonly [beginning: Uint8Array, prompt: ReferencePrompt])[];
  /** By the text before them. */
  readonly #runs: ReadonlyMap<string, VaryingRun>;
  #before = '';
  #run: VaryingRun | undefined;
  #runMs = 0;

  constructor({ prompts }: Pick<Reference, 'prompts'>) {
    this.#prompts = prompts;
    this.#expected = prompts.map(({ fingerprint }, index) => ({ id: String(index), fingerprint }));
    this.#beginnings = prompts.flatMap((prompt) =>
      prompt.varies?.beginning ? [[prompt.varies.beginning, prompt] as const] : [],
    );
    this.#runs = runsOf(prompts);
  }

  /** Returns the words that the reference has for this sound, or undefined if it has none. */
  understand(pcm: Int16Array, ms: number): Understood | undefined {
    const id = promptIn(pcm, this.#expected);
    const prompt =
      id === undefined
        ? this.#beginnings.find(([beginning]) => beginsWith(pcm, beginning))?.[1]
        : this.#prompts[Number(id)];
    if (!prompt) return this.#understandByPlace(ms);
    this.#before = prompt.text;
    this.#run = undefined;
    return prompt;
  }

  /** Returns the words until the end of a sound that stops during a prompt, or undefined if there are none. */
  understandBegun(pcm: Int16Array, ms: number): Understood | undefined {
    if (promptIn(pcm, this.#expected) !== undefined) return undefined;
    const prompt = this.#prompts[Number(promptBegunIn(pcm, this.#expected))];
    const words = prompt?.words.filter((word) => word.endMs <= ms) ?? [];
    return words.length === 0 ? undefined : { words, text: words.map(({ text }) => text).join(' ') };
  }

  #understandByPlace(ms: number): Understood | undefined {
    const isNew = this.#run === undefined;
    this.#run ??= this.#runs.get(this.#before);
    this.#runMs = isNew ? ms : this.#runMs + ms;
    if (!this.#run || this.#runMs > this.#run.ms * longestRun.times + longestRun.plusMs) return undefined;
    // Its pieces can be more or fewer than on the reference call, so its words come with the first one.
    return isNew ? this.#run : nothing;
  }
}

function runsOf(prompts: readonly ReferencePrompt[]): Map<string, VaryingRun> {
  const runs = new Map<string, VaryingRun>();
  const hasOnlyPlace = (prompt: ReferencePrompt | undefined): boolean =>
    prompt?.varies !== undefined && prompt.varies.beginning === undefined;
  for (const [index, prompt] of prompts.entries()) {
    if (!hasOnlyPlace(prompt) || hasOnlyPlace(prompts[index - 1])) continue;
    const next = prompts.findIndex((other, at) => at > index && !hasOnlyPlace(other));
    const run = prompts.slice(index, next < 0 ? undefined : next);
    let ms = 0;
    const words = run.flatMap((part) => {
      const startMs = ms;
      ms += Math.max(0, ...part.words.map(({ endMs }) => endMs));
      return part.words.map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs }));
    });
    runs.set(prompts[index - 1]?.text ?? '', { text: run.map(({ text }) => text).join(' '), words, ms });
  }
  return runs;
}
