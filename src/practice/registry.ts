import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir, uptime, userInfo } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { dialTargetSchema } from '../contract/common.ts';
import { HumanError } from '../contract/errors.ts';

/** Where a practice server listens. `host` is an address, which can be one for all interfaces (`0.0.0.0`, `::`). */
export interface PracticePlace {
  readonly host: string;
  readonly port: number;
}

/** A practice IVR, and the SIP address that calls it. */
const runningIvrSchema = z.object({ name: z.string().max(200), uri: dialTargetSchema });
export type RunningIvr = z.output<typeof runningIvrSchema>;

/** Decides whether Dialtree itself answers calls to an address and port of this machine, and lists what answers. */
export interface PracticePlaces {
  answersAt(host: string, port: number): boolean;
  running(): readonly RunningIvr[];
}

/**
 * The practice servers of this user on this machine: one small file for each address and port, in a folder that only
 * this user can write to. It names the process, and counts while that process runs. The editor, terminals and the
 * service of one user find the same folder, whatever their environment.
 */
export class PracticeRegistry implements PracticePlaces {
  readonly #folders: readonly string[];

  /** `folders`: entries are written to the first one that is writable, and read from all. */
  constructor(folders: readonly string[] = foldersOfThisUser()) {
    this.#folders = folders;
  }

  /**
   * Registers that this process answers calls there, with its first hundred IVRs. Returns a function that removes
   * the entry.
   * @throws HumanError `practice_registry`
   */
  announce({ host, port }: PracticePlace, ivrs: readonly RunningIvr[] = []): () => void {
    const folder = this.#folders.find(isWritable);
    if (folder === undefined) {
      const first = this.#folders[0] ?? 'a folder of yours';
      throw new HumanError(
        `Couldn't register the practice IVR in ${first}, so calls to it would count as real calls. Make that folder writable only for you (chmod 700), then start the practice IVR again.`,
        { status: 500, code: 'practice_registry' },
      );
    }
    sweep(folder);
    const file = path.join(folder, fileName(host, port));
    const shown = ivrs.slice(0, 100).map(({ name, uri }) => ({ name, uri }));
    const entry: Entry = { id: randomUUID(), pid: process.pid, ...proofOf(process.pid), ivrs: shown };
    const draft = `${file}.${entry.id}`;
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
    return () => {
      if (readEntry(file)?.id === entry.id) rmSync(file, { force: true });
    };
  }

  answersAt(host: string, port: number): boolean {
    const names = addressesOf(host).map((address) => fileName(address, port));
    return this.#folders.some((folder) => isOwn(folder) && names.some((name) => isLive(path.join(folder, name))));
  }

  /** Returns the practice IVRs that this user runs, by address. */
  running(): readonly RunningIvr[] {
    return this.#folders
      .filter(isOwn)
      .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
      .filter(isLive)
      .flatMap((file) => z.array(runningIvrSchema).safeParse(readEntry(file)?.ivrs).data ?? [])
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }
}

/**
 * `proof` distinguishes the process from a later one with its number; `machine` distinguishes this machine, and its
 * network, from others that share the folder.
 */
interface Entry {
  readonly id: string;
  readonly pid: number;
  readonly proof?: string | undefined;
  readonly machine?: string | undefined;
  readonly ivrs?: unknown;
}

/**
 * From the user's record rather than the environment, which differs between an editor, a terminal and a service:
 * variables such as HOME and XDG_RUNTIME_DIR can be missing or changed. The second folder is for users whose home isn't
 * writable, as in containers; on Windows each user has a folder for temporary files.
 */
function foldersOfThisUser(): readonly string[] {
  const home = homeOfThisUser();
  switch (process.platform) {
    case 'win32':
      return [path.join(process.env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'dialtree', 'practice')];
    case 'darwin':
      return [path.join(home, 'Library', 'Application Support', 'dialtree', 'practice'), ownIn('/tmp')];
    default:
      return [path.join(home, '.local', 'state', 'dialtree', 'practice'), ownIn('/tmp')];
  }
}

function homeOfThisUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user without a record, as in containers.
    return homedir();
  }
}

const ownIn = (folder: string): string => path.join(folder, `dialtree-practice-${String(process.getuid?.() ?? '')}`);

/** A real folder of this user, closed to others. Windows protects LOCALAPPDATA by itself. */
function isOwn(folder: string): boolean {
  const found = look(folder);
  return (
    found?.isDirectory() === true &&
    (process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0))
  );
}

function look(folder: string): Stats | undefined {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(folder)) return false;
    const probe = path.join(folder, `.${randomUUID()}`);
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

/** Without characters that aren't allowed in a file name. */
const fileName = (host: string, port: number): string =>
  `${host.toLowerCase().replaceAll(/[^0-9a-z.]/g, '-')}_${String(port)}`;

/**
 * Returns the addresses at which a server receives what is sent to this host. Only addresses of this machine:
 * `localhost` is called over IPv4. A server at all IPv4 addresses receives what is sent to any of 127.x.x.x, and
 * another program can't listen there at the same time.
 */
function addressesOf(host: string): readonly string[] {
  const address = host.toLowerCase() === 'localhost' ? '127.0.0.1' : host;
  if (address === '::1') return ['::1', '::'];
  return /^127(?:\.\d{1,3}){3}$/.test(address) ? [address, '0.0.0.0'] : [];
}

function isLive(file: string): boolean {
  const entry = readEntry(file);
  if (!entry || !isAlive(entry.pid)) return false;
  const { proof, machine } = proofOf(entry.pid);
  // Outside Linux, only the number identifies the process, so an entry from before the system started doesn't count.
  return (
    entry.proof === proof &&
    entry.machine === machine &&
    (proof !== undefined || entry.writtenAt > Date.now() - uptime() * 1000 - clockSlackMs)
  );
}

/** Returns the entry of this user, from a plain file. */
function readEntry(file: string): (Entry & { readonly writtenAt: number }) | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { uid, mtimeMs, size } = fstatSync(handle);
    if ((process.getuid !== undefined && uid !== process.getuid()) || size > longestEntry) return undefined;
    const { id, pid, proof, machine, ivrs } = JSON.parse(readFileSync(handle, 'utf8')) as Partial<Entry>;
    if (typeof id !== 'string' || typeof pid !== 'number') return undefined;
    return {
      id,
      pid,
      proof,
      machine,
      ivrs,
      writtenAt: mtimeMs,
    };
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** More than a hundred IVRs with the longest names. */
const longestEntry = 200_000;
/** Tolerance for a clock that is adjusted while the machine runs. */
const clockSlackMs = 60_000;

/** Linux provides the start time of a process, which no later process with its number shares. */
function proofOf(pid: number): Pick<Entry, 'proof' | 'machine'> {
  if (process.platform !== 'linux') return {};
  try {
    // The name of the program comes second, in brackets, and can contain any character. The start is the 22nd field
    // (proc(5)).
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // An ended process keeps its number and its start until its parent reads its status (zombie, dead).
    if (state === 'Z' || state === 'X') return {};
    const proof = fields[18];
    return {
      proof,
      machine: `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/net')}`,
    };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const entry = readEntry(file);
    if (entry && !isAlive(entry.pid)) rmSync(file, { force: true });
  }
}
