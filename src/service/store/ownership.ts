import type { Socket } from 'node:net';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { systemClock, sleep } from '../../base/clock.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { DataFolder } from './folder.ts';
import { connectHolder, FolderLock, pidOf, readHolders } from './folderLock.ts';
import { askAddress, tellAddress } from './ownerTalk.ts';

/** Where the owner of a data folder serves it. The key is only in the folder, where only its user can read it. */
const ownerAddressSchema = z.object({ mcpUrl: z.url(), baseUrl: z.url(), pid: z.int().positive() });
export type OwnerAddress = z.output<typeof ownerAddressSchema>;

/** What a process learns that found an owner. */
interface Owned {
  readonly address: OwnerAddress;
  readonly key: string;
}

export interface Ownership {
  /** Gives the address to processes that know the key, now and later. */
  publish(address: OwnerAddress, key: string): void;
  /** Stops giving out the address. Later processes wait for the end of this process, or for `release`. */
  withdraw(): void;
  /** Call this only when nothing in the folder is open any more. */
  release(): Promise<void>;
}

/** How long a start waits for an owner that is starting, stopping or working on the store. */
const waitMs = 45_000;
const lookAgainMs = 50;

/**
 * Makes sure that exactly one process owns a data folder. PGlite has no lock itself, and two of them on one folder lose
 * data. The others get the address of the owner, once both have shown that they know the key in the folder. Rejects
 * with HumanError: `data_folder` if others can access the folder or it can't be locked, `not_owner` if the responder
 * proves nothing, `owner_elsewhere` if the service isn't on a loopback address, `owner_silent` after 45 s without a
 * response.
 */
export async function ownDataFolder(
  folder: DataFolder,
  clock: Clock = systemClock,
): Promise<{ owner: Ownership } | Owned> {
  await folder.assertPrivate();
  const patience = new Patience(clock, waitMs);
  try {
    for (;;) {
      const holders = await readHolders(folder.path);
      const found = await connectAny(folder.path, holders);
      if (!found) {
        const owner = await becomeOwner(folder, holders[0]);
        if (owner) return { owner };
        continue;
      }
      const owned = await ask(folder, found, patience);
      if (owned) return owned;
      if (patience.isOver) throw silent(folder, found.id);
      await patience.pause(lookAgainMs);
    }
  } finally {
    patience.end();
  }
}

interface Found {
  readonly id: string;
  readonly socket: Socket;
}

async function connectAny(path: string, holders: readonly string[]): Promise<Found | undefined> {
  for (const id of holders) {
    const socket = await connectHolder(path, id);
    if (socket) return { id, socket };
  }
  return undefined;
}

/** Returns undefined if the owner has ended, or is ending, without a response. */
async function ask(folder: DataFolder, { id, socket }: Found, patience: Patience): Promise<Owned | undefined> {
  patience.bound(socket);
  let key: string | undefined;
  const answer = await askAddress(socket, async () => {
    key = await folder.readKey();
    if (key === undefined)
      throw new HumanError(
        `Another process (${pidOf(id)}) is using ${folder.path}, but the key file ${folder.keyFile} is missing. Stop that process, then start Dialtree again.`,
        { status: 503, code: 'key_file' },
      );
    return key;
  });
  if (answer === 'ended') return undefined;
  const address = typeof answer === 'object' ? readAddress(answer.address) : undefined;
  if (!address || key === undefined) {
    throw new HumanError(
      `Process ${pidOf(id)} has locked ${folder.path}, but Dialtree couldn't verify that the process has the key in ${folder.keyFile}. For this reason, Dialtree didn't send the key to it. Stop that process, then start Dialtree again.`,
      { status: 503, code: 'not_owner' },
    );
  }
  const elsewhere = [address.baseUrl, address.mcpUrl].find((url) => !isLocalUrl(url));
  if (elsewhere !== undefined) {
    throw new HumanError(
      `Process ${String(address.pid)} is already using ${folder.path} and listens at ${elsewhere}, which other machines can reach too. Connect to that address, or stop the process first.`,
      { status: 503, code: 'owner_elsewhere' },
    );
  }
  return { address, key };
}

function readAddress(text: string): OwnerAddress | undefined {
  try {
    return ownerAddressSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function isLocalUrl(text: string): boolean {
  const { protocol, hostname, username } = new URL(text);
  return protocol === 'http:' && username === '' && isLoopback(hostname);
}

const silent = (folder: DataFolder, id: string): HumanError =>
  new HumanError(
    `Process ${pidOf(id)} is using ${folder.path}, but doesn't report its address. It may be starting, stopping, or exporting or importing a workspace. Wait for it to finish, or stop it. Then try again.`,
    { status: 503, code: 'owner_silent' },
  );

/** Returns undefined if another process was faster. */
async function becomeOwner(folder: DataFolder, from: string): Promise<Ownership | undefined> {
  const waiting = new Set<Socket>();
  let serve: ((socket: Socket) => void) | undefined;
  const lock = await FolderLock.take(folder.path, from, (socket) => {
    waiting.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      waiting.delete(socket);
    });
    serve?.(socket);
  });
  if (!lock) return undefined;
  return {
    publish(address, key) {
      const text = JSON.stringify(address);
      const tell = (socket: Socket): void => {
        void tellAddress(socket, key, text, () => serve === tell);
      };
      serve = tell;
      for (const socket of waiting) tell(socket);
    },
    withdraw() {
      serve = undefined;
    },
    async release() {
      serve = undefined;
      for (const socket of waiting) socket.destroy();
      await lock.release();
    },
  };
}

/** Limits a wait over several connections: when the time is over, the current one is closed. */
class Patience {
  readonly #clock: Clock;
  readonly #timer: ReturnType<Clock['setTimeout']>;
  #socket: Socket | undefined;
  #isOver = false;

  constructor(clock: Clock, forMs: number) {
    this.#clock = clock;
    this.#timer = clock.setTimeout(() => {
      this.#isOver = true;
      this.#socket?.destroy();
    }, forMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  bound(socket: Socket): void {
    this.#socket = socket;
    if (this.#isOver) socket.destroy();
  }

  pause(ms: number): Promise<void> {
    return sleep(this.#clock, ms);
  }

  end(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}
