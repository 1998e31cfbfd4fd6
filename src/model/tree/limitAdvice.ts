import { sentence, type Parts } from '../../base/sentences.ts';
import { limits } from '../../contract/limits.ts';

/** Advice in the reason of a run that ended before the whole tree was known. Only doubts follow it. */
export const raiseMaxCalls = sentence`Raise maxCalls of the mapping, up to ${limits.maxCalls.max}, and map again.`;
export const raiseMaxDepth = sentence`Raise maxDepth of the mapping, up to ${limits.maxDepth.max}, and map again.`;
const advice = [raiseMaxCalls, raiseMaxDepth].map(({ parts }) => parts[0]?.[0]);

/** Returns what follows the advice in such a reason: why the tree may be wrong. Empty without doubts. */
export function doubtsAfterAdvice(reason: Parts): Parts {
  const at = reason.findIndex(([template]) => advice.includes(template));
  return at < 0 ? [] : reason.slice(at + 1);
}
