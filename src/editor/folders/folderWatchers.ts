import type { Disposable } from '../basics/lifetime.ts';

interface Folder {
  readonly uri: { toString(): string };
}

/** The folders of the workspace, which can be added and removed at any time. */
interface Folders<Known extends Folder> {
  current(): readonly Known[];
  onDidChange(listener: () => void): Disposable;
}

/**
 * Watches each folder as long as it belongs to the workspace. `changed` is called after folders were added or removed.
 */
export function watchFolders<Known extends Folder>(
  folders: Folders<Known>,
  open: (folder: Known) => Disposable,
  changed: () => void,
): Disposable {
  const watched = new Map<string, Disposable>();
  const follow = (): void => {
    const current = new Map(folders.current().map((folder) => [folder.uri.toString(), folder]));
    for (const [uri, watcher] of watched) {
      if (current.has(uri)) continue;
      watched.delete(uri);
      watcher.dispose();
    }
    for (const [uri, folder] of current) if (!watched.has(uri)) watched.set(uri, open(folder));
  };
  follow();
  const listening = folders.onDidChange(() => {
    follow();
    changed();
  });
  return {
    dispose: () => {
      listening.dispose();
      for (const watcher of watched.values()) watcher.dispose();
      watched.clear();
    },
  };
}
