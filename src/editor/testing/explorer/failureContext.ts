const word = 'dialtree.failure';

/**
 * What the editor gives back of a message of the Test Explorer when a person opens its menu: a set of words, of which
 * one is the run. `package.json` asks for the first.
 */
export const failureContext = (runId: string): string => `${word} ${runId}`;

/** The run of a message with this context. */
export function runOfFailure(context: unknown): string | undefined {
  const [first, runId] = typeof context === 'string' ? context.split(' ') : [];
  return first === word ? runId : undefined;
}
