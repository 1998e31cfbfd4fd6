import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import { testsFromTree } from '../../model/tests/testsFromTree.ts';
import { findJob } from '../mapping/findJob.ts';
import { readTree } from '../mapping/tree.ts';
import type { Store } from '../store/store.ts';
import type { Launcher } from '../workspaces/principal.ts';
import type { TestConfigs } from './testConfigs.ts';

interface TreeTestParts {
  readonly store: Store;
  readonly tests: TestConfigs;
}

/** Scripted tests of the paths of a mapped tree, saved where that is asked for. */
export async function generateTests(
  { store, tests }: TreeTestParts,
  author: Launcher,
  { id, version, stepIds, save }: OperationArguments<'generateTestsFromTree'>,
): Promise<OperationOutput<'generateTestsFromTree'>> {
  const { workspaceId } = author;
  const { name, phone_number: phoneNumber } = await findJob(store, workspaceId, id);
  const { tree, message } = await readTree(store, workspaceId, { id, version, format: 'tree' });
  if (!tree)
    throw new HumanError(message ?? 'This run has no tree. Choose a run that has one.', {
      status: 404,
      code: 'not_found',
    });
  const made = testsFromTree(tree, name, stepIds);
  const configs: OperationOutput<'generateTestsFromTree'>['tests'] = [];
  for (const test of made.tests) {
    const config = { name: test.name, phoneNumber, steps: test.steps };
    configs.push(save ? { id: (await tests.create(author, config)).id, ...config } : config);
  }
  return { tests: configs, skipped: [...made.skipped] };
}
