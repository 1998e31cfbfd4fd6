import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durability.ts';
import { unpackTarGz } from './tar.ts';

/** Where things lie in a data folder. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get database(): string {
    return join(this.path, 'database');
  }
  get recordings(): string {
    return join(this.path, 'recordings');
  }
  get exports(): string {
    return join(this.path, 'exports');
  }
  get keyFile(): string {
    return join(this.path, 'api-key');
  }

  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  hasDatabase(): Promise<boolean> {
    return stat(join(this.database, 'PG_VERSION')).then(
      () => true,
      () => false,
    );
  }

  /** Puts an archive of the store in place whole: a crash on the way leaves no half of it. */
  async installDatabase(archive: Uint8Array): Promise<void> {
    await this.replaceDatabase((directory) => unpackTarGz(archive, directory));
  }

  async replaceDatabase(fill: (directory: string) => Promise<void>): Promise<void> {
    await this.removeUnfinished();
    const directory = join(this.path, `${unfinished}${randomUUID()}`);
    try {
      await fill(directory);
      await rename(directory, this.database);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
    await syncFolder(this.path);
  }

  /** Renames a damaged database; nothing is ever deleted. Returns where it went. */
  async moveDatabaseAside(now: Date): Promise<string> {
    const aside = `${this.database}-damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(this.database, aside);
    return aside;
  }

  /** Newest first. */
  async listExports(): Promise<string[]> {
    const names = await readdir(this.exports).catch(() => []);
    return names
      .filter((name) => exportName.test(name))
      .sort()
      .reverse()
      .map((name) => join(this.exports, name));
  }

  readExport(path: string): Promise<Uint8Array> {
    return readFile(path);
  }

  async writeExport(archive: Uint8Array, now: Date, keep: number): Promise<void> {
    await mkdir(this.exports, { recursive: true, mode: 0o700 });
    await writeFileWhole(join(this.exports, `store-${now.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`), archive);
    for (const old of (await this.listExports()).slice(keep)) await rm(old, { force: true });
  }

  /** Databases that a crash left half made: nothing was ever stored in them. */
  async removeUnfinished(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (name.startsWith(unfinished)) await rm(join(this.path, name), { recursive: true, force: true });
    }
  }
}

const unfinished = 'database-unfinished-';
const exportName = /^store-[0-9TZ-]+\.tar\.gz$/;

/** Writes a file so that it is there whole and on the disk, or not at all. */
export async function writeFileWhole(path: string, bytes: Uint8Array | string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
