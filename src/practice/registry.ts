import { createHash, randomUUID } from 'node:crypto';
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
  realpathSync,
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
import { ivrIdentity, ivrSlug } from '../contract/ivrFile.ts';
import { parseUri } from '../telephony/sip/uri.ts';

/** Where a practice server listens. `host` is an address, which can be one for all interfaces (`0.0.0.0`, `::`). */
export interface PracticePlace {
  readonly host: string;
  readonly port: number;
}

/** A practice IVR, the SIP address that calls it, and the file that it plays, which identifies it. */
const runningIvrSchema = z.object({
  name: z.string().max(200),
  number: z.string().max(40).optional(),
  uri: dialTargetSchema,
  file: z.string().max(4096).optional(),
});
export type RunningIvr = z.output<typeof runningIvrSchema>;

/** The oldest of more are forgotten. */
const mostPast = 200;
const mostAddresses = 10;

/** What a file was called at: its addresses, the newest first. */
const pastIvrSchema = runningIvrSchema
  .omit({ uri: true })
  .required({ file: true })
  .extend({
    uris: z.array(dialTargetSchema).min(1).max(mostAddresses),
  });
type PastIvr = z.output<typeof pastIvrSchema>;

/** A practice IVR that has left an address. `uri`: where it answers now, if it runs. */
export interface MovedIvr {
  readonly name: string;
  readonly file: string;
  readonly uri?: string | undefined;
}

/** Decides whether Dialtree itself answers calls to an address and port of this machine, and lists what answers. */
export interface PracticePlaces {
  /** Returns the id of the server that answers there. Each start has another one. */
  answererAt(host: string, port: number): string | undefined;
  running(): readonly RunningIvr[];
  /** Returns the practice IVR of this user that was the last at exactly this address, if it isn't there now. */
  movedFrom(uri: string): MovedIvr | undefined;
}

/**
 * The practice servers of this user on this machine: one small file for each address and port, in a folder that only
 * this user can write to. It names the process, and counts while that process runs. The editor, terminals and the
 * service of one user find the same folder, whatever their environment.
 *
 * Another file for each IVR keeps the addresses that it had. It never makes an address one of a practice IVR: only a
 * running server does.
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
    const shown = ivrs.slice(0, 100).map(({ name, number, uri, file: played }) => ({
      name,
      ...(number !== undefined && { number }),
      uri,
      ...(played !== undefined && { file: realPath(played) }),
    }));
    const entry: Entry = { id: randomUUID(), pid: process.pid, ...proofOf(process.pid), ivrs: shown };
    replaceFile(file, entry);
    try {
      for (const { file: played, ...ivr } of shown)
        if (played !== undefined) keepPast(folder, { ...ivr, file: played });
    } catch {
      // Another process removed a file, or the disk is full. The IVR answers calls anyway.
    }
    return () => {
      if (readEntry(file)?.id === entry.id) rmSync(file, { force: true });
    };
  }

  answererAt(host: string, port: number): string | undefined {
    const names = addressesOf(host).map((address) => fileName(address, port));
    const files = this.#folders.filter(isOwn).flatMap((folder) => names.map((name) => path.join(folder, name)));
    return files.flatMap((file) => liveEntry(file) ?? [])[0]?.id;
  }

  /** Returns the practice IVRs that this user runs, by address. */
  running(): readonly RunningIvr[] {
    return this.#folders
      .filter(isOwn)
      .flatMap((folder) => filesIn(folder).filter((file) => !isPast(file)))
      .flatMap((file) => z.array(runningIvrSchema).safeParse(liveEntry(file)?.ivrs).data ?? [])
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }

  movedFrom(uri: string): MovedIvr | undefined {
    const wanted = placeOf(uri);
    if (wanted === undefined) return undefined;
    const isThere = (uris: readonly string[], number?: string): boolean =>
      uris.some((one) => placeOf(one) === wanted || (number !== undefined && placeOf(one, number) === wanted));
    const running = this.running();
    if (running.some((ivr) => isThere([ivr.uri], ivr.number))) return undefined;
    const past = this.#past().find(({ uris, number }) => isThere(uris, number));
    if (!past) return undefined;
    const { name, file } = past;
    const now = running.find((ivr) => ivr.file !== undefined && ivrIdentity(ivr.file) === ivrIdentity(file));
    return { name, file, uri: now?.uri };
  }

  /** Returns the addresses that the IVR of this file has had, the newest first. */
  hadBy(file: string): readonly string[] {
    const name = pastName(realPath(file));
    return this.#folders.filter(isOwn).flatMap((folder) => readPast(path.join(folder, name))?.uris ?? []);
  }

  /** Returns the port that the IVR of this file had last, unless another file has had its address since. */
  lastPortOf(file: string): number | undefined {
    const [uri = ''] = this.hadBy(file);
    const latest = this.#past().find(({ uris }) => uris.includes(uri));
    return latest && ivrIdentity(latest.file) === ivrIdentity(realPath(file)) ? parseUri(uri)?.port : undefined;
  }

  /** The newest first. */
  #past(): readonly PastIvr[] {
    return this.#folders
      .filter(isOwn)
      .flatMap(pastIn)
      .flatMap((file) => readPast(file) ?? [])
      .sort((one, other) => other.writtenAt - one.writtenAt);
  }
}

const isPast = (file: string): boolean => /^ivr-[0-9a-f]+\.json$/.test(path.basename(file));
const filesIn = (folder: string): string[] => readdirSync(folder).map((name) => path.join(folder, name));
const pastIn = (folder: string): string[] => filesIn(folder).filter(isPast);

const pastName = (played: string): string =>
  `ivr-${createHash('sha256').update(ivrIdentity(played)).digest('hex')}.json`;

function readPast(file: string): (PastIvr & { readonly writtenAt: number }) | undefined {
  const read = readOwn(file);
  const past = pastIvrSchema.safeParse(read?.value).data;
  return past && read && { ...past, writtenAt: read.writtenAt };
}

/** Keeps what this IVR is called at, even after its process has ended. */
function keepPast(folder: string, { uri, ...ivr }: RunningIvr & Pick<PastIvr, 'file'>): void {
  const file = path.join(folder, pastName(ivr.file));
  const before = readPast(file)?.uris ?? [];
  const past: PastIvr = { ...ivr, uris: [uri, ...before.filter((one) => one !== uri)].slice(0, mostAddresses) };
  replaceFile(file, past);
  const kept = pastIn(folder);
  if (kept.length <= mostPast) return;
  const byAge = kept
    .map((one) => ({ one, writtenAt: look(one)?.mtimeMs ?? 0 }))
    .sort((a, b) => b.writtenAt - a.writtenAt);
  for (const { one } of byAge.slice(mostPast)) rmSync(one, { force: true });
}

/** Others read the whole old file or the whole new one. */
function replaceFile(file: string, value: object): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns user, host and port of an address of this machine, in one spelling. `number` replaces the user. */
function placeOf(uri: string, number?: string): string | undefined {
  const { user = number, host = '', port } = parseUri(uri) ?? {};
  const [address] = addressesOf(host);
  return user === undefined || address === undefined
    ? undefined
    : `${ivrSlug(number ?? user)}@${fileName(address, port ?? 5060)}`;
}

/** Different paths can lead to one file. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
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

/** Returns the entry if its process runs. */
function liveEntry(file: string): Entry | undefined {
  const entry = readEntry(file);
  if (!entry || !isAlive(entry.pid)) return undefined;
  const { proof, machine } = proofOf(entry.pid);
  // Outside Linux, only the number identifies the process, so an entry from before the system started doesn't count.
  const isSame =
    entry.proof === proof &&
    entry.machine === machine &&
    (proof !== undefined || entry.writtenAt > Date.now() - uptime() * 1000 - clockSlackMs);
  return isSame ? entry : undefined;
}

/** Returns the entry of this user. */
function readEntry(file: string): (Entry & { readonly writtenAt: number }) | undefined {
  const read = readOwn(file);
  if (!read) return undefined;
  const { id, pid, proof, machine, ivrs } = (read.value ?? {}) as Partial<Entry>;
  if (typeof id !== 'string' || typeof pid !== 'number') return undefined;
  return { id, pid, proof, machine, ivrs, writtenAt: read.writtenAt };
}

/** Returns the JSON of a plain file of this user. */
function readOwn(file: string): { readonly value: unknown; readonly writtenAt: number } | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { uid, mtimeMs, size } = fstatSync(handle);
    if ((process.getuid !== undefined && uid !== process.getuid()) || size > longestEntry) return undefined;
    return { value: JSON.parse(readFileSync(handle, 'utf8')), writtenAt: mtimeMs };
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** More than a hundred IVRs with the longest names and paths. */
const longestEntry = 1_000_000;
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
  for (const file of filesIn(folder)) {
    const entry = readEntry(file);
    if (entry && !isAlive(entry.pid)) rmSync(file, { force: true });
  }
}
