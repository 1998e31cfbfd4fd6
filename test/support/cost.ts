/** Returns the processor time of this thread for `work`, in ms. Other processes and threads don't lengthen it. */
export function costOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Some systems count processor time in ticks of 4 ms, so a comparison needs much more than one. */
const measurableMs = 60;
const mostRuns = 200;

/** Returns what one run of `work` costs on average, in ms. */
function meanCostOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= measurableMs || runs === mostRuns) return ms / runs;
  }
}

/** Compilation and garbage collection can lengthen any measurement, but not all of them. */
const tries = 5;

/**
 * Returns how many times as much `long` costs as `short`: the first ratio that is below `most`, or the least of several.
 */
export function costRatio(long: () => unknown, short: () => unknown, most: number): number {
  let least = Infinity;
  for (let attempt = 0; attempt < tries && least >= most; attempt += 1)
    least = Math.min(least, meanCostOf(long) / Math.max(floorMs, meanCostOf(short)));
  return least;
}

/** A shorter time can't be compared. */
const floorMs = 0.5;
