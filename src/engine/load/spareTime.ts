/** Does work soon, in the order in which it was added. */
export type Later = (work: () => void) => void;

/** Work is done for this long at a time, so that packets leave on time. */
const sliceMs = 3;

/**
 * Does work between the ticks of a thread's calls. Many prompts can end in one tick, and comparing them all at once
 * would delay the packets of the next ones.
 */
export function spareTime(): Later {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  };
  const run = (): void => {
    isScheduled = false;
    const until = performance.now() + sliceMs;
    do waiting.shift()?.();
    while (waiting.length > 0 && performance.now() < until);
    if (waiting.length > 0) schedule();
  };
  return (work) => {
    waiting.push(work);
    schedule();
  };
}
