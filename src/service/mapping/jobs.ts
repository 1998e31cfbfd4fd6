import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { mappingConfigSchema } from '../../contract/mapping.ts';
import type { ListMappings, MappingConfig, MappingJob, MappingPage } from '../../contract/mapping.ts';
import type { OperationArguments } from '../../contract/operations.ts';
import type { EventBus } from '../store/events.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { permitCalls } from '../runs/permission.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { Signer } from '../basics/signing.ts';
import type { Store } from '../store/store.ts';
import { readPage } from '../store/keyset.ts';
import { assertCreatedByKey, assertNoLooserRules } from '../workspaces/authors.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { profileOf } from '../workspaces/profiles.ts';
import { assertQuota } from '../workspaces/meters.ts';
import { differing } from '../store/editedRow.ts';
import { findJob, noJob, runsOf, selectRun } from './findJob.ts';
import { toJob } from './resources.ts';
import type { JobRow, RunRow } from './resources.ts';

interface JobsOptions {
  readonly store: Store;
  readonly lines: LineBook;
  readonly signer: Signer;
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly now: () => Date;
}

const strictest = mappingConfigSchema.parse({});
const guardOf = ({ allowedLabels, pressUnsure }: MappingConfig) => [allowedLabels, pressUnsure];

export class Jobs {
  readonly #store: Store;
  readonly #options: JobsOptions;

  constructor(options: JobsOptions) {
    this.#store = options.store;
    this.#options = options;
  }

  async create(author: Launcher, input: OperationArguments<'createMapping'>): Promise<MappingJob> {
    const { workspaceId, keyId } = author;
    const profileId = await profileOf(this.#store.db, workspaceId, input.profileId);
    const config = mappingConfigSchema.parse(input.config ?? {});
    assertNoLooserRules(author, strictest, config);
    const row = {
      id: randomUUID(),
      workspace_id: workspaceId,
      name: input.name ?? input.phoneNumber,
      phone_number: input.phoneNumber,
      profile_id: profileId,
      created_at: this.#options.now(),
      made_by: keyId,
      guard_by: keyId,
    };
    const tags = [...new Set(input.tags)];
    await this.#store.write(async (transaction) => {
      const workspace = await lockWorkspace(transaction, workspaceId);
      await transaction
        .insertInto('mapping_jobs')
        .values({ ...row, tags: JSON.stringify(tags), config: JSON.stringify(config) })
        .execute();
      await assertQuota(transaction, workspace, { mappings: 1 });
    });
    await this.#store.sync();
    this.#options.events.publish(workspaceId, { type: 'mapping.changed', jobId: row.id });
    const job = toJob({ ...row, tags, config }, undefined, false);
    try {
      await permitCalls(this.#store, this.#options.lines, row, author);
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      if (error.code !== 'consent_required')
        return { ...job, warnings: job.warnings ?? [error.message, 'listTargets shows what this key can call.'] };
    }
    return job;
  }

  async get(workspaceId: string, id: string, version?: number): Promise<MappingJob> {
    const job = await findJob(this.#store, workspaceId, id);
    const runs = await runsOf(this.#store, id);
    return toJob(job, selectRun(runs, version), runs[0]?.status === 'running');
  }

  async list(workspaceId: string, input: ListMappings): Promise<MappingPage> {
    let query = this.#store.db.selectFrom('mapping_jobs').selectAll().where('workspace_id', '=', workspaceId);
    if (input.tag !== undefined) query = query.where(sql<boolean>`tags @> ${JSON.stringify([input.tag])}::jsonb`);
    if (input.phoneNumber !== undefined) query = query.where('phone_number', '=', input.phoneNumber);
    if (input.name !== undefined)
      query = query.where(sql<boolean>`position(lower(${input.name}::text) in lower(name)) > 0`);
    if (input.profileId !== undefined) query = query.where('profile_id', '=', input.profileId);
    if (input.createdAfter !== undefined) query = query.where('created_at', '>', new Date(input.createdAfter));
    if (input.createdBefore !== undefined) query = query.where('created_at', '<', new Date(input.createdBefore));
    const { rows, nextCursor } = await readPage<JobRow>(query, {
      signer: this.#options.signer,
      scope: `${workspaceId} mapping`,
      direction: input.sortDir,
      limit: input.limit,
      cursor: input.cursor,
      type: 'time',
      key: sql.ref('created_at'),
      id: sql.ref('id'),
      keyOf: (row) => row.created_at.toISOString(),
    });
    const latest = await this.#latestRuns(rows.map((row) => row.id));
    return {
      items: rows
        .map((row) => {
          const run = latest.get(row.id);
          return toJob(row, run, run?.status === 'running');
        })
        .filter((job) => hasStatus(job, input.status)),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  async update(author: Launcher, input: OperationArguments<'updateMapping'>): Promise<MappingJob> {
    const { workspaceId, keyId } = author;
    const profileId =
      input.profileId === undefined ? undefined : await profileOf(this.#store.db, workspaceId, input.profileId);
    const changed = await this.#store.write(async (transaction) => {
      // Two simultaneous edits of different properties both count.
      const jobRow = await transaction
        .selectFrom('mapping_jobs')
        .selectAll()
        .where('id', '=', input.id)
        .where('workspace_id', '=', workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!jobRow) throw noJob();
      assertCreatedByKey(author, jobRow.made_by);
      const before = mappingConfigSchema.parse(jobRow.config);
      const { tags, config, ...others } = differing(jobRow, {
        name: input.name,
        profile_id: profileId,
        tags: input.tags && [...new Set(input.tags)],
        config: input.config && mappingConfigSchema.parse({ ...before, ...input.config }),
      });
      if (config) assertNoLooserRules(author, before, config);
      const changes = {
        ...others,
        ...(config && !isDeepStrictEqual(guardOf(config), guardOf(before)) && { guard_by: keyId }),
        ...(tags && { tags: JSON.stringify(tags) }),
        ...(config && { config: JSON.stringify(config) }),
      };
      if (Object.keys(changes).length === 0) return false;
      await transaction.updateTable('mapping_jobs').set(changes).where('id', '=', input.id).execute();
      return true;
    });
    if (changed) {
      await this.#store.sync();
      this.#options.events.publish(workspaceId, { type: 'mapping.changed', jobId: input.id });
    }
    return this.get(workspaceId, input.id);
  }

  async remove(author: Launcher, id: string): Promise<void> {
    const { workspaceId } = author;
    const runIds = await this.#store.write(async (transaction) => {
      const job = await transaction
        .selectFrom('mapping_jobs')
        .select('made_by')
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .forUpdate()
        .executeTakeFirst();
      if (!job) throw noJob();
      assertCreatedByKey(author, job.made_by);
      const runs = await transaction
        .selectFrom('mapping_runs')
        .select(['id', 'status'])
        .where('job_id', '=', id)
        .execute();
      if (runs.some((run) => run.status === 'running')) {
        throw new HumanError('This job is running. Cancel its run, then delete the job.', {
          status: 409,
          code: 'already_running',
        });
      }
      await transaction.deleteFrom('mapping_jobs').where('id', '=', id).execute();
      return runs.map((run) => run.id);
    });
    await this.#store.sync();
    for (const runId of runIds) await this.#options.recordings.remove(runId);
    this.#options.events.publish(workspaceId, { type: 'mapping.deleted', jobId: id });
  }

  async #latestRuns(jobIds: readonly string[]): Promise<Map<string, RunRow>> {
    if (jobIds.length === 0) return new Map();
    const runs = await this.#store.db
      .selectFrom('mapping_runs')
      .distinctOn('job_id')
      .selectAll()
      .where('job_id', 'in', jobIds)
      .orderBy('job_id')
      .orderBy('run_number', 'desc')
      .execute();
    return new Map(runs.map((run) => [run.job_id, run]));
  }
}

/** `idle` means a job without an active run. Any other value is compared with the latest run. */
function hasStatus(job: MappingJob, status: ListMappings['status']): boolean {
  if (status === undefined) return true;
  return status === 'idle' ? job.status === 'idle' : job.currentRun?.status === status;
}
