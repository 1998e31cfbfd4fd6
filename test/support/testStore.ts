import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { openEmbeddedStore } from '../../src/service/store/embeddedStore.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import { openPostgresStore } from '../../src/service/store/postgresStore.ts';
import { PostgresServer } from '../../src/service/store/postgresServer.ts';
import type { Store } from '../../src/service/store/store.ts';
import { createDatabase, databaseUrlVariable } from './postgres.ts';
import type { TestDatabase } from './postgres.ts';
import { serviceAssets } from './serviceAssets.ts';

/** Returns true if the stores of this run are databases of a Postgres server, and false if they are embedded. */
export const onPostgres = (): boolean => (process.env[databaseUrlVariable] ?? '') !== '';

export const openPostgres = (url: string): Promise<Store> =>
  openPostgresStore(new PostgresServer(url, silentLog), systemClock, silentLog);

let template: Promise<string> | undefined;

/** Creates a database with the schema, copied from a template. */
export async function createReadyDatabase(): Promise<TestDatabase> {
  template ??= makeTemplate();
  return await createDatabase(await template);
}

async function makeTemplate(): Promise<string> {
  const { url, name } = await createDatabase();
  await (await openPostgres(url)).close();
  return name;
}

/** Opens an empty store on the engine of this run; closing it removes it without an export. */
export async function openTestStore(now: () => Date = () => new Date()): Promise<Store> {
  if (onPostgres()) {
    const { url, drop } = await createReadyDatabase();
    const store = await openPostgres(url);
    return { ...store, close: closing(() => store.close(), drop) };
  }
  const path = await mkdtemp(join(tmpdir(), 'dialtree-store-'));
  const folder = new DataFolder(path);
  await folder.create();
  const store = await openEmbeddedStore({ folder, assetsDir: (await serviceAssets()).assetsDir, log: silentLog, now });
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { ...store, close: closing(() => store.close(() => true), remove) };
}

/** Returns a function that closes a store and then removes it, even if it doesn't close. */
function closing(close: () => Promise<void>, remove: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await close();
    } finally {
      await remove();
    }
  };
}
