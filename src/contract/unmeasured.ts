type Bound = 'answerWithinSeconds' | 'promptWithinSeconds' | 'silenceAtMostSeconds';

/** A time limit that nothing in its step can meet or miss, and what to do instead. */
interface Unmeasured {
  readonly bound: Bound;
  readonly message: string;
}

interface TimedStep {
  readonly action: { readonly type: string };
  readonly expectedTranscript?: unknown;
  readonly timing?: { readonly [bound in Bound]?: unknown } | undefined;
}

/** Returns the time limits of a step that are never checked. */
export function unmeasuredBounds({ action: { type }, expectedTranscript, timing = {} }: TimedStep): Unmeasured[] {
  const found: Unmeasured[] = [];
  const { answerWithinSeconds, promptWithinSeconds, silenceAtMostSeconds } = timing;
  if (answerWithinSeconds !== undefined && type !== 'dial')
    found.push({
      bound: 'answerWithinSeconds',
      message:
        'Only a dial step can be answered. Move this limit to the dial step, or use "promptWithinSeconds" for the prompt after this step.',
    });
  if (promptWithinSeconds !== undefined && type === 'hangUp')
    found.push({
      bound: 'promptWithinSeconds',
      message: 'This step hangs up, so no prompt follows it. Move this limit to the previous step.',
    });
  const listens =
    type === 'wait' ||
    type === 'expect' ||
    type === 'collect' ||
    (type !== 'hangUp' && expectedTranscript !== undefined);
  if (silenceAtMostSeconds !== undefined && !listens)
    found.push({
      bound: 'silenceAtMostSeconds',
      message:
        'This step doesn\'t listen, so no silence is measured. Give it an "expectedTranscript", or move this limit to a step that listens.',
    });
  return found;
}
