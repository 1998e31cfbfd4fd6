import { FileType, Uri, workspace } from 'vscode';
import { systemWallClock } from '../basics/wallClock.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { Arrivals } from './arrivals.ts';
import { kindOf } from './parsedFile.ts';
import type { IndexSource } from './workspaceIndex.ts';
import { workspaceFile } from './workspaceFile.ts';

const pattern = '**/*.{mission,calltest,probe,ivr,calltree}.json';
const excluded = '**/node_modules/**';
/** A longer file, such as a large tree, contains nothing that other files need. */
const maxBytes = 1_000_000;

/** Returns true for files that the user works on: not the other side of a diff, and not files in packages. */
export const isWorkedOn = (uri: Uri): boolean =>
  kindOf(uri.path) !== undefined &&
  !uri.path.includes('/node_modules/') &&
  (uri.scheme === 'file' || uri.scheme === 'untitled' || workspace.getWorkspaceFolder(uri) !== undefined);

/** The files of the workspace. Open files count as they are in the editor. */
export const editorIndex: IndexSource = {
  find: async () => (await workspace.findFiles(pattern, excluded)).map(String),
  async read(uri) {
    const file = Uri.parse(uri);
    const { size } = await workspace.fs.stat(file);
    return size > maxBytes ? undefined : workspaceFile(file).read();
  },
  watch(onChange, onFolders): Disposable {
    const all = new DisposableStore();
    const arrivals = all.add(new Arrivals(isFolder, onFolders, systemWallClock));
    const stored = (uri: Uri): void => {
      if (isWorkedOn(uri) || /\.(?:csv|wav)$/.test(uri.path)) onChange(uri.toString(), 'stored');
    };
    const gone = (uri: Uri): void => {
      onChange(uri.toString(), 'gone');
    };
    const typed = (uri: Uri): void => {
      if (isWorkedOn(uri) && uri.scheme !== 'untitled') onChange(uri.toString(), 'typed');
    };
    // If a folder is added or removed, the editor may report only the folder, which no file pattern matches.
    const watcher = all.add(workspace.createFileSystemWatcher('**'));
    all.add(watcher.onDidChange(stored));
    all.add(watcher.onDidDelete(gone));
    all.add(
      watcher.onDidCreate((uri) => {
        stored(uri);
        arrivals.note(uri.toString());
      }),
    );
    all.add(workspace.onDidChangeWorkspaceFolders(onFolders));
    // Works even if a setting excludes the folder from watching.
    all.add(workspace.onDidDeleteFiles(({ files }) => files.forEach(gone)));
    all.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          gone(oldUri);
          arrivals.note(newUri.toString());
        }
      }),
    );
    all.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) typed(document.uri);
      }),
    );
    // Unsaved changes disappear when the editor closes.
    all.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (workspace.getWorkspaceFolder(uri)) typed(uri);
      }),
    );
    return all;
  },
};

const isFolder = async (uri: string): Promise<boolean> =>
  ((await workspace.fs.stat(Uri.parse(uri))).type & FileType.Directory) !== 0;
