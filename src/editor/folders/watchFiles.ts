import { FileType, RelativePattern, Uri, workspace } from 'vscode';
import { DisposableStore } from '../basics/lifetime.ts';
import type { Disposable } from '../basics/lifetime.ts';
import { Arrivals } from './arrivals.ts';
import { watchFolders } from './folderWatchers.ts';

export interface FileListeners {
  readonly created: (uri: Uri) => void;
  readonly changed: (uri: Uri) => void;
  /** A file is gone, of whatever name, or a folder with all that lay in it. */
  readonly deleted: (uri: Uri) => void;
  /** Folders came, or left the workspace: what lies in them is to be found anew. */
  readonly folders: () => void;
}

const isFolder = async (uri: string): Promise<boolean> =>
  ((await workspace.fs.stat(Uri.parse(uri))).type & FileType.Directory) !== 0;

/** Watches the files of a pattern in all folders of the workspace, also in those that come later. */
export function watchFiles(pattern: string, { created, changed, deleted, folders }: FileListeners): Disposable {
  const all = new DisposableStore();
  const arrivals = new Arrivals(isFolder, folders);
  all.add(
    watchFolders(
      {
        current: () => workspace.workspaceFolders ?? [],
        onDidChange: (listener) => workspace.onDidChangeWorkspaceFolders(listener),
      },
      (folder) => {
        const held = new DisposableStore();
        const watcher = held.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, pattern), false, false, true),
        );
        held.add(watcher.onDidCreate(created));
        held.add(watcher.onDidChange(changed));
        // Of a folder that goes or comes, the editor may name the folder alone, which no pattern of files fits.
        const everything = held.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, '**'), false, true, false),
        );
        held.add(everything.onDidDelete(deleted));
        held.add(
          everything.onDidCreate((uri) => {
            arrivals.note(uri.toString());
          }),
        );
        return held;
      },
      folders,
    ),
  );
  // Also where a setting leaves a folder out of what is watched.
  all.add(
    workspace.onDidDeleteFiles(({ files }) => {
      for (const uri of files) deleted(uri);
    }),
  );
  all.add(
    workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        deleted(oldUri);
        arrivals.note(newUri.toString());
      }
    }),
  );
  return all;
}
