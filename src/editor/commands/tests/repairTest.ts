import { HumanError } from '../../../contract/errors.ts';
import { repairsOf } from '../../../model/tests/repairs.ts';
import type { Editor } from '../editor.ts';
import { openReportOf } from './loadCommands.ts';

/** Runs the test of a failed run again. If it still fails, says what has changed, and offers an edit of its file. */
export async function repairTest(editor: Editor, failedId: string): Promise<void> {
  const { client, dialogs, explorer, l10n, workbench } = editor;
  const failed = await client.call('getRunResults', { runId: failedId });
  const { uri, test } = (await explorer.testOf(failed.configId)) ?? {};
  const runs = failed.outcome === 'PASS' ? [failedId] : [];
  const isRun = runs.length > 0 || (await explorer.runAgain(failed, (launched) => runs.push(launched)));
  if (!uri || test?.kind !== 'calltest' || !isRun)
    throw new HumanError(l10n.t('No file of this workspace contains the test of this run.'), { code: 'no_file' });
  const [runId] = runs;
  // The user declined the calls.
  if (runId === undefined) return;
  const { reason, changes, steps } = await client.call('healTest', { runId });
  const detail = [...new Set([reason, ...changes.map((change) => change.reason)])].join(' ');
  const tell = (message: string): Promise<void> =>
    dialogs.tell(message, { title: l10n.t('Show Run'), run: () => openReportOf(editor, runId, 'test') });
  if (!steps) return tell(detail);
  const asking = {
    title: l10n.t('Repair Test'),
    placeHolder: l10n.t('Use these steps in the test from now on?'),
    detail,
  };
  if (
    !(await workbench.offerEdits(uri, (text) => repairsOf(text, test.test.steps, steps, test.resolve), asking, dialogs))
  )
    await tell(l10n.t('The file has changed in the meantime, so nothing was written.'));
}
