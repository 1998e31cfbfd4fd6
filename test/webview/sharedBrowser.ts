import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';

/** The next page opens sooner than this; after the last one, the process has to end. */
const keptMs = 1000;

let running: Promise<Browser> | undefined;
let users = 0;
let closing: NodeJS.Timeout | undefined;

/** One browser for consecutive pages, because a start takes longer than most tests. A dead one is replaced. */
export async function withSharedBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  clearTimeout(closing);
  users += 1;
  try {
    if (running && !(await running.catch(() => undefined))?.isConnected()) running = undefined;
    return await work(await (running ??= launchBrowser()));
  } finally {
    users -= 1;
    if (users === 0)
      closing = setTimeout(() => {
        const browser = running;
        running = undefined;
        void browser?.then(
          (open) => open.close(),
          () => undefined,
        );
      }, keptMs);
  }
}
