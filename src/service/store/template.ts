import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { fromPglite } from 'pg-boss';
import { createBoss, prepareQueue } from './boss.ts';
import { writeFileWhole } from './folder.ts';
import { migrate } from './migrations.ts';
import { openDatabase } from './store.ts';

/**
 * Writes an empty store, schema and queue in place, as the archive that first starts unpack instead of running initdb.
 * Called by the build.
 */
export async function writeStoreTemplate(file: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'dialtree-template-'));
  try {
    const pglite = new PGlite({ dataDir: join(scratch, 'database') });
    await pglite.waitReady;
    try {
      await migrate(openDatabase(new PGliteDialect({ pglite })));
      const boss = createBoss(fromPglite(pglite), false, () => undefined);
      await boss.start();
      await prepareQueue(boss, false);
      await boss.stop({ graceful: false });
      await pglite.exec('CHECKPOINT');
      const archive = await pglite.dumpDataDir('gzip');
      await mkdir(dirname(file), { recursive: true });
      await writeFileWhole(file, new Uint8Array(await archive.arrayBuffer()), 0o644);
    } finally {
      await pglite.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
