import { commands } from 'vscode';

/** Opens the settings editor at a setting of this extension. */
export async function openSetting(setting: string): Promise<void> {
  await commands.executeCommand('workbench.action.openSettings', setting);
}
