import assert from 'node:assert/strict';
import { watchFolders } from '../../../../src/editor/folders/folderWatchers.ts';

describe('the watchers of folders', () => {
  let folders: { uri: string }[], listeners: Set<() => void>, watched: string[], changes: number;
  const watch = (): { dispose(): unknown } =>
    watchFolders(
      {
        current: () => folders,
        onDidChange: (listener) => {
          listeners.add(listener);
          return { dispose: () => listeners.delete(listener) };
        },
      },
      ({ uri }) => {
        watched.push(uri);
        return {
          dispose: () => {
            watched.splice(watched.indexOf(uri), 1);
          },
        };
      },
      () => {
        changes += 1;
      },
    );
  const becomes = (...uris: readonly string[]): void => {
    folders = uris.map((uri) => ({ uri }));
    for (const listener of listeners) listener();
  };
  beforeEach(() => {
    [folders, listeners, watched, changes] = [[{ uri: 'a' }, { uri: 'b' }], new Set(), [], 0];
  });

  it('watch folders that come later, and stop watching those removed', () => {
    const watching = watch();
    assert.deepEqual([watched, changes], [['a', 'b'], 0]);
    becomes('b', 'c');
    assert.deepEqual([watched, changes], [['b', 'c'], 1]);
    becomes('a', 'b', 'c');
    assert.deepEqual([watched, changes], [['b', 'c', 'a'], 2]);
    becomes();
    assert.deepEqual([watched, changes], [[], 3]);
    watching.dispose();
  });

  it('watch nothing after they are disposed of', () => {
    const watching = watch();
    becomes('a', 'b', 'c');
    watching.dispose();
    assert.deepEqual([watched, listeners.size], [[], 0]);
  });
});
