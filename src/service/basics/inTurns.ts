import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sliced } from '../../model/sliced.ts';

/** So long others wait for a slice, in milliseconds. */
const sliceMs = 10;

/** Does long work in slices, with turns for requests and calls between them. */
export async function inTurns<Result>(
  work: Sliced<Result>,
  now: () => number = () => performance.now(),
): Promise<Result> {
  for (let since = now(); ;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (now() - since < sliceMs) continue;
    await nextTurn();
    since = now();
  }
}
