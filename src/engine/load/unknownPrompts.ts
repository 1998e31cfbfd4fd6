import type { Fingerprint } from '../../speech/ear.ts';
import { fingerprintOf } from '../../speech/fingerprint.ts';
import { promptIn } from '../../speech/promptMatcher.ts';

/** A prompt that the reference doesn't have, and the calls that failed because of it. */
export interface UnknownPrompt {
  /** Index of the step. */
  readonly step: number;
  /** 8 kHz, 16 bit, mono. */
  readonly pcm: Int16Array;
  readonly fingerprint: Fingerprint;
  calls: number;
  /** What is said in it, once it has been recognised. */
  text?: string;
}

/** A load test that goes wrong does so in few ways. Others are only counted. */
const mostPrompts = 20;

/** What was heard instead of the prompts of a reference, grouped by its sound. */
export class UnknownPrompts {
  readonly all: UnknownPrompt[] = [];

  /** Returns the prompt, or undefined if there are too many different ones. */
  add(step: number, pcm: Int16Array): UnknownPrompt | undefined {
    const ofStep = this.all.filter((prompt) => prompt.step === step);
    const id = promptIn(
      pcm,
      ofStep.map(({ fingerprint }, index) => ({ id: String(index), fingerprint })),
    );
    const known = id === undefined ? undefined : ofStep[Number(id)];
    if (known) {
      known.calls += 1;
      return known;
    }
    if (this.all.length >= mostPrompts) return undefined;
    const prompt = { step, pcm, fingerprint: fingerprintOf(pcm), calls: 1 };
    this.all.push(prompt);
    return prompt;
  }
}
