import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoredTest } from '../../client/savedTestApi.ts';
import { HumanError } from '../../contract/errors.ts';
import { shownPath } from '../terminal/inputFile.ts';
import type { LoadedTest } from './testFiles.ts';

/**
 * Writes a service's version of a test to a file that can replace the test's own. Both contain secrets, so only the
 * owner can read it. Writes into `folder`, or beside the test's file, and returns the path relative to `cwd`. Each
 * version gets its own file, so none is replaced. Rejects with a HumanError if the file can't be written.
 */
export async function keepReplaced(
  { path: file }: LoadedTest,
  { createdAt: _createdAt, updatedAt, profileId: _profileId, fromFile: _fromFile, ...held }: StoredTest,
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
    // An earlier run has already saved this version.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new HumanError(
        `Couldn't save the version that was edited on the service to ${shownPath(place, cwd)}, so Dialtree didn't replace it. Check the path, its permissions and the free disk space.`,
        { status: 400, code: 'unwritable', cause },
      );
  }
  return shownPath(place, cwd);
}
