/** As many as the system takes on at once without files running out. */
const groupSize = 32;

/**
 * Does the work on all, some of them at once. Rejects with the first failure when what was begun beside it has ended.
 */
export async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += groupSize) {
    const ended = await Promise.allSettled(items.slice(from, from + groupSize).map(work));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}
