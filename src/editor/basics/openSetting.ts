import { commands } from 'vscode';

export async function openSetting(setting: string): Promise<void> {
  await commands.executeCommand('workbench.action.openSettings', setting);
}
