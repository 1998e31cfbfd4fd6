const word = 'dialtree.failure';

/**
 * The context value that the editor passes back when the user opens the menu of a failure message: a set of words, one
 * of which is the run, and for a step that heard other words its index. `package.json` checks for the first, and whether
 * there is a step.
 */
export const failureContext = (runId: string, step?: number): string =>
  [word, runId, ...(step === undefined ? [] : ['heard', String(step)])].join(' ');

export function runOfFailure(context: unknown): { readonly runId: string; readonly step?: number } | undefined {
  const [first, runId, , step] = typeof context === 'string' ? context.split(' ') : [];
  if (first !== word || runId === undefined) return undefined;
  return { runId, ...(step !== undefined && { step: Number(step) }) };
}
