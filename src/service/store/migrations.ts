import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { HumanError } from '../../contract/errors.ts';
import { baselineMigration } from './migrations/baseline.ts';
import { loadFiguresMigration } from './migrations/loadFigures.ts';
import { dropLoadMailMigration } from './migrations/noLoadMail.ts';
import { queueMigration } from './migrations/queue.ts';
import { reasonPartsMigration } from './migrations/reasonParts.ts';
import { testsMigration } from './migrations/tests.ts';
import type { Database } from './schema.ts';

/** The baseline replaces 25 migrations. It has the name of the last one, so a store that has them all is up to date. */
const baseline = '025-load-plans';

/** The store's history, oldest first. A released name never changes its meaning. */
const migrations: Readonly<Record<string, Migration>> = {
  [baseline]: baselineMigration,
  '026-no-load-mail': dropLoadMailMigration,
  '027-tests': testsMigration,
  '028-reason-parts': reasonPartsMigration,
  '029-load-figures': loadFiguresMigration,
  '030-queue': queueMigration,
};

export const migrationNames: readonly string[] = Object.keys(migrations);
/** Names sort by age, those that the baseline replaces included. */
export const latestMigration = migrationNames.at(-1) ?? '';

/**
 * Brings the schema up to date; a second call changes nothing. Rejects with HumanError `store_outdated`, and changes
 * nothing, if the store lacks some of the migrations that the baseline replaces.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const done = await readDone(db);
  if (done.length > 0 && !done.includes(baseline)) {
    throw new HumanError(
      'The store is too old for this version of Dialtree. Export its workspaces with the version that you used last (`dialtree export`). Then import them into a new data folder or database with this version (`dialtree import`).',
      { status: 503, code: 'store_outdated' },
    );
  }
  // The migrator refuses a store with migrations that it doesn't know.
  if (done.some((name) => name < baseline))
    await sql`DELETE FROM kysely_migration WHERE name < ${baseline}`.execute(db);
  // Checked first, because the migrator takes a tenth of a second to find nothing to do.
  if (migrationNames.every((name) => done.includes(name))) return;
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  }).migrateToLatest();
  if (error !== undefined) throw new Error('the store could not be brought up to date', { cause: error });
}

/** Returns nothing for a new store. */
async function readDone(db: Kysely<Database>): Promise<readonly string[]> {
  return await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db).then(
    ({ rows }) => rows.map(({ name }) => name),
    () => [],
  );
}
