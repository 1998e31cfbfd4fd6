import { because, join, reasonOf, sentence } from '../../base/sentences.ts';
import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { RunResults } from '../../contract/testRuns.ts';
import type { TreeNode } from '../../contract/tree.ts';
import { foundNothing, healTest, type HealReference } from '../../language/heal/healTest.ts';
import { actsOf, heardIn, isRunOf } from '../../language/heal/heardRun.ts';
import { readTree } from '../mapping/tree.ts';
import { stillRunning } from '../runs/endOf.ts';
import type { Store } from '../store/store.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { SavedTests } from './savedTests.ts';
import type { TestRuns } from './testRuns.ts';

interface HealParts {
  readonly store: Store;
  readonly tests: SavedTests;
  readonly testRuns: TestRuns;
}
type Scripted = RunResults & { readonly testConfigId: string };

const passed = sentence`This run passed, so there is nothing to repair.`;
const flaky = sentence`The same test passed after this run.`;
const edited = sentence`The test has changed since this run. Run it again, then repair it.`;
const byTree = sentence`No run of this test has passed, so this compares with the newest mapped tree of the number.`;
const byTest = sentence`No run of this test has passed and the number has no mapped tree, so this compares with the words that the test expects.`;
/** Earlier runs can be runs of another version of the test. */
const mostRuns = 10;

/** Finds out what changed since a test passed. Places no call and stores nothing. */
export async function repairTest(
  { store, tests, testRuns }: HealParts,
  { workspaceId, scopes }: Pick<Principal, 'workspaceId' | 'scopes'>,
  { runId, baseRunId }: OperationArguments<'healTest'>,
): Promise<OperationOutput<'healTest'>> {
  const run = scripted(await testRuns.results(workspaceId, runId));
  const given = baseRunId === undefined ? undefined : scripted(await testRuns.results(workspaceId, baseRunId));
  if (given && (given.outcome !== 'PASS' || given.testConfigId !== run.testConfigId))
    throw invalid("The base isn't a run of the same test that passed. Choose another run, or leave out baseRunId.");
  const { steps, updatedAt, phoneNumber } = await tests.get(workspaceId, 'script', run.testConfigId);
  if (run.outcome === 'PASS') return { runId, ...foundNothing('passed', passed) };
  if (!isRunOf(steps, run) || updatedAt > (run.completedAt ?? '')) return { runId, ...foundNothing('unclear', edited) };
  const rows = await store.db
    .selectFrom('test_runs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('config_id', '=', run.testConfigId)
    .where('outcome', '=', 'PASS')
    .orderBy('started_at', 'desc')
    .limit(mostRuns)
    .execute();
  const all = await Promise.all(rows.map(({ id }) => testRuns.results(workspaceId, id)));
  const passing = all.filter((one) => isRunOf(steps, one) && JSON.stringify(one.row) === JSON.stringify(run.row));
  const later = passing.find(({ startedAt }) => startedAt > run.startedAt);
  if (later) return { runId, baseRunId: later.id, ...foundNothing('flaky', flaky) };
  const base = given ?? passing[0];
  const reference: HealReference = base
    ? { kind: 'run', ...heardIn(base) }
    : ((scopes.has('mapping:read') ? await treeReference(store, workspaceId, phoneNumber, steps) : undefined) ?? {
        kind: 'test',
        prompts: [],
      });
  const found = healTest({ steps, run, reference });
  const note = reference.kind === 'run' ? undefined : reference.kind === 'tree' ? byTree : byTest;
  return { runId, ...(base && { baseRunId: base.id }), ...found, ...because(join(reasonOf(found), note)) };
}

function scripted(run: RunResults): Scripted {
  const { testConfigId, guided } = run;
  if (testConfigId === undefined || guided === true)
    throw invalid("This isn't a run of a scripted test. Only these can be repaired.");
  if (run.status === 'running') throw stillRunning('repair its test');
  return { ...run, testConfigId };
}
const invalid = (message: string): HumanError => new HumanError(message, { status: 400, code: 'invalid_request' });

/** Returns the prompts of the newest tree of a number along the keys of the test. */
async function treeReference(
  store: Store,
  workspaceId: string,
  phoneNumber: string,
  steps: readonly TestStep[],
): Promise<HealReference | undefined> {
  const newest = await store.db
    .selectFrom('mapping_runs')
    .innerJoin('mapping_jobs', 'mapping_jobs.id', 'mapping_runs.job_id')
    .select(['job_id as id', 'run_number as version'])
    .where('workspace_id', '=', workspaceId)
    .where('phone_number', '=', phoneNumber)
    .where('mapping_runs.status', '=', 'completed')
    .orderBy('mapping_runs.started_at', 'desc')
    .executeTakeFirst();
  const { tree } = newest ? await readTree(store, workspaceId, { ...newest, format: 'tree' }) : {};
  if (!tree) return undefined;
  const path: (TreeNode | undefined)[] = [tree];
  for (const index of actsOf(steps)) {
    const action = steps[index]?.action;
    path.push(action?.type === 'press' ? path.at(-1)?.children?.find(({ digit }) => digit === action.keys) : undefined);
  }
  return { kind: 'tree', prompts: path.flatMap((node) => node?.transcript ?? []) };
}
