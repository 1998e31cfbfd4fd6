import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { sql } from 'kysely';

/** What several workspaces need: tiers, keys, people, verified numbers, capacity and its ledger. */
export const workspacesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('workspaces')
      .addColumn('tier', 'text', (column) => column.notNull().defaultTo('free'))
      .addColumn('unlimited', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('tokens_granted', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('tokens_used', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('claimed_at', 'timestamptz')
      .execute();
    await sql`UPDATE workspaces SET tier = 'enterprise', unlimited = true WHERE kind = 'local'`.execute(db);
    await db.schema
      .alterTable('api_keys')
      .addColumn('name', 'text', (column) => column.notNull().defaultTo('First key'))
      .addColumn('last_used_at', 'timestamptz')
      .execute();
    await db.schema
      .createTable('registrations')
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('registrations_by_network').on('registrations').columns(['network', 'at']).execute();
    await db.schema
      .createTable('balances')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('pool', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('seconds_granted', 'double precision', (column) => column.notNull())
      .addColumn('seconds_used', 'double precision', (column) => column.notNull().defaultTo(0))
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('balances_by_pool').on('balances').columns(['workspace_id', 'pool', 'at']).execute();
    await db.schema
      .createTable('slots')
      .addColumn('run_id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('pool', 'text', (column) => column.notNull())
      .addColumn('reserved_seconds', 'double precision')
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('slots_by_workspace').on('slots').columns(['workspace_id', 'expires_at']).execute();
    await db.schema
      .createTable('ledger')
      .addColumn('run_id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('pool', 'text', (column) => column.notNull())
      .addColumn('seconds', 'double precision', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('ledger_by_month').on('ledger').columns(['workspace_id', 'at']).execute();
    await db.schema
      .createTable('anchors')
      .addColumn('phone_number', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('verified_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('anchor_codes')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('phone_number', 'text', (column) => column.notNull())
      .addColumn('code_sha256', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('wrong_tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('used_at', 'timestamptz')
      .execute();
    await db.schema
      .createIndex('anchor_codes_by_workspace')
      .on('anchor_codes')
      .columns(['workspace_id', 'created_at'])
      .execute();
    // Not a reference: a number gets its grant only once, even after its workspace is gone.
    await db.schema
      .createTable('free_grants')
      .addColumn('phone_number', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull())
      .addColumn('granted_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('people')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('password', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('memberships')
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('person_id', 'uuid', (column) => column.notNull().references('people.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('memberships_key', ['workspace_id', 'person_id'])
      .execute();
    await db.schema
      .createTable('sessions')
      .addColumn('token_sha256', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'uuid', (column) => column.notNull().references('people.id').onDelete('cascade'))
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('claim_links')
      .addColumn('token_sha256', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull().references('workspaces.id').onDelete('cascade'))
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('used_at', 'timestamptz')
      .execute();
    await db.schema
      .createTable('audit')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('workspace_id', 'uuid', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('detail', 'jsonb', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('audit_by_workspace').on('audit').columns(['workspace_id', 'at']).execute();
  },
};
