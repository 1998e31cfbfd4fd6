import { readdir, readFile } from 'node:fs/promises';

/** Set on every program that a run starts, and inherited by their children. */
export const runVariable = 'DIALTREE_TEST_RUN';

/**
 * Ends every process with this run's mark in its environment, even if it has left its process group, like a service
 * that several windows share. Linux only; elsewhere it does nothing.
 */
export async function endStrays(run: string): Promise<void> {
  for (const pid of await marked(run)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself since it was listed.
    }
  }
}

async function marked(run: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    return [];
  }
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) {
      continue;
    }
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`${runVariable}=${run}`)) {
      found.push(pid);
    }
  }
  return found;
}
