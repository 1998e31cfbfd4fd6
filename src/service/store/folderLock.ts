import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HumanError } from '../../contract/errors.ts';

/**
 * The lock of a data folder, exact even after a crash and if many processes start simultaneously.
 *
 * `lock/` in the folder contains one file, whose name says which process has the folder: the id of a process's lock, or
 * `free`. A process takes the folder by renaming that file to its own id, and the system lets only one process rename
 * it. An id is never used twice, and its process listens on the socket of that id before it takes the folder. So if a
 * socket refuses connections, its holder has ended for good, and the folder can be taken.
 */
export class FolderLock {
  readonly id: string;
  readonly #path: string;
  readonly #server: Server;

  private constructor(path: string, id: string, server: Server) {
    this.#path = path;
    this.id = id;
    this.#server = server;
  }

  /** Takes over from an ended holder; undefined if another process is faster. Rejects with HumanError `data_folder`. */
  static async take(
    path: string,
    from: string,
    onConnection: (socket: Socket) => void,
  ): Promise<FolderLock | undefined> {
    const id = `${String(process.pid)}-${randomBytes(8).toString('hex')}`;
    const server = createServer(onConnection);
    const lock = new FolderLock(path, id, server);
    try {
      await listen(server, path, id);
      await rename(join(path, lockName, from), join(path, lockName, id));
    } catch (error) {
      await lock.#close();
      // Either the name of the holder is gone, or this process's socket: an owner that cleans up can mistake a socket
      // that isn't listening yet for a dead one.
      if (isMissing(error)) return undefined;
      throw error;
    }
    await removeLeftovers(path, id);
    return lock;
  }

  /** Frees the folder for the next process. A folder that was deleted in the meantime needs no freeing. */
  async release(): Promise<void> {
    await rename(join(this.#path, lockName, this.id), join(this.#path, lockName, free)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await this.#close();
  }

  async #close(): Promise<void> {
    await new Promise<void>((settle) => {
      this.#server.close(() => settle());
    });
    if (!isWindows) await rm(join(this.#path, socketName(this.id)), { force: true });
  }
}

/**
 * Returns which process may have the folder: an id, or `free`; two if the name is just changing. Creates the lock of a
 * folder that has none.
 */
export async function readHolders(path: string): Promise<[string, ...string[]]> {
  for (;;) {
    const [first, ...more] = await readdir(join(path, lockName)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    if (first !== undefined) return [first, ...more];
    await makeLock(path);
  }
}

/** Connects to the process that has the folder. Returns undefined if it has ended. */
export async function connectHolder(path: string, id: string): Promise<Socket | undefined> {
  if (id === free) return undefined;
  try {
    return await atSocket(
      path,
      socketName(id),
      (address) =>
        new Promise((settle, reject) => {
          const socket = createConnection(address);
          socket.once('error', reject);
          socket.once('connect', () => {
            socket.off('error', reject);
            socket.on('error', () => undefined);
            settle(socket);
          });
        }),
    );
  } catch (error) {
    if (isErrno(error) && ended.has(error.code ?? '')) return undefined;
    throw error;
  }
}

/** Returns the process whose lock has this id. */
export const pidOf = (id: string): string => id.split('-')[0] ?? '';

const lockName = 'lock';
const free = 'free';
const unfinished = '.new';
const isWindows = process.platform === 'win32';
/** Connection errors if no process listens any more. The last is for a file that isn't a socket. */
const ended: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);
/** `sun_path` holds 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const longestAddress = 103;

const socketName = (id: string): string => `${lockName}-${id}`;
const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;
const isMissing = (error: unknown): boolean => isErrno(error) && error.code === 'ENOENT';

/** Installs `lock/` atomically: a non-empty directory is never replaced, so it never contains a second file. */
async function makeLock(path: string): Promise<void> {
  const unfinishedPath = join(path, `${socketName(randomBytes(8).toString('hex'))}${unfinished}`);
  await mkdir(unfinishedPath, { mode: 0o700 });
  try {
    await writeFile(join(unfinishedPath, free), '');
    await rename(unfinishedPath, join(path, lockName));
  } catch (error) {
    await rm(unfinishedPath, { recursive: true, force: true });
    const holders = await readdir(join(path, lockName)).catch(() => []);
    if (holders.length === 0 && !isMissing(error)) throw error;
  }
}

/** Listens under another name first, so that the socket of an id never refuses connections while its process runs. */
async function listen(server: Server, path: string, id: string): Promise<void> {
  const name = socketName(id);
  await atSocket(path, isWindows ? name : `${name}${unfinished}`, async (address) => {
    await new Promise<void>((settle, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) =>
        reject(cause.code === 'ENOENT' ? cause : noSockets(path, cause)),
      );
      server.listen(address, settle);
    });
  });
  server.unref();
  if (!isWindows) await rename(join(path, `${name}${unfinished}`), join(path, name));
}

const noSockets = (path: string, cause: Error): HumanError =>
  new HumanError(
    `Dialtree couldn't lock the data folder ${path}: its file system doesn't support sockets (${cause.message}). Choose a folder on another disk with --data.`,
    { status: 503, code: 'data_folder', cause },
  );

/**
 * A socket is in the folder, where no other user can reach it. If its path is too long, a link in a private folder
 * leads to it. Windows has named pipes.
 */
async function atSocket<Result>(
  path: string,
  name: string,
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  if (isWindows) return await work(`\\\\.\\pipe\\dialtree-${name}`);
  const address = join(path, name);
  if (Buffer.byteLength(address) <= longestAddress) return await work(address);
  const short = await mkdtemp(
    join(
      [tmpdir(), '/tmp'].find((place) => Buffer.byteLength(join(place, 'dt-123456', 'd', name)) <= longestAddress) ??
        '/tmp',
      'dt-',
    ),
  );
  try {
    await symlink(resolve(path), join(short, 'd'));
    return await work(join(short, 'd', name));
  } finally {
    await rm(short, { recursive: true, force: true });
  }
}

/** Removes sockets of processes that ended without releasing the folder, and incomplete locks. */
async function removeLeftovers(path: string, own: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (!name.startsWith(`${lockName}-`) || name === socketName(own)) continue;
    const socket = await connectHolder(path, name.slice(lockName.length + 1)).catch(() => 'unknown');
    if (typeof socket === 'object') socket.destroy();
    else if (socket === undefined) await rm(join(path, name), { recursive: true, force: true });
  }
}
