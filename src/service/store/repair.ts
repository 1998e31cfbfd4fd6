import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';
import type { DataFolder } from './folder.ts';
import { openPglite } from './openPglite.ts';

/**
 * Recovers a damaged store: sets it aside (it is never deleted) and installs the newest export that opens, or an empty
 * store if there is none. A store that opens isn't changed.
 */
export async function repairStore(
  folder: DataFolder,
  assetsDir: string | undefined,
  log: Logger,
  now: Date,
): Promise<void> {
  if (!(await folder.hasDatabase()) || (await opens(folder, assetsDir, log))) return;
  const aside = await folder.moveDatabaseAside(now);
  log.warn({ aside }, 'the damaged store was set aside');
  for (const path of await folder.listExports()) {
    try {
      await folder.installDatabase(await promisify(gunzip)(await folder.readExport(path)));
    } catch (error) {
      log.warn({ export: path, err: error }, "this export can't be read; trying the previous one");
      continue;
    }
    if (await opens(folder, assetsDir, log)) {
      log.warn(
        { export: path },
        'the store was restored from its newest usable export; what was stored after it is in the folder set aside',
      );
      return;
    }
    await folder.moveDatabaseAside(now);
  }
  log.warn('there is no usable export: the store starts empty');
}

async function opens(folder: DataFolder, assetsDir: string | undefined, log: Logger): Promise<boolean> {
  try {
    const pglite = await openPglite({ folder, assetsDir, log });
    try {
      await pglite.query('SELECT count(*) FROM mapping_steps');
    } finally {
      await pglite.close();
    }
    return true;
  } catch (error) {
    if (error instanceof HumanError && error.code !== 'store_damaged') throw error;
    return false;
  }
}
