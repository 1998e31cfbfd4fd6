import type { Selectable } from 'kysely';
import { mappingConfigSchema } from '../../contract/mapping.ts';
import type { MappingJob, MappingRun, MappingStats } from '../../contract/mapping.ts';
import { parseTarget } from '../numbers/target.ts';
import type { Database } from '../store/schema.ts';

export type JobRow = Selectable<Database['mapping_jobs']>;
export type RunRow = Selectable<Database['mapping_runs']>;

export const emptyStats: MappingStats = {
  callsPlaced: 0,
  callsFailed: 0,
  nodesDiscovered: 0,
  terminalNodes: 0,
  maxDepthReached: 0,
  callSeconds: 0,
  linkedMenus: 0,
  promptSeconds: 0,
};

export function toMappingRun(row: RunRow): MappingRun {
  return {
    id: row.id,
    status: row.status,
    runNumber: row.run_number,
    stats: row.stats,
    inFlightCount: row.status === 'running' ? row.in_flight : 0,
    startedAt: row.started_at.toISOString(),
    ...(row.limit_reason !== null && { limitReason: row.limit_reason }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.reason_parts && { reasonParts: row.reason_parts }),
    ...(row.ended_by !== null && { endedBy: row.ended_by }),
    ...(row.config && { config: mappingConfigSchema.parse(row.config) }),
    ...(row.guard_by !== null && { guardChangedBy: row.guard_by }),
    ...(row.consented_by !== null && { consentedBy: row.consented_by }),
    ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
  };
}

/**
 * Converts a row. Properties that didn't exist when the job was stored get their defaults. `shown` is the run in
 * currentRun; the flat copies follow it, but the status is the job's own.
 */
export function toJob(row: JobRow, shown: RunRow | undefined, running: boolean): MappingJob {
  const run = shown && toMappingRun(shown);
  const target = parseTarget(row.phone_number);
  return {
    id: row.id,
    name: row.name,
    phoneNumber: row.phone_number,
    profileId: row.profile_id,
    tags: row.tags,
    config: mappingConfigSchema.parse(row.config),
    createdAt: row.created_at.toISOString(),
    status: running ? 'running' : 'idle',
    ...(target.kind === 'refused' && { warnings: [target.refusal.message] }),
    ...(run && {
      currentRun: run,
      runNumber: run.runNumber,
      stats: run.stats,
      inFlightCount: run.inFlightCount,
      ...(run.limitReason !== undefined && { limitReason: run.limitReason }),
      ...(run.startedAt !== undefined && { startedAt: run.startedAt }),
      ...(run.completedAt !== undefined && { completedAt: run.completedAt }),
    }),
  };
}
