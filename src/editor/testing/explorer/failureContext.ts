const word = 'dialtree.failure';

/**
 * The context value that the editor passes back when the user opens the menu of a failure message: a set of words, one
 * of which is the run. `package.json` checks for the first.
 */
export const failureContext = (runId: string): string => `${word} ${runId}`;

export function runOfFailure(context: unknown): string | undefined {
  const [first, runId] = typeof context === 'string' ? context.split(' ') : [];
  return first === word ? runId : undefined;
}
