import type { Fingerprint } from '../../speech/ear.ts';
import { fingerprintOf } from '../../speech/fingerprint.ts';
import { promptIn } from '../../speech/promptMatcher.ts';
import type { HeardInstead } from './unknownAudio.ts';

/** A prompt that the reference doesn't have, and the calls that failed because of it. */
export interface UnknownPrompt extends HeardInstead {
  /** Indexes of the test's row and step. */
  readonly row: number;
  readonly step: number;
  /** So much audio was lost on these calls that words can be missing. */
  readonly isDamaged: boolean;
  readonly fingerprint: Fingerprint;
  calls: number;
  /** What was said, once it has been recognised, and the indexes of the words that aren't from the reference. */
  text?: string;
  recognised?: ReadonlySet<number>;
}

/** A load test that goes wrong does so in few ways. Others are only counted. */
const mostPrompts = 20;

/** What was heard instead of the prompts of a reference, grouped by its sound. */
export class UnknownPrompts {
  readonly all: UnknownPrompt[] = [];

  /** Returns the prompt, or undefined if there are too many different ones. */
  add(
    { row, step, isDamaged }: Pick<UnknownPrompt, 'row' | 'step' | 'isDamaged'>,
    heard: HeardInstead,
  ): UnknownPrompt | undefined {
    const pcm = unknownOf(heard);
    const ofStep = this.all.filter(
      (prompt) => prompt.row === row && prompt.step === step && prompt.isDamaged === isDamaged,
    );
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
    const prompt = { row, step, isDamaged, ...heard, fingerprint: fingerprintOf(pcm), calls: 1 };
    this.all.push(prompt);
    return prompt;
  }
}

/** Returns all audio that the reference doesn't have. */
function unknownOf({ parts }: HeardInstead): Int16Array {
  const audio = parts.filter((part) => typeof part !== 'string');
  const whole = new Int16Array(audio.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of audio) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
