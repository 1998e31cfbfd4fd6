import { commands, l10n, Uri, window, workspace } from 'vscode';
import { homedir } from 'node:os';
import { HumanError } from '../../contract/errors.ts';

/** Shows a walkthrough by its full id, `publisher.extension#walkthrough`. */
export async function showWalkthrough(category: string, step: string | undefined): Promise<void> {
  await commands.executeCommand('workbench.action.openWalkthrough', step === undefined ? category : { category, step });
}

export async function askSamplesFolder(): Promise<string | undefined> {
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t('Where do you want to put the samples folder?'),
      openLabel: l10n.t('Copy Samples Here'),
      defaultUri: Uri.file(homedir()),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (chosen && chosen.scheme !== 'file')
    throw new HumanError(l10n.t('Choose a folder on a local disk. Dialtree starts the practice IVRs from there.'), {
      status: 400,
      code: 'samples_folder',
    });
  return chosen?.fsPath;
}

/** Opens a folder as the workspace: in this window if it has none yet, otherwise in another. */
export async function openFolder(folder: string): Promise<void> {
  await commands.executeCommand('vscode.openFolder', Uri.file(folder), {
    forceNewWindow: (workspace.workspaceFolders ?? []).length > 0,
  });
}

/** @see https://code.visualstudio.com/api/references/contribution-points#contributes.walkthroughs */
export const goOnIn = (folder: string): { readonly openFolder: Uri } => ({ openFolder: Uri.file(folder) });
