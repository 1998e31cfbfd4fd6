import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { BrotliOptions } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { writeFileWhole } from './folder.ts';
import { migrate } from './migrations.ts';
import { openDatabase } from './store.ts';

/** A window of 16 MB covers what the databases of a new store have in common. */
const compression = (bytes: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** For the build: writes an empty store with its schema, which first starts unpack instead of running initdb. */
export async function writeStoreTemplate(file: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'dialtree-template-'));
  try {
    const pglite = new PGlite({ dataDir: join(scratch, 'database') });
    await pglite.waitReady;
    try {
      await migrate(openDatabase(new PGliteDialect({ pglite })));
      // Only CREATE DATABASE uses them. Without them, a first start writes half as many files.
      await pglite.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template%'");
      for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`);
      await pglite.exec('CHECKPOINT');
      const archive = Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer());
      await mkdir(dirname(file), { recursive: true });
      await writeFileWhole(file, await promisify(brotliCompress)(archive, compression(archive.length)), 0o644);
    } finally {
      await pglite.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
