import { constants } from 'node:fs';
import { access, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { note } from './output.ts';

/**
 * Creates the folders of output files and checks that the files are writable before anything is called, so that a wrong
 * path doesn't waste a run. Existing files don't change. Rejects with a HumanError (400).
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
    // A link to a file that doesn't exist yet.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await rm(place);
}

/**
 * Writes a report to its file, or to standard output without a file. If the file can't be written, prints the report
 * and returns false.
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
