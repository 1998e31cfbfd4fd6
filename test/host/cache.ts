import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

export const repositoryRoot = path.resolve(import.meta.dirname, '../..');

/** Downloaded programs are kept here between runs: outside node_modules, like those of `@vscode/test-electron`. */
export const cacheRoot = process.env['DIALTREE_TEST_CACHE'] ?? path.join(repositoryRoot, '.vscode-test');

const stagingPrefix = '.staging-';
const abandonedAfterMs = 3_600_000;

/**
 * Returns the folder `key` of the cache, and fills it on demand.
 *
 * `fill` works in a private folder that is renamed into place when it is complete, so that a killed process, or a
 * parallel download, never leaves an incomplete folder.
 */
export async function cachedFolder(key: string, fill: (staging: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheRoot, key);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(cacheRoot, { recursive: true });
  await removeAbandoned();
  const staging = await mkdtemp(path.join(cacheRoot, stagingPrefix));
  try {
    await fill(staging);
    await rename(staging, folder);
  } catch (error) {
    // A rename onto a filled folder fails: another process was faster, and its folder is as good.
    if (!existsSync(folder)) {
      throw error;
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return folder;
}

/** Removes staging folders of killed processes; an active one is younger than an hour. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(cacheRoot)) {
    if (!name.startsWith(stagingPrefix)) {
      continue;
    }
    const folder = path.join(cacheRoot, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
