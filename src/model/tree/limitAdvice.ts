import { limits } from '../../contract/limits.ts';

const advice = (member: 'maxCalls' | 'maxDepth'): string =>
  `Raise ${member} of the mapping, up to ${String(limits[member].max)}, and map again.`;

/** Advice at the end of the reason of a run that ended before the whole tree was known. Only doubts follow it. */
export const raiseMaxCalls = advice('maxCalls');
export const raiseMaxDepth = advice('maxDepth');

/** Returns what follows the advice in such a reason: why the tree may be wrong. Undefined without doubts. */
export function doubtsAfterAdvice(reason: string): string | undefined {
  for (const text of [raiseMaxCalls, raiseMaxDepth]) {
    const at = reason.indexOf(text);
    if (at >= 0) return reason.slice(at + text.length).trim() || undefined;
  }
  return undefined;
}
