import { statfs } from 'node:fs/promises';
import { HumanError } from '../../contract/errors.ts';

/** What Postgres needs to end a run and close properly: a segment of its log and a little more. */
const reserveBytes = 48 * 1024 * 1024;

/** Refuses writes before the disk is full, because Postgres ends the process if its log can't be written. */
export class DiskSpace {
  readonly #directory: string;
  readonly #freeBytes: (directory: string) => Promise<number>;

  constructor(directory: string, freeBytes = freeBytesOf) {
    this.#directory = directory;
    this.#freeBytes = freeBytes;
  }

  async demand(): Promise<void> {
    const free = await this.#freeBytes(this.#directory);
    if (free < reserveBytes) throw diskFull(this.#directory);
  }
}

export const diskFull = (directory: string, cause?: unknown): HumanError =>
  new HumanError(
    `The disk that contains ${directory} is full. Free up some space, then try again. Data that was already stored isn't lost.`,
    {
      status: 503,
      code: 'disk_full',
      cause,
    },
  );

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === '53100');

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
