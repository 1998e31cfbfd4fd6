import { partsInOrder } from '../../base/partsInOrder.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { RunResults, Turn } from '../../contract/testRuns.ts';
import { masked } from '../../model/secrets/secretMask.ts';

/** Returns the indexes of the steps in which the caller presses or says something. */
export const actsOf = (steps: readonly TestStep[]): number[] =>
  [...steps.keys()].filter((index) => /^(?:press|say)$/.test(steps[index]?.action.type ?? ''));

/** Returns what was heard from the answer to the first act, and after each act. */
export function promptsOf(transcript: readonly Turn[] = []): string[] {
  const prompts = [''];
  for (const { speaker, text, beforeAnswer } of transcript)
    if (speaker === 'us') prompts.push('');
    else if (beforeAnswer !== true) prompts.push(`${prompts.pop() ?? ''} ${text}`.trim());
  return prompts;
}

/** Returns what a run heard and did, for a comparison with another run. */
export const heardIn = ({ transcript = [], hangUp }: Pick<RunResults, 'transcript' | 'hangUp'>) => ({
  prompts: promptsOf(transcript),
  acts: transcript.flatMap(({ speaker, text }) => (speaker === 'us' ? [text] : [])),
  ...(hangUp && { hangUp }),
});

/** Returns true if a run expected the words of these steps. Its own copy of the steps is wiped when it ends. */
export const isRunOf = (steps: readonly TestStep[], { steps: results }: RunResults): boolean =>
  results.length === steps.length &&
  steps.every(({ name, expectedTranscript, heardBeforeAnswer = expectedTranscript ?? '' }, index) => {
    const { name: own, expectedTranscript: expected } = results[index] ?? {};
    const isSame =
      expected === undefined ||
      expected.includes(masked.charAt(0)) ||
      partsInOrder(heardBeforeAnswer.split(/\{\w+\}/), expected);
    return own === name && isSame;
  });
