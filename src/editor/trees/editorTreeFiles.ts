import { posix } from 'node:path';
import { l10n, Uri, window, workspace } from 'vscode';
import { workspaceFile } from '../folders/workspaceFile.ts';
import { withSuffix, type TreeFiles } from './treeFiles.ts';

export const editorTreeFiles: Omit<TreeFiles, 'find'> = {
  uriOf: (file) => ('file' in file ? Uri.file(file.file) : Uri.from(file)).toString(),
  label(uri) {
    const parsed = Uri.parse(uri);
    const root = workspace.workspaceFolders?.find(
      (folder) => folder.uri.toString() === parsed.with({ path: parsed.path.replace(/(?<=.)\/$/, '') }).toString(),
    );
    return root?.name ?? workspace.asRelativePath(parsed);
  },
  source: (uri) => workspaceFile(Uri.parse(uri)),
  relative(folder, uri) {
    const [from, to] = [Uri.parse(folder), Uri.parse(uri)];
    // There is no relative path to another drive.
    return from.scheme === to.scheme &&
      from.authority === to.authority &&
      from.path.split('/')[1] === to.path.split('/')[1]
      ? posix.relative(from.path, to.path)
      : undefined;
  },
  beside: (folder, name) => Uri.joinPath(Uri.parse(folder), name).toString(),
  folderOf: (uri) => Uri.joinPath(Uri.parse(uri), '..').toString(),
  home: () => workspace.workspaceFolders?.[0]?.uri.toString(),
  exists: async (uri) =>
    workspace.fs.stat(Uri.parse(uri)).then(
      () => true,
      () => false,
    ),
  async write(uri, content) {
    if (typeof content === 'string') await workspaceFile(Uri.parse(uri)).write(content);
    else await workspace.fs.writeFile(Uri.parse(uri), content);
  },
  async askFolder(title) {
    const home = workspace.workspaceFolders?.[0]?.uri;
    const [folder] =
      (await window.showOpenDialog({
        title,
        openLabel: l10n.t('Save Here'),
        canSelectFolders: true,
        canSelectFiles: false,
        canSelectMany: false,
        ...(home && { defaultUri: home }),
      })) ?? [];
    return folder?.toString();
  },
  async askNewFile(title, name, suffix) {
    const home = workspace.workspaceFolders?.[0]?.uri;
    let defaultUri = home && Uri.joinPath(home, `${name}${suffix}`);
    for (;;) {
      // The dialog of a remote window only knows what follows the last dot, and would append a longer file type to a
      // name that already ends with it.
      const chosen = await window.showSaveDialog({
        title,
        ...(defaultUri && { defaultUri }),
        filters: { [suffix]: [suffix.slice(suffix.lastIndexOf('.') + 1)] },
      });
      if (!chosen || chosen.path.endsWith(suffix)) return chosen?.toString();
      const whole = chosen.with({ path: withSuffix(chosen.path, suffix) });
      if (!(await editorTreeFiles.exists(whole.toString()))) return whole.toString();
      // The dialog asks about replacing a file only for the name that it shows.
      defaultUri = whole;
    }
  },
};
