import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

const inMemory = '/dev/shm';
const prefix = 'dt-';
/** Far more than the tests of a run need at the same time. */
const neededBytes = 4 * 2 ** 30;

/**
 * Creates a folder in memory for temporary files of tests: hundreds of stores of 30 MB, each synced to disk otherwise.
 * It is removed with this process. Returns undefined if the machine has no place for it, or too little memory.
 */
export function makeMemoryFolder(): string | undefined {
  if (process.platform !== 'linux' || !isPlaceForPrograms(inMemory)) return undefined;
  removeForgotten();
  const { bavail, bsize } = statfsSync(inMemory);
  if (Math.min(bavail * bsize, freemem() / 2) < neededBytes) return undefined;
  const folder = path.join(inMemory, `${prefix}${String(process.pid)}`);
  mkdirSync(folder);
  // For tests run by root, the Postgres server runs as the user "nobody".
  chmodSync(folder, 0o1777);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, remove);
  return folder;
}

/** Programs are copied there and run, which many containers forbid. */
function isPlaceForPrograms(folder: string): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === folder);
  return mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
}

/** Removes the folders of runs that were killed. */
function removeForgotten(): void {
  for (const name of readdirSync(inMemory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
    if (Number.isInteger(pid) && !isRunning(pid)) rmSync(path.join(inMemory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
