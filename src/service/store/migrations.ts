import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { authorsMigration } from './migrations/authors.ts';
import { consentersMigration } from './migrations/consenters.ts';
import { dialsMigration } from './migrations/dials.ts';
import { fromFileMigration } from './migrations/fromFile.ts';
import { idempotencyMigration } from './migrations/idempotency.ts';
import { keyLimitsMigration } from './migrations/keyLimits.ts';
import { launchesMigration } from './migrations/launches.ts';
import { loadMailMigration } from './migrations/loadMail.ts';
import { loadPlansMigration } from './migrations/loadPlans.ts';
import { loadRecordingsMigration } from './migrations/loadRecordings.ts';
import { loadShapeMigration } from './migrations/loadShape.ts';
import { mappingMigration } from './migrations/mapping.ts';
import { missionBoundsMigration } from './migrations/missionBounds.ts';
import { noLoadMailMigration } from './migrations/noLoadMail.ts';
import { ownIdsMigration } from './migrations/ownIds.ts';
import { processesMigration } from './migrations/processes.ts';
import { quotasMigration } from './migrations/quotas.ts';
import { modelTokensMigration } from './migrations/modelTokens.ts';
import { profilesMigration } from './migrations/profiles.ts';
import { settingsMigration } from './migrations/settings.ts';
import { signupMigration } from './migrations/signup.ts';
import { slotKindsMigration } from './migrations/slotKinds.ts';
import { testRunListsMigration } from './migrations/testRunLists.ts';
import { testingMigration } from './migrations/testing.ts';
import { verifiedPeopleMigration } from './migrations/verifiedPeople.ts';
import { workspacesMigration } from './migrations/workspaces.ts';
import type { Database } from './schema.ts';

/** The store's history, oldest first. A released name never changes its meaning. */
const migrations: Readonly<Record<string, Migration>> = {
  '001-mapping': mappingMigration,
  '002-workspaces': workspacesMigration,
  '003-testing': testingMigration,
  '004-processes': processesMigration,
  '005-test-run-lists': testRunListsMigration,
  '006-idempotency': idempotencyMigration,
  '007-launches': launchesMigration,
  '008-settings': settingsMigration,
  '009-load-shape': loadShapeMigration,
  '010-key-limits': keyLimitsMigration,
  '011-from-file': fromFileMigration,
  '012-mission-bounds': missionBoundsMigration,
  '013-dials': dialsMigration,
  '014-quotas': quotasMigration,
  '015-signup': signupMigration,
  '016-profiles': profilesMigration,
  '017-slot-kinds': slotKindsMigration,
  '018-model-tokens': modelTokensMigration,
  '019-authors': authorsMigration,
  '020-verified-people': verifiedPeopleMigration,
  '021-own-ids': ownIdsMigration,
  '022-consenters': consentersMigration,
  '023-load-mail': loadMailMigration,
  '024-load-recordings': loadRecordingsMigration,
  '025-load-plans': loadPlansMigration,
  '026-no-load-mail': noLoadMailMigration,
};

export const migrationNames: readonly string[] = Object.keys(migrations);

/** Brings the schema up to date; a second call changes nothing. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  if (await isCurrent(db)) return;
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  }).migrateToLatest();
  if (error !== undefined) throw new Error('the store could not be brought up to date', { cause: error });
}

/** Checked first, because the migrator takes a tenth of a second to find nothing to do. */
async function isCurrent(db: Kysely<Database>): Promise<boolean> {
  const done = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db).then(
    ({ rows }) => rows,
    () => [],
  );
  return migrationNames.every((name) => done.some((row) => row.name === name));
}
