import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, statfs, open } from 'node:fs/promises';
import { join } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { syncFolder } from './durability.ts';
import { unpackTar } from './tar.ts';

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
    return join(this.path, keyName);
  }

  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  /**
   * Makes sure that only this user can access the folder, and that locks in it are visible to all its processes. Closes
   * a folder of Dialtree that others can read. Rejects with HumanError `data_folder`, which says what to do.
   */
  async assertPrivate(): Promise<void> {
    const found = await lstat(this.path);
    if (found.isSymbolicLink()) throw this.#refused('is a link. Give the folder that it points to with --data.');
    if (!found.isDirectory()) throw this.#refused("isn't a folder. Choose another with --data.");
    if (process.platform === 'win32') return;
    if (found.uid !== process.getuid?.())
      throw this.#refused(
        'belongs to another user. Choose a folder of your own with --data, or run Dialtree as that user.',
      );
    if (networkFileSystems.has((await statfs(this.path)).type))
      throw this.#refused(
        "is on a network drive, where Dialtree can't lock it. Choose a folder on a local disk with --data.",
      );
    if ((found.mode & everybodyWrites) !== 0)
      throw this.#refused(
        `can be changed by any user of this machine. Check what it contains, then run: chmod 700 '${this.path}'`,
      );
    if ((found.mode & othersRead) === 0) return;
    const names = await readdir(this.path);
    if (names.length > 0 && !names.includes(keyName))
      throw this.#refused(
        `contains other files, and other users can read it. Use --data to choose a folder that only Dialtree uses, or run: chmod 700 '${this.path}'`,
      );
    await chmod(this.path, 0o700);
    if (((await lstat(this.path)).mode & othersRead) !== 0)
      throw this.#refused(
        "stays readable to other users, because its file system doesn't support permissions. Choose a folder on another disk with --data.",
      );
  }

  #refused(why: string): HumanError {
    return new HumanError(`The data folder ${this.path} ${why}`, { status: 503, code: 'data_folder' });
  }

  /** Returns the key, or undefined if there is none. Rejects with HumanError `key_file` if others can read it. */
  async readKey(): Promise<string | undefined> {
    try {
      const { mode } = await lstat(this.keyFile);
      if (process.platform !== 'win32' && (mode & othersRead) !== 0) {
        throw new HumanError(
          `Other users can read the key file ${this.keyFile}. Delete the file: Dialtree creates a new key the next time it starts. If you're sure that no other user has read the key, you can run this command instead: chmod 600 '${this.keyFile}'`,
          { status: 503, code: 'key_file' },
        );
      }
      return (await readFile(this.keyFile, 'utf8')).trim();
    } catch (cause) {
      if (cause instanceof HumanError) throw cause;
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
      throw new HumanError(
        `Couldn't read the key file ${this.keyFile}. Check the file's permissions, or delete the file: Dialtree creates a new key the next time it starts.`,
        { status: 503, code: 'key_file', cause },
      );
    }
  }

  hasDatabase(): Promise<boolean> {
    return stat(join(this.database, 'PG_VERSION')).then(
      () => true,
      () => false,
    );
  }

  /** Installs a ustar archive of the store atomically, so that a crash leaves nothing incomplete. */
  async installDatabase(archive: Buffer): Promise<void> {
    await this.replaceDatabase((directory) => unpackTar(archive, directory));
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

  /** Renames a damaged database; nothing is ever deleted. Returns its new path. */
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

  /** Removes databases that a crash left incomplete. Nothing was ever stored in them. */
  async removeUnfinished(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (name.startsWith(unfinished)) await rm(join(this.path, name), { recursive: true, force: true });
    }
  }
}

const unfinished = 'database-unfinished-';
const keyName = 'api-key';
const everybodyWrites = 0o002;
/** Any permission of the group or of others. */
const othersRead = 0o077;
/** `f_type` of NFS, SMB (3 generations), AFS, Ceph, GPFS and Lustre: locks there may not apply to other machines. */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x47504653, 0x0bd00bd0,
]);
const exportName = /^store-[0-9TZ-]+\.tar\.gz$/;

/** Writes a file atomically: it is complete and on the disk, or not there. */
export async function writeFileWhole(
  path: string,
  bytes: Uint8Array | string | Iterable<Uint8Array>,
  mode = 0o600,
): Promise<void> {
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
