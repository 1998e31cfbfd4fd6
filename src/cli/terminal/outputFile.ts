import { constants } from 'node:fs';
import { access, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { note } from './output.ts';

/**
 * Makes the folders of files that are to be written, and sees whether they can be, before anything is called: a run is
 * not lost for a path. What is there stays as it is. Rejects with a HumanError (400).
 */
export async function prepareFiles(files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue;
    const place = path.resolve(file);
    try {
      await mkdir(path.dirname(place), { recursive: true });
      const there = await stat(place).catch(() => undefined);
      if (there?.isDirectory() === true) throw cannotWrite(`${file}: it's a folder. Give the name of a file.`);
      if (there) await access(place, constants.W_OK);
      else await tryToMake(place);
    } catch (cause) {
      throw cause instanceof HumanError
        ? cause
        : cannotWrite(`${file}. Check the path, its permissions and the free disk space.`, cause);
    }
  }
}

async function tryToMake(place: string): Promise<void> {
  try {
    await (await open(place, 'wx')).close();
  } catch (error) {
    // A link to a file that is not there yet.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await rm(place);
}

/**
 * Writes a report to its file, or to standard output without one. Where the file cannot be written after all, the
 * report goes to standard output, and the value is false.
 */
export async function deliver(text: string, file: string | undefined): Promise<boolean> {
  if (file !== undefined) {
    try {
      await writeFile(file, text);
      return true;
    } catch (error) {
      note(
        `Couldn't write ${file} (${error instanceof Error ? error.message : String(error)}). The report goes to standard output instead.`,
      );
    }
  }
  process.stdout.write(text);
  return file === undefined;
}

const cannotWrite = (what: string, cause?: unknown): HumanError =>
  new HumanError(`Couldn't write ${what}`, { status: 400, code: 'unwritable', cause });
