import { RelativePattern, workspace } from 'vscode';
import type { Uri } from 'vscode';
import { DisposableStore } from '../lifetime.ts';
import type { Disposable } from '../lifetime.ts';
import { watchFolders } from './folderWatchers.ts';

export interface FileListeners {
  readonly created: (uri: Uri) => void;
  readonly changed: (uri: Uri) => void;
  readonly deleted: (uri: Uri) => void;
  /** Folders came to the workspace or left it: what lies in them is to be found anew. */
  readonly folders: () => void;
}

/** Watches the files of a pattern in all folders of the workspace, also in those that come later. */
export function watchFiles(pattern: string, { created, changed, deleted, folders }: FileListeners): Disposable {
  return watchFolders({ current: () => workspace.workspaceFolders ?? [], onDidChange: (listener) => workspace.onDidChangeWorkspaceFolders(listener) }, (folder) => {
    const held = new DisposableStore();
    const watcher = held.add(workspace.createFileSystemWatcher(new RelativePattern(folder, pattern)));
    held.add(watcher.onDidCreate(created));
    held.add(watcher.onDidChange(changed));
    held.add(watcher.onDidDelete(deleted));
    return held;
  }, folders);
}
