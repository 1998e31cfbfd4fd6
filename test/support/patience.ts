/**
 * How long a test waits for an event, in ms: far longer than any event takes on a busy machine, and shorter than mocha's
 * own limit, so that a failure says what the test waited for.
 */
export const patienceMs = 240_000;

/** Waits for `event`; rejects with what there was instead if it doesn't come in time. */
export async function within<Value>(event: Promise<Value>, what: string, seen: () => unknown): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inVain(what, seen())), patienceMs);
    // A wait that its test has given up doesn't keep the process running.
    timer.unref();
  });
  try {
    return await Promise.race([event, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a wait that found nothing. `seen`: what was there instead. */
export function inVain(what: string, seen?: unknown): Error {
  const instead = seen === undefined ? '' : `\nSeen instead: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`;
  return new Error(`Waited ${String(patienceMs / 1000)} s in vain: ${what}${instead}`);
}
