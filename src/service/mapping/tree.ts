import type { OperationArguments } from '../../contract/operations.ts';
import type { TreeNode, TreeResponse } from '../../contract/tree.ts';
import { buildTree, flattenTree } from '../../model/tree/treeBuild.ts';
import type { TreeStep } from '../../model/tree/treeBuild.ts';
import type { Store } from '../store/store.ts';
import { findJob, runsOf, selectRun } from './findJob.ts';

/** Signs the address of a step's recording. */
export type AudioAddress = (runId: string, stepId: string) => string;

/** Returns the tree of a run, or why there is none yet. Steps contain signed addresses of their recordings. */
export async function readTree(
  store: Store,
  workspaceId: string,
  input: Omit<OperationArguments<'getMappingTree'>, 'waitSeconds'>,
  audioUrl?: AudioAddress,
): Promise<TreeResponse> {
  await findJob(store, workspaceId, input.id);
  const run = selectRun(await runsOf(store, input.id), input.version);
  if (!run) {
    return {
      jobId: input.id,
      tree: null,
      reason: 'no_runs',
      message: 'This job was never started. Start it to map the menu tree.',
    };
  }
  const summary = { jobId: input.id, runId: run.id, runNumber: run.run_number, status: run.status, stats: run.stats };
  const rows = await store.db
    .selectFrom('mapping_steps')
    .select(['step_id', 'parent_id', 'status', 'node'])
    .where('run_id', '=', run.id)
    .orderBy('position')
    .execute();
  const onlyStep = rows.length === 1 ? rows[0] : undefined;
  if (
    rows.length === 0 ||
    onlyStep?.status === 'skipped' ||
    (run.status === 'running' && onlyStep && !isHeard(onlyStep))
  ) {
    return {
      ...summary,
      tree: null,
      reason: 'no_steps',
      message:
        run.status === 'running'
          ? 'The run has just begun and has heard nothing yet. Try again shortly.'
          : `This run ended before anything was heard.${run.reason === null ? '' : ` ${run.reason}`}`,
    };
  }
  if (run.status === 'running' && onlyStep) {
    return {
      ...summary,
      tree: null,
      reason: 'in_progress',
      message: 'The run has recorded only the first prompt so far. Try again shortly.',
    };
  }
  const recorded = audioUrl
    ? await store.db.selectFrom('recordings').select('step_id').where('run_id', '=', run.id).execute()
    : [];
  const withAudio = new Set(recorded.map((row) => row.step_id));
  const tree = buildTree(
    rows.map((row): TreeStep => ({
      ...row.node,
      stepId: row.step_id,
      ...(row.parent_id !== null && { parentId: row.parent_id }),
      ...(audioUrl && withAudio.has(row.step_id) && { audioUrl: audioUrl(run.id, row.step_id) }),
    })),
  );
  if (input.format === 'tree' || !tree) return { ...summary, tree };
  return { ...summary, steps: flattenTree(tree) };
}

/** The first step is stored before the call that hears it. One that waits for another call keeps what it has heard. */
const isHeard = ({ status, node }: { readonly status: string; readonly node: TreeNode }): boolean =>
  (node.transcript ?? '') !== '' || (status !== 'pending' && status !== 'exploring');
