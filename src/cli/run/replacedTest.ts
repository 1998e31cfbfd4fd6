import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HeldTest } from '../../client/testShelf.ts';
import { HumanError } from '../../contract/errors.ts';
import { shownPath } from '../terminal/inputFile.ts';
import type { LoadedTest } from './testFiles.ts';

/**
 * Writes what a service held of a test as a file that can take the place of the test's own: secrets stand in both, so
 * that it is readable by its owner alone. Goes into `folder`, or beside the test's file; answers its path from `cwd`.
 * One file a version: none is replaced. Rejects with a HumanError where it cannot be written.
 */
export async function keepReplaced(
  { path: file }: LoadedTest,
  { createdAt: _createdAt, updatedAt, profileId: _profileId, fromFile: _fromFile, ...held }: HeldTest,
  folder: string | undefined,
  cwd: string,
): Promise<string> {
  const { type: _type, ...test } = { type: undefined, ...held };
  const place = path.join(
    folder ?? path.dirname(file),
    `${path.basename(file, '.json')}.replaced-${updatedAt.replaceAll(/[^\dTZ]/g, '')}-${held.id.slice(0, 8)}.json`,
  );
  try {
    await writeFile(place, `${JSON.stringify(test, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    // An earlier run has kept this very version.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new HumanError(
        `Couldn't save the version that was edited on the service to ${shownPath(place, cwd)}, so Dialtree didn't replace it. Check the path, its permissions and the free disk space.`,
        { status: 400, code: 'unwritable', cause },
      );
  }
  return shownPath(place, cwd);
}
