import { pathToFileURL } from 'node:url';
import { HumanError } from '../../contract/errors.ts';
import { planAgentFiles, readAgentClients, writeAgentFiles } from '../../runner/agentFiles.ts';
import type { Editor } from './editor.ts';

/** Writes what coding agents need into a folder of the workspace, or removes it, after the user has seen the files. */
export async function setUpAgents({ workbench, dialogs, context, isTrusted, l10n }: Editor): Promise<void> {
  const folders = workbench.diskFolders();
  if (!isTrusted() || folders.length === 0)
    throw new HumanError(l10n.t('Open a folder on a local disk, and trust the workspace first.'), { status: 403 });
  const title = l10n.t('Set Up Agents in This Folder');
  const choices = folders.map((path) => ({ label: path, value: path }));
  const asked = { title, placeHolder: l10n.t('Which folder do you want to set up?') };
  const folder = folders.length === 1 ? folders[0] : await dialogs.pick(choices, asked);
  if (folder === undefined) return;
  const home = context.extensionUri.fsPath;
  const clients = await readAgentClients(`${home}/media`);
  const written = await planAgentFiles(folder, `${home}/media`, Object.values(clients), true);
  const remove = { label: l10n.t('Remove what Dialtree wrote'), value: 'none' };
  const name = await dialogs.pick<string>(
    [
      ...Object.entries(clients).map(([value, { label, config }]) => ({ label, detail: config, value })),
      ...(written.length === 0 ? [] : [remove]),
    ],
    { title, placeHolder: l10n.t('Which agent do you want to set up?') },
  );
  if (name === undefined) return;
  const client = clients[name];
  const changes = client ? await planAgentFiles(folder, `${home}/media`, [client], false) : written;
  const kept = (file: string): string => l10n.t('{0} (changed by you, so it stays)', file);
  const list = changes.map(({ file, after }) => (after === null ? kept(file) : file)).join('\n');
  const agree = client ? l10n.t('Write Files') : l10n.t('Remove');
  if (changes.length > 0 && !(await dialogs.confirm(title, list, agree))) return;
  await writeAgentFiles(folder, changes);
  if (!client) return;
  const config = pathToFileURL(`${folder}/${client.config}`).href;
  await dialogs.tell(
    l10n.t('Agents run the command “dialtree”. If it isn\'t on the PATH, run: npm install --global "{0}"', home),
    { title: l10n.t('Open Configuration'), run: () => workbench.openFile(config) },
  );
}
