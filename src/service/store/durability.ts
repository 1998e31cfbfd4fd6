import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inGroups } from './inGroups.ts';

/**
 * PGlite runs with fsync off: a killed process loses nothing, a power cut may lose everything since the system last
 * wrote its caches. `sync` forces the write-ahead log to the disk, and after a checkpoint every file that changed,
 * since the log before it is then gone. Calls coalesce: one runs, at most one waits.
 */
export class Durability {
  readonly #directory: string;
  #running: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;
  #checkpointMs = 0;
  #everythingMs = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when everything that was committed before the call is on the disk. */
  sync(): Promise<void> {
    if (!this.#running)
      return (this.#running = this.#sync().finally(() => {
        this.#running = undefined;
      }));
    return (this.#waiting ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        return this.sync();
      }));
  }

  async #sync(): Promise<void> {
    const startedMs = Date.now();
    const control = await stat(join(this.#directory, 'global', 'pg_control'));
    if (control.mtimeMs !== this.#checkpointMs) {
      await this.#syncChanged(this.#directory, this.#everythingMs);
      this.#checkpointMs = control.mtimeMs;
      this.#everythingMs = startedMs - timestampSlackMs;
      return;
    }
    await this.#syncChanged(join(this.#directory, 'pg_wal'), this.#everythingMs);
  }

  async #syncChanged(directory: string, sinceMs: number): Promise<void> {
    const entries = await readdir(directory, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await this.#syncChanged(join(directory, entry.name), sinceMs);
    await inGroups(
      entries.filter((entry) => !entry.isDirectory()),
      async ({ name }) => {
        const path = join(directory, name);
        try {
          if ((await stat(path)).mtimeMs >= sinceMs) await syncFile(path);
        } catch (error) {
          // Postgres removes files during the walk.
          if (!isMissing(error)) throw error;
        }
      },
    );
    await syncFolder(directory);
  }
}

/** Some file systems store whole seconds. */
const timestampSlackMs = 2000;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes names durable that were created or renamed in the folder. Not needed on Windows. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
