import { limits } from '../../contract/limits.ts';

const advice = (member: 'maxCalls' | 'maxDepth'): string =>
  `Raise ${member} of the mapping, up to ${String(limits[member].max)}, and map again.`;

/** Advice for a run that ended before the whole tree was known. */
export const raiseMaxCalls = advice('maxCalls');
export const raiseMaxDepth = advice('maxDepth');
