import { l10n, Uri, window } from 'vscode';
import { HumanError } from '../../../contract/errors.ts';
import type { Editor } from '../editor.ts';
import { runFile } from './runTest.ts';

/**
 * Runs a sample's mission in the user's own copy, whichever workspace is open. Shows its file, the words as they are
 * spoken, and then the report.
 */
export async function runSampleMission(sample: string, { copies, explorer, openReport }: Editor): Promise<void> {
  const file = await copies.mission(sample);
  if (file === undefined)
    throw new HumanError(
      l10n.t("The sample “{0}” doesn't exist or has no mission. Check the name of the sample.", sample),
      { status: 400, code: 'bad_argument' },
    );
  const uri = Uri.file(file);
  const newest = async (): Promise<string | undefined> => {
    const item = explorer.items.find(({ id }) => id === uri.toString());
    return item && explorer.runOf(item);
  };
  const before = await newest();
  await window.showTextDocument(uri, { preserveFocus: true });
  await runFile(uri, { explorer });
  const runId = await newest();
  // If nothing was called, there is no new report.
  if (runId !== undefined && runId !== before) openReport(runId);
}
