import { HumanError } from '../../contract/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import { classifyTurn } from '../../language/enrich/classifyTurn.ts';
import type { EventBus } from '../events.ts';
import type { Store } from '../store/store.ts';
import { findJob } from './findJob.ts';

/** Marks every node of an ended run that was heard with what its words mean to a reviewer. Repeating it changes nothing. */
export async function enrichRun(
  store: Store,
  events: EventBus,
  workspaceId: string,
  jobId: string,
  runId: string,
): Promise<OperationOutput<'probeMappingRun'>> {
  await findJob(store, workspaceId, jobId);
  const run = await store.db
    .selectFrom('mapping_runs')
    .select('status')
    .where('id', '=', runId)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  if (!run)
    throw new HumanError('There is no such run of this job. List its runs to find the right one.', {
      status: 404,
      code: 'not_found',
    });
  if (run.status === 'running')
    throw new HumanError('This run goes on. Wait for it to end, then probe it.', {
      status: 409,
      code: 'still_running',
    });
  const enriched = await store.write(async (transaction) => {
    const steps = await transaction
      .selectFrom('mapping_steps')
      .select(['step_id', 'node'])
      .where('run_id', '=', runId)
      .execute();
    const heard = steps.filter(({ node }) => node.status === 'explored' && (node.transcript ?? '') !== '');
    for (const { step_id: stepId, node } of heard) {
      const { category, classification, rationale } = classifyTurn(node.transcript ?? '');
      await transaction
        .updateTable('mapping_steps')
        .set({
          node: JSON.stringify({
            ...node,
            probeCategory: category,
            probeClassification: classification,
            probeRationale: rationale,
          }),
        })
        .where('run_id', '=', runId)
        .where('step_id', '=', stepId)
        .execute();
    }
    return heard.length;
  });
  await store.sync();
  events.publish(workspaceId, { type: 'mapping.tree', jobId, runId });
  return { runId, enriched };
}
