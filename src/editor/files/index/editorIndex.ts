import { FileType, Uri, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import { reaches } from '../../folders/besideUri.ts';
import { watchFiles } from '../../folders/watchFiles.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import { isWorkedOn, placeOf } from '../reading/openFiles.ts';
import type { FolderContent, FileContext } from './fileContext.ts';
import type { FileChange, IndexSource } from './workspaceIndex.ts';

const pattern = '**/*.{mission,calltest,ivr,calltree}.json';
const excluded = '**/node_modules/**';
const maxFiles = 5000;
/** A longer file, such as a large tree, contains nothing that other files need. */
const maxBytes = 1_000_000;

/** The files of the workspace. Open files count as they are in the editor. */
export const editorIndex: IndexSource = {
  find: async () => (await workspace.findFiles(pattern, excluded, maxFiles)).map(String),
  async read(uri) {
    const file = Uri.parse(uri);
    const { size } = await workspace.fs.stat(file);
    return size > maxBytes ? undefined : workspaceFile(file).read();
  },
  watch(onChange, onFolders): Disposable {
    const disposables = new DisposableStore();
    const note =
      (change: FileChange) =>
      (uri: Uri): void => {
        if (isWorkedOn(uri) && uri.scheme !== 'untitled') onChange(uri.toString(), change);
      };
    disposables.add(
      watchFiles(pattern, {
        created: note('stored'),
        changed: note('stored'),
        deleted: (uri) => {
          onChange(uri.toString(), 'gone');
        },
        folders: onFolders,
      }),
    );
    disposables.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) note('typed')(document.uri);
      }),
    );
    // Unsaved changes disappear when the editor closes.
    disposables.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (workspace.getWorkspaceFolder(uri)) note('typed')(uri);
      }),
    );
    return disposables;
  },
};

/** Returns access to the files beside this one. Rejects for a file that was never saved to a folder. */
export function besideFile(uri: Uri): Pick<FileContext, 'list' | 'read' | 'reaches'> {
  const placed = placeOf(uri);
  return {
    reaches: (path) => placed.scheme === 'untitled' || reaches(placed, path),
    async list(folder): Promise<FolderContent | undefined> {
      if (placed.scheme === 'untitled') throw new Error('The file lies in no folder.');
      if (!reaches(placed, `${folder}/x`)) return undefined;
      try {
        const entries = await workspace.fs.readDirectory(Uri.joinPath(placed, '..', folder));
        return new Map(entries.map(([name, type]) => [name, (type & FileType.Directory) === 0 ? 'file' : 'folder']));
      } catch {
        return undefined;
      }
    },
    read: async (path) => (await workspaceFile(placed).readBeside(path)).text,
  };
}
