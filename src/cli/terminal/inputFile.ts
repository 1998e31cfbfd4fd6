import path from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { readBounded } from '../../practice/boundedFile.ts';

/** Returns a path as shown to the user: relative if it is below `cwd`. */
export const shownPath = (file: string, cwd: string): string => {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.replaceAll(path.sep, '/');
};

/**
 * Reads the bytes of a file, pipe or device that the user names. Rejects with a HumanError if it is too large, and
 * otherwise like Node's `readFile`.
 */
export const readBytes = (file: string, maxBytes?: number): Promise<Buffer> =>
  readBounded(file, { pipes: true, ...(maxBytes !== undefined && { maxBytes }) });

/** Does the same, but rejects with a HumanError (400) with this message if the file can't be read. */
export const readNamed = (file: string, message: string): Promise<Buffer> =>
  readBytes(file).catch((cause: unknown) => {
    throw cause instanceof HumanError ? cause : new HumanError(message, { status: 400, cause });
  });

/** Reads a regular file as UTF-8, or returns why it can't. `refused`: the file exists, but isn't one that is read. */
export async function readInputFile(file: string): Promise<string | { readonly why: string; readonly refused?: true }> {
  let bytes: Buffer;
  try {
    bytes = await readBounded(file, { name: 'The file' });
  } catch (error) {
    return error instanceof HumanError
      ? { why: error.message, refused: true }
      : { why: `Couldn't read the file (${codeOf(error)}). Check the path and its permissions.` };
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { why: "The file isn't UTF-8 text. Save it as UTF-8." };
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';
