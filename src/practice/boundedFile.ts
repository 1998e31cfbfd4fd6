import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { maxFileBytes } from '../base/fileSize.ts';
import { HumanError } from '../contract/errors.ts';

interface BoundedFileOptions {
  /** How messages name the file; default its path. */
  readonly name?: string;
  readonly maxBytes?: number;
  /** Accepts pipes and devices, which only a person names, as in `dialtree read <(…)`. */
  readonly pipes?: boolean;
}

/**
 * Reads a file whose size and kind aren't known. Other kinds than regular files can block forever, and reading stops at
 * the size limit even if the file grows or hides its size, as those in /proc do. Otherwise like Node's `readFile`.
 * @throws HumanError 400 `file_too_large`, `file_not_regular`
 */
export async function readBounded(
  file: string,
  { name = file, maxBytes = maxFileBytes, pipes = false }: BoundedFileOptions = {},
): Promise<Buffer> {
  // Opening a pipe without a writer blocks. Windows doesn't have this flag.
  const handle = await open(file, constants.O_RDONLY | (pipes ? 0 : (constants.O_NONBLOCK ?? 0)));
  try {
    const stats = await handle.stat();
    // Reading a folder reports that it is one.
    if (!pipes && !stats.isFile() && !stats.isDirectory())
      throw new HumanError(`${name} isn't a regular file. Give a file that is stored on a disk.`, {
        status: 400,
        code: 'file_not_regular',
      });
    if (stats.size > maxBytes) throw fileTooLarge(name, maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, end: maxBytes }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size > maxBytes) throw fileTooLarge(name, maxBytes);
    return Buffer.concat(chunks, size);
  } finally {
    await handle.close();
  }
}

export const fileTooLarge = (name: string, maxBytes = maxFileBytes): HumanError =>
  new HumanError(`${name} is larger than ${String(maxBytes / 1e6)} MB. Split it, or shorten it.`, {
    status: 400,
    code: 'file_too_large',
  });
