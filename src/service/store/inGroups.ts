/** As many as the system handles simultaneously without running out of files. */
const groupSize = 32;

/** Does the work on several items at a time. Rejects with the first failure, once the work in progress has ended. */
export async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += groupSize) {
    const ended = await Promise.allSettled(items.slice(from, from + groupSize).map(work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}
