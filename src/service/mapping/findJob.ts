import { HumanError } from '../../contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { JobRow, RunRow } from './resources.ts';

/** Returns a job of this workspace. Jobs of other workspaces count as nonexistent. */
export async function findJob(store: Store, workspaceId: string, id: string): Promise<JobRow> {
  const row = await store.db
    .selectFrom('mapping_jobs')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (!row) throw noJob();
  return row;
}

export const noJob = (): HumanError =>
  new HumanError("This mapping job doesn't exist. List the jobs to find the right one.", {
    status: 404,
    code: 'not_found',
  });

/** Newest first. */
export function runsOf(store: Store, jobId: string): Promise<RunRow[]> {
  return store.db
    .selectFrom('mapping_runs')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('run_number', 'desc')
    .execute();
}

/** Returns the run of `version`, otherwise the newest one. Undefined if the job never ran and no version is given. */
export function selectRun(runs: readonly RunRow[], version: number | undefined): RunRow | undefined {
  if (version === undefined) return runs[0];
  const run = runs.find((row) => row.run_number === version);
  if (run) return run;
  const available = runs.map((row) => row.run_number).reverse();
  throw new HumanError(
    available.length === 0
      ? `This job has no run ${String(version)}, because it was never started. Start it first.`
      : `This job has no run ${String(version)}. Available versions: ${available.join(', ')}.`,
    { status: 404, code: 'version_not_found', details: { availableVersions: available } },
  );
}
