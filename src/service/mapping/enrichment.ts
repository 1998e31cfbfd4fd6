import { HumanError } from '../../contract/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { TreeNode } from '../../contract/tree.ts';
import { classifyTurn } from '../../language/enrich/classifyTurn.ts';
import { classifyWithModel, promptsAtOnce } from '../../language/enrich/classifyWithModel.ts';
import type { ModelTurnClass } from '../../language/enrich/classifyWithModel.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import { ModelBudget } from '../../language/model/modelBudget.ts';
import { ModelError } from '../../language/model/modelError.ts';
import type { EventBus } from '../store/events.ts';
import type { Logger } from '../basics/log.ts';
import type { Store } from '../store/store.ts';
import { stillRunning } from '../runs/endOf.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { findJob } from './findJob.ts';

interface EnrichmentParts {
  readonly store: Store;
  readonly events: EventBus;
  readonly model: LanguageModel | undefined;
  readonly log: Logger;
}

interface HeardStep {
  readonly stepId: string;
  readonly node: TreeNode;
}

/** What the language model may use for one run. */
const runBudget = { tokens: 200_000, milliseconds: 300_000 };

/**
 * Classifies every heard node of an ended run for reviewers: with the language model if there is one and the workspace
 * has enrichment tokens (one per prompt), otherwise by rules. Conclusions of the model that aren't backed by words of
 * the prompt are replaced by the rules.
 */
export async function enrichRun(
  parts: EnrichmentParts,
  workspaceId: string,
  jobId: string,
  runId: string,
  signal?: AbortSignal,
): Promise<OperationOutput<'probeMappingRun'>> {
  const { store, events } = parts;
  await findJob(store, workspaceId, jobId);
  const run = await store.db
    .selectFrom('mapping_runs')
    .select('status')
    .where('id', '=', runId)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  if (!run)
    throw new HumanError('This job has no run with this id. List its runs to find the right one.', {
      status: 404,
      code: 'not_found',
    });
  if (run.status === 'running') throw stillRunning('enrich it');
  const rows = await store.db
    .selectFrom('mapping_steps')
    .select(['step_id', 'node'])
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute();
  const heard = rows
    .filter(({ node }) => node.status === 'explored' && (node.transcript ?? '') !== '')
    .map(({ step_id: stepId, node }): HeardStep => ({ stepId, node }));
  const byModel = await askModel(parts, workspaceId, heard, signal);
  await store.write(async (transaction) => {
    for (const step of heard) {
      const { category, classification, rationale, menuLabel }: Partial<ModelTurnClass> =
        byModel.get(step.stepId) ?? classifyTurn(step.node.transcript ?? '') ?? {};
      await transaction
        .updateTable('mapping_steps')
        .set({
          node: JSON.stringify({
            ...step.node,
            // JSON leaves out what is undefined, and so what an earlier enrichment found.
            probeCategory: category,
            probeClassification: classification,
            probeRationale: rationale,
            ...(menuLabel !== undefined && { menuLabel }),
          }),
        })
        .where('run_id', '=', runId)
        .where('step_id', '=', step.stepId)
        .execute();
    }
  });
  await store.sync();
  events.publish(workspaceId, { type: 'mapping.tree', jobId, runId });
  return { runId, enriched: heard.length, byModel: byModel.size };
}

/**
 * Asks the model about these steps, a few prompts per question. If it fails, the rules classify the rest, because
 * enrichment doesn't need a model.
 */
async function askModel(
  { store, model, log }: EnrichmentParts,
  workspaceId: string,
  heard: readonly HeardStep[],
  signal?: AbortSignal,
): Promise<Map<string, ModelTurnClass>> {
  const marks = new Map<string, ModelTurnClass>();
  if (!model) return marks;
  const budget = new ModelBudget(runBudget);
  for (let from = 0; from < heard.length; from += promptsAtOnce) {
    const wanted = heard.slice(from, from + promptsAtOnce);
    const granted = await takeTokens(store, workspaceId, wanted.length);
    const asked = wanted.slice(0, granted);
    if (asked.length === 0) break;
    try {
      const answers = await classifyWithModel(
        asked.map(({ node }) => node.transcript ?? ''),
        { model, budget, ...(signal && { signal }) },
      );
      for (const [index, answer] of answers.entries()) if (answer) marks.set(asked[index]?.stepId ?? '', answer);
    } catch (error) {
      await takeTokens(store, workspaceId, -asked.length);
      // Ending a run doesn't wait for a model.
      if (signal?.aborted === true) break;
      const isShort = error instanceof HumanError && error.code === 'budget_exceeded';
      if (!isShort && !(error instanceof ModelError)) throw error;
      log.warn({ err: error }, 'the language model could not enrich a run');
      break;
    }
  }
  return marks;
}

/** Takes the tokens that are left, before their use; a negative count returns them. No limit for a paying workspace. */
function takeTokens(store: Store, workspaceId: string, wanted: number): Promise<number> {
  return store.writeUnguarded(async (transaction) => {
    const workspace = await lockWorkspace(transaction, workspaceId);
    const taken = workspace.unlimited
      ? wanted
      : Math.min(wanted, Math.max(0, workspace.tokens_granted - workspace.tokens_used));
    if (taken !== 0)
      await transaction
        .updateTable('workspaces')
        .set({ tokens_used: workspace.tokens_used + taken })
        .where('id', '=', workspaceId)
        .execute();
    return taken;
  });
}
