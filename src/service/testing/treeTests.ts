import { HumanError } from '../../contract/errors.ts';
import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import type { CalltreeNode } from '../../contract/calltreeFile.ts';
import { whyNotPressed, type PressRules } from '../../language/labels/pressRules.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { PracticeStopped } from '../numbers/dialGate.ts';
import type { Dialling } from '../numbers/dialGate.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { testsFromTree } from '../../model/tests/testsFromTree.ts';
import { findJob } from '../mapping/findJob.ts';
import { readTree } from '../mapping/tree.ts';
import type { Store } from '../store/store.ts';
import type { Launcher } from '../workspaces/principal.ts';
import type { SavedTests } from './savedTests.ts';

interface TreeTestParts {
  readonly store: Store;
  readonly tests: SavedTests;
  readonly lines: Pick<LineBook, 'resolve'>;
}

/**
 * Generates scripted tests for the paths of a mapped tree, and saves them if requested. On live numbers, they choose
 * only what the mapping may press.
 */
export async function generateTests(
  { store, tests, lines }: TreeTestParts,
  author: Launcher,
  { id, version, stepIds, save }: OperationArguments<'generateTestsFromTree'>,
): Promise<OperationOutput<'generateTestsFromTree'>> {
  const { workspaceId } = author;
  const { name, phone_number: phoneNumber, config: rules } = await findJob(store, workspaceId, id);
  const { tree, message } = await readTree(store, workspaceId, { id, version, format: 'tree' });
  if (!tree)
    throw new HumanError(message ?? 'This run has no tree. Choose a run that has one.', {
      status: 404,
      code: 'not_found',
    });
  const caller = await readCaller(store.db, workspaceId, undefined);
  const isLive = !isPractice(() => lines.resolve(phoneNumber, caller));
  const generated = testsFromTree(tree, name, stepIds, isLive ? (option) => whyNotTaken(option, rules) : undefined);
  const configs: OperationOutput<'generateTestsFromTree'>['tests'] = [];
  for (const test of generated.tests) {
    const config = { name: test.name, phoneNumber, steps: test.steps };
    configs.push(save ? { id: (await tests.create(author, 'script', config)).id, ...config } : config);
  }
  return { tests: configs, skipped: [...generated.skipped] };
}

/** A number that can't be called now may be live later, unless it belongs to a practice IVR. */
function isPractice(resolve: () => Dialling): boolean {
  try {
    return resolve().lab;
  } catch (error) {
    if (error instanceof HumanError) return error instanceof PracticeStopped;
    throw error;
  }
}

function whyNotTaken({ label = '', spokenResponse = '', hidden }: CalltreeNode, rules: PressRules): string | undefined {
  if (hidden === true) return 'It was left out: no prompt offers one of its keys, and the number is live.';
  const reason = whyNotPressed(label === '' ? spokenResponse : label, rules);
  return reason && `It was left out: ${reason}`;
}
