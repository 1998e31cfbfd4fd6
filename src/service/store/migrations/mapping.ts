import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** Workspaces with their keys; mapping jobs, runs, steps and recordings. */
export const mappingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('workspaces')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('default_profile_id', 'uuid', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('secret_sha256', 'text', (column) => column.notNull())
      .addColumn('scopes', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('revoked_at', 'timestamptz')
      .execute();
    await db.schema
      .createTable('settings')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('mapping_jobs')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('profile_id', 'uuid', (column) => column.notNull())
      .addColumn('tags', 'jsonb', (column) => column.notNull())
      .addColumn('config', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('mapping_jobs_by_age')
      .on('mapping_jobs')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createTable('mapping_runs')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('job_id', 'uuid', (column) => column.notNull().references('mapping_jobs.id').onDelete('cascade'))
      .addColumn('run_number', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('stats', 'jsonb', (column) => column.notNull())
      .addColumn('in_flight', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('limit_reason', 'text')
      .addColumn('reason', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('started_at', 'timestamptz', (column) => column.notNull())
      .addColumn('completed_at', 'timestamptz')
      .addUniqueConstraint('mapping_runs_by_number', ['job_id', 'run_number'])
      .execute();
    // The last guard against two simultaneous runs of one job.
    await db.schema
      .createIndex('mapping_runs_one_active')
      .unique()
      .on('mapping_runs')
      .column('job_id')
      .where(sql.ref('status'), '=', sql.lit('running'))
      .execute();
    await db.schema
      .createTable('mapping_steps')
      .addColumn('run_id', 'uuid', (column) => column.notNull().references('mapping_runs.id').onDelete('cascade'))
      .addColumn('step_id', 'text', (column) => column.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('depth', 'integer', (column) => column.notNull())
      .addColumn('node', 'jsonb', (column) => column.notNull())
      .addColumn('memory', 'jsonb', (column) => column.notNull())
      .addPrimaryKeyConstraint('mapping_steps_key', ['run_id', 'step_id'])
      .execute();
    await db.schema
      .createTable('recordings')
      .addColumn('run_id', 'uuid', (column) => column.notNull().references('mapping_runs.id').onDelete('cascade'))
      .addColumn('step_id', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('seconds', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('recordings_key', ['run_id', 'step_id'])
      .execute();
    await db.schema
      .createTable('consents')
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('statement', 'text', (column) => column.notNull())
      .addColumn('recorded_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('consents_key', ['workspace_id', 'phone_number'])
      .execute();
  },
};
