import assert from 'node:assert/strict';
import { WorkspaceIndex } from '../../../../src/editor/folders/workspaceIndex.ts';
import type { FileChange } from '../../../../src/editor/folders/workspaceIndex.ts';
import { recordingLogger, settle, uuid } from '../fakes.ts';

/** A folder whose files a test writes. */
class Folder {
  readonly texts = new Map<string, string>();
  readonly reads: string[] = [];
  watchers = 0;
  finds = 0;
  reading = 0;
  maxReading = 0;
  tell: (uri: string, change: FileChange) => void = () => undefined;

  find = async (): Promise<string[]> => {
    this.finds += 1;
    return [...this.texts.keys()];
  };
  read = async (uri: string): Promise<string | undefined> => {
    this.reading += 1;
    this.maxReading = Math.max(this.maxReading, this.reading);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.reading -= 1;
    this.reads.push(uri);
    const text = this.texts.get(uri);
    if (text === undefined) throw new Error('no file');
    return text;
  };
  tellFolders: () => void = () => undefined;
  watch = (onChange: typeof this.tell, onFolders: () => void): { dispose(): void } => {
    this.watchers += 1;
    this.tell = onChange;
    this.tellFolders = onFolders;
    return {
      dispose: () => {
        this.watchers -= 1;
      },
    };
  };
  write(name: string, text: string): void {
    this.texts.set(`file:///w/${name}`, text);
  }
}

describe('the index of a workspace', () => {
  let folder: Folder, index: WorkspaceIndex, changes: number;
  beforeEach(() => {
    folder = new Folder();
    for (let number = 0; number < 500; number += 1)
      folder.write(
        `t${String(number)}.calltest.json`,
        `{ "name": "Test ${String(number)}", "id": "${uuid(number)}", "tags": ["smoke"] }`,
      );
    index = new WorkspaceIndex(folder, recordingLogger());
    changes = 0;
    index.onDidChange(() => (changes += 1));
  });
  afterEach(() => index.dispose());

  it('reads nothing before the first request, and then a few files at a time', async () => {
    await settle();
    assert.deepEqual([folder.finds, folder.watchers, folder.reads.length], [0, 0, 0]);
    await Promise.all([index.ready(), index.ready()]);
    assert.deepEqual([folder.finds, folder.watchers, folder.reads.length, index.files.length], [1, 1, 500, 500]);
    assert.ok(folder.maxReading <= 8);
    await index.ready();
    assert.equal(folder.reads.length, 500);
  });

  it('finds the tests whose text is invalid', async () => {
    const valid = '{ "name": "A", "phoneNumber": "+12025550101", "mission": "Ask", "acceptance": "It says so" }';
    folder.texts.clear();
    folder.write('cut.mission.json', valid.slice(0, -1));
    folder.write('other.mission.json', valid.replace('mission', 'misson'));
    folder.write('valid.mission.json', valid);
    folder.write('empty.ivr.json', '');
    assert.deepEqual(
      (await index.ready()).map(({ isInvalid }) => isInvalid),
      [true, true, false, false],
    );
  });

  it('forgets everything in a removed folder', async () => {
    folder.write('calls/a.calltest.json', '{}');
    folder.write('calls.calltest.json', '{}');
    await index.ready();
    folder.texts.delete('file:///w/calls/a.calltest.json');
    folder.tell('file:///w/calls', 'gone');
    assert.deepEqual([index.files.length, changes], [501, 1]);
    folder.tell('file:///w/prompts', 'gone');
    assert.deepEqual([index.files.length, changes], [501, 2], 'practice IVRs can name recordings in any folder');
  });

  it('reads changed files again at the next request', async () => {
    await index.ready();
    folder.write('t7.calltest.json', `{ "id": "${uuid(8)}" }`);
    folder.tell('file:///w/t7.calltest.json', 'stored');
    await settle();
    assert.equal(folder.reads.length, 500);
    await index.ready();
    assert.deepEqual(
      index.filesWithId(uuid(8)).map(({ uri }) => uri),
      ['file:///w/t7.calltest.json', 'file:///w/t8.calltest.json'],
    );
    assert.equal(folder.reads.length, 501);
  });

  it('holds requests until pending reads are finished', async () => {
    await index.ready();
    folder.write('t7.calltest.json', `{ "id": "${uuid(8)}" }`);
    folder.tell('file:///w/t7.calltest.json', 'stored');
    const first = index.ready();
    await index.ready();
    assert.equal(index.filesWithId(uuid(8)).length, 2);
    await first;
  });

  it('searches again when folders come and go, and reads only new files', async () => {
    await index.ready();
    for (let number = 250; number < 500; number += 1) folder.texts.delete(`file:///w/t${String(number)}.calltest.json`);
    folder.texts.set('file:///other/t7.calltest.json', `{ "id": "${uuid(7)}" }`);
    folder.tellFolders();
    assert.equal(changes, 1);
    await index.ready();
    assert.deepEqual([folder.finds, index.files.length, folder.reads.length], [2, 251, 501]);
    assert.deepEqual(
      index.filesWithId(uuid(7)).map(({ uri }) => uri),
      ['file:///w/t7.calltest.json', 'file:///other/t7.calltest.json'],
    );
    assert.deepEqual(index.filesWithId(uuid(300)), []);
  });

  it('lists files by kind without reading them, and searches each time', async () => {
    folder.write('b.calltree.json', '{}');
    folder.write('a.calltree.json', '{}');
    const [a, b] = ['file:///w/a.calltree.json', 'file:///w/b.calltree.json'];
    assert.deepEqual(await index.find('calltree', 'ivr'), [a, b]);
    folder.texts.delete(a);
    assert.deepEqual(await index.find('calltree'), [b], 'even if no watcher reports that a file is gone');
    assert.deepEqual([folder.finds, folder.watchers, folder.reads.length], [2, 1, 0]);
    await index.ready();
    assert.deepEqual([folder.finds, folder.reads.length], [2, 501]);
  });

  it('lists all files of a huge workspace, but reads only some of them', async () => {
    for (let number = 500; number < 5_100; number += 1) folder.write(`t${String(number)}.calltest.json`, '{}');
    await index.ready();
    assert.deepEqual(
      [(await index.find('calltest')).length, index.files.length, folder.reads.length],
      [5100, 5000, 5000],
    );
  });

  it("doesn't list a file that is deleted during the search, and lists one that is created", async () => {
    const finding = index.find('calltest', 'calltree');
    folder.tell('file:///w/t8.calltest.json', 'gone');
    folder.tell('file:///w/new.calltree.json', 'stored');
    const found = await finding;
    assert.deepEqual(
      [found.length, found[0], found.includes('file:///w/t8.calltest.json')],
      [500, 'file:///w/new.calltree.json', false],
    );
  });

  it('reports a failed search only to those who list files, and searches again for the next one', async () => {
    const { find } = folder;
    folder.find = () => Promise.reject(new Error('no search'));
    index = new WorkspaceIndex(folder, recordingLogger());
    await index.ready();
    await assert.rejects(index.find('calltest'), /no search/);
    folder.find = find;
    assert.equal((await index.find('calltest')).length, 500);
  });

  it('waits for a search that begins during another', async () => {
    const first = index.ready();
    folder.write('late.calltest.json', `{ "id": "${uuid(900)}" }`);
    folder.tellFolders();
    await first;
    assert.deepEqual([folder.finds, index.filesWithId(uuid(900)).length], [2, 1]);
  });

  it('forgets deleted files, and finds new ones', async () => {
    await index.ready();
    folder.tell('file:///w/t8.calltest.json', 'gone');
    assert.deepEqual(index.filesWithId(uuid(8)), []);
    folder.write('new.ivr.json', '{ "name": "Bank", "number": "+12025550101" }');
    folder.tell('file:///w/new.ivr.json', 'stored');
    folder.tell('file:///w/rows.csv', 'stored');
    await index.ready();
    assert.deepEqual(
      index.files.filter(({ kind }) => kind === 'ivr').map(({ name, phoneNumber }) => [name, phoneNumber]),
      [['Bank', '+12025550101']],
    );
    assert.equal(changes, 3, 'tests name rows, but rows are not files of Dialtree');
  });

  it('notifies about typed text only those that it concerns', async () => {
    await index.ready();
    const type = async (text: string): Promise<number> => {
      changes = 0;
      folder.write('t7.calltest.json', text);
      folder.tell('file:///w/t7.calltest.json', 'typed');
      await index.ready();
      return changes;
    };
    assert.equal(await type(`{ "name": "Other", "id": "${uuid(7)}" }`), 0);
    assert.equal(await type(`{ "name": "Other", "id": "${uuid(8)}" }`), 1);
    assert.equal(await type('{ "name": "Oth'), 1);
  });

  it("skips unreadable files, and is up to date although the folder can't be searched", async () => {
    folder.write('broken.calltest.json', '{ "name": ');
    folder.texts.set('file:///w/gone.calltest.json', '');
    const { read } = folder;
    folder.read = async (uri) => (uri.endsWith('gone.calltest.json') ? Promise.reject(new Error('gone')) : read(uri));
    await index.ready();
    assert.equal(index.files.length, 501);
    const blind = new WorkspaceIndex(
      { read: folder.read, watch: folder.watch, find: () => Promise.reject(new Error('no search')) },
      recordingLogger(),
    );
    await blind.ready();
    assert.deepEqual(blind.files, []);
    blind.dispose();
  });

  it('ends with its window', async () => {
    const waiting = index.ready();
    index.dispose();
    await waiting;
    assert.equal(folder.watchers, 0);
    await index.ready();
    assert.equal(folder.watchers, 0);
  });
});
