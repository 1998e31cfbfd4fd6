import { HumanError } from '../../contract/errors.ts';
import { uuidOf } from '../../runner/testId.ts';
import type { L10n } from '../basics/localise.ts';
import type { WithConsent } from '../calls/consent.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';

interface CallPathParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly store: Pick<MappingStore, 'loadTree'>;
  readonly withConsent: WithConsent;
  readonly openReport: (runId: string) => void;
  readonly l10n: L10n;
}

/**
 * Calls the path to a step of a mapped tree again, as a scripted test that expects what was heard, and shows its
 * report. Each path has one test, however often it is called.
 */
export async function callPath(
  { client, store, withConsent, openReport, l10n }: CallPathParts,
  { jobId, runNumber, stepId }: { readonly jobId: string; readonly runNumber: number; readonly stepId: string },
): Promise<void> {
  const { job, trees } = await store.loadTree(jobId, runNumber);
  const tree = trees.get(runNumber)?.response.tree;
  if (!tree) throw new HumanError(l10n.t('This run has no tree yet.'), { code: 'no_tree' });
  const { testsFromTree } = await import('../../model/tests/testsFromTree.ts');
  const {
    tests: [test],
    skipped: [why],
  } = testsFromTree(tree, job.name, [stepId]);
  if (!test) throw new HumanError(l10n.t("Dialtree can't call this path. {0}", why?.reason ?? ''), { code: 'no_path' });
  const config = {
    name: test.name,
    phoneNumber: job.phoneNumber,
    steps: test.steps,
    tags: ['path'],
    profileId: job.profileId,
  };
  const configId = uuidOf(`${jobId} ${test.path}`);
  const started = await withConsent({ test: config }, () => client.call('runTest', { configId, test: config }));
  const run = started?.items[0];
  if (run) openReport(run.id);
}
