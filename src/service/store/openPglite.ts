import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { PGlite, types } from '@electric-sql/pglite';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';
import type { DataFolder } from './folder.ts';
import { assetsWithPglite, readPgliteFiles, templateFileName } from './pgliteFiles.ts';

/** Halves the memory, and limits the log that is replayed after a crash. */
const settings = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB'];

/** The archive has 30 MB. With Node's default of 16 kB, joining the chunks takes longer than the decompression. */
const templateChunkBytes = 8 * 2 ** 20;

interface OpenPgliteOptions {
  readonly folder: DataFolder;
  readonly assetsDir: string | undefined;
  readonly log: Logger;
}

/** Opens or creates the database of a data folder. Rejects with HumanError `store_damaged` if it doesn't open. */
export async function openPglite({ folder, assetsDir, log }: OpenPgliteOptions): Promise<PGlite> {
  await folder.create();
  const assets = await assetsWithPglite(assetsDir);
  if (!(await folder.hasDatabase())) await makeDatabase(folder, assetsDir, assets, log);
  const files = await readPgliteFiles(assets, false);
  const recent: string[] = [];
  try {
    return await open(folder.database, files, (line) => {
      if (recent.push(line) > 20) recent.shift();
    });
  } catch (cause) {
    log.error({ err: cause, postgres: recent }, 'the store does not open');
    throw new HumanError(
      `The store in ${folder.database} is damaged and can't be opened. Start the service once with --repair, which sets the damaged store aside and restores the newest export.`,
      { status: 503, code: 'store_damaged', cause },
    );
  }
}

async function open(
  directory: string,
  files: Awaited<ReturnType<typeof readPgliteFiles>>,
  onLine: (line: string) => void,
): Promise<PGlite> {
  const capture = (line: string): boolean => {
    onLine(line);
    return false;
  };
  const pglite = new PGlite({
    dataDir: directory,
    postgresqlconf: settings,
    ...files,
    onStdout: capture,
    onStderr: capture,
    parsers: { [types.INT8]: (value) => Number(value) },
  });
  await pglite.waitReady;
  return pglite;
}

async function makeDatabase(
  folder: DataFolder,
  assetsDir: string | undefined,
  assets: string | undefined,
  log: Logger,
): Promise<void> {
  const template =
    assetsDir === undefined ? undefined : await readFile(join(assetsDir, templateFileName)).catch(() => undefined);
  if (template) {
    await folder.installDatabase(await promisify(brotliDecompress)(template, { chunkSize: templateChunkBytes }));
    return;
  }
  log.info('no store template among the assets: the store is made by initdb, which takes a few seconds');
  const files = await readPgliteFiles(assets, true);
  await folder.replaceDatabase(async (directory) => {
    const pglite = await open(directory, files, () => undefined);
    await pglite.close();
  });
}
