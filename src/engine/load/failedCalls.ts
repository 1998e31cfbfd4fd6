import { loadFailuresAtMost, type LoadTested } from '../../contract/loadTests.ts';
import { examplesOfStep } from './exampleTape.ts';
import type { UnknownPrompt } from './unknownPrompts.ts';

export type FailedCall = LoadTested['failures'][number] & {
  readonly unknown?: UnknownPrompt;
  /** If it can be heard. */
  readonly lossShare?: number;
};

/** The calls that didn't pass: all that are kept as examples, and the first others. */
export class FailedCalls {
  #calls: (FailedCall & { readonly isExample: boolean })[] = [];
  /** By row and step. */
  readonly #examples = new Map<string, number>();

  get all(): readonly FailedCall[] {
    return this.#calls.map(({ isExample: _isExample, ...call }) => call);
  }

  get needsExamples(): boolean {
    return this.#calls.length < loadFailuresAtMost || this.#calls.some(({ isExample }) => !isExample);
  }

  /** Returns true if the audio of this call is to be kept. */
  add(call: FailedCall, audio?: { readonly step: number }): boolean {
    const at = `${String(call.row)} ${String(audio?.step)}`;
    const examples = this.#examples.get(at) ?? 0;
    const isExample = audio !== undefined && examples < examplesOfStep && this.needsExamples;
    const isFull = this.#calls.length >= loadFailuresAtMost;
    if (isFull && !isExample) return false;
    if (isFull) {
      const last = this.#calls.findLastIndex((other) => !other.isExample);
      this.#calls = this.#calls.filter((_, index) => index !== last);
    }
    this.#calls.push({ ...call, isExample });
    if (isExample) this.#examples.set(at, examples + 1);
    return isExample;
  }
}
