import { commands, env } from 'vscode';

/** Dialtree's settings belong to the machine where it runs, so a remote window lists them only for the remote. */
export async function openSetting(setting: string): Promise<void> {
  const place = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await commands.executeCommand(`workbench.action.${place}`, { query: setting });
}
