import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sliced } from '../../model/sliced.ts';

/** How long other work waits for a slice, in milliseconds. */
const sliceMs = 10;

/** Runs long work in slices, with requests and calls in between. */
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
