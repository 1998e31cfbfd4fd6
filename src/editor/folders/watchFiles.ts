import { FileType, RelativePattern, Uri, workspace } from 'vscode';
import { systemClock } from '../basics/clock.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { Arrivals } from './arrivals.ts';
import { watchFolders } from './folderWatchers.ts';

interface FileListeners {
  readonly created: (uri: Uri) => void;
  readonly changed: (uri: Uri) => void;
  /** A file with any name, or a folder with everything in it, was deleted. */
  readonly deleted: (uri: Uri) => void;
  /** Folders were added to or removed from the workspace. Search their files again. */
  readonly folders: () => void;
}

const isFolder = async (uri: string): Promise<boolean> =>
  ((await workspace.fs.stat(Uri.parse(uri))).type & FileType.Directory) !== 0;

/** Watches the files that match a pattern in all folders of the workspace, including folders added later. */
export function watchFiles(pattern: string, { created, changed, deleted, folders }: FileListeners): Disposable {
  const all = new DisposableStore();
  const arrivals = all.add(new Arrivals(isFolder, folders, systemClock));
  all.add(
    watchFolders(
      {
        current: () => workspace.workspaceFolders ?? [],
        onDidChange: (listener) => workspace.onDidChangeWorkspaceFolders(listener),
      },
      (folder) => {
        const disposables = new DisposableStore();
        const watcher = disposables.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, pattern), false, false, true),
        );
        disposables.add(watcher.onDidCreate(created));
        disposables.add(watcher.onDidChange(changed));
        // If a folder is added or removed, the editor may report only the folder, which no file pattern matches.
        const everything = disposables.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, '**'), false, true, false),
        );
        disposables.add(everything.onDidDelete(deleted));
        disposables.add(
          everything.onDidCreate((uri) => {
            arrivals.note(uri.toString());
          }),
        );
        return disposables;
      },
      folders,
    ),
  );
  // Works even if a setting excludes the folder from watching.
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
