import { commands } from 'vscode';

/** Shows a setting of this extension where it is changed. */
export async function openSetting(setting: string): Promise<void> {
  await commands.executeCommand('workbench.action.openSettings', setting);
}
