import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { maxFileBytes } from '../../base/fileSize.ts';
import { HumanError } from '../../contract/errors.ts';

/** Returns a path as shown to the user: relative if it is below `cwd`. */
export const shownPath = (file: string, cwd: string): string => {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.replaceAll(path.sep, '/');
};

const tooLarge = `larger than ${String(maxFileBytes / 1e6)} MB`;

/** Reads the bytes of a file. Rejects with a HumanError if it is too large, and otherwise like Node's `readFile`. */
export async function readBytes(file: string): Promise<Buffer> {
  if ((await stat(file)).size > maxFileBytes) throw fileTooLarge(file);
  return readFile(file);
}

export const fileTooLarge = (name: string): HumanError =>
  new HumanError(`${name} is ${tooLarge}. Split it, or shorten it.`, { status: 400, code: 'file_too_large' });

/** Reads a file as UTF-8, or returns why it can't. */
export async function readText(file: string): Promise<string | { readonly why: string; readonly tooLarge?: true }> {
  try {
    if ((await stat(file)).size > maxFileBytes)
      return {
        why: `The file is ${tooLarge}. Split it, or shorten it.`,
        tooLarge: true,
      };
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    return {
      why:
        error instanceof TypeError
          ? "The file isn't UTF-8 text. Save it as UTF-8."
          : `Couldn't read the file (${codeOf(error)}). Check the path and its permissions.`,
    };
  }
}

/** Returns the code of a file system error, such as ENOENT. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';
