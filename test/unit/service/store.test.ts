import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRange } from '../../../src/service/http/recording.ts';
import { readCursor, writeCursor } from '../../../src/service/store/cursor.ts';
import { Signer } from '../../../src/service/basics/signing.ts';
import { DataFolder } from '../../../src/service/store/folder.ts';
import { fromMemory, toStoredNode } from '../../../src/service/store/stepMemory.ts';
import { unpackTar } from '../../../src/service/store/tar.ts';
import { createApiKey, parseApiKey } from '../../../src/service/workspaces/keyForm.ts';
import { LocalKey } from '../../../src/service/workspaces/localKey.ts';
import { leafNode, rootNode } from '../../support/serviceScript.ts';

/** One file of a ustar archive. */
function entry(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write('0', 156);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

describe('service parts', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dialtree-parts-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('unpacks an archive as a whole, and rejects one that is truncated, damaged or leads elsewhere, before writing', async () => {
    const end = Buffer.alloc(1024);
    const many = Array.from({ length: 100 }, (_none, index) => `f/${String(index)}`);
    await unpackTar(
      Buffer.concat([entry('a/b', 'hello'), entry('c', ''), ...many.map((name) => entry(name, name)), end]),
      join(directory, 'good'),
    );
    for (const [name, content] of [['a/b', 'hello'], ['c', ''], ...many.map((one) => [one, one])] as [string, string][])
      assert.equal(await readFile(join(directory, 'good', name), 'utf8'), content);
    const damaged = entry('a', 'x');
    damaged[0] = 0x7a;
    for (const bad of [
      entry('a', 'hello').subarray(0, 600),
      Buffer.concat([damaged, end]),
      Buffer.concat([entry('good', 'x'), entry('../../out', 'x'), end]),
      end,
      entry('a', 'hello'),
      entry('a', 'hello').subarray(0, 520),
    ]) {
      await assert.rejects(unpackTar(bad, join(directory, 'bad')), /^Error: the archive /);
    }
    assert.deepEqual(await readdir(directory), ['good']);
  });

  it('installs a database completely or not at all', async () => {
    const folder = new DataFolder(join(directory, 'data'));
    await folder.create();
    await assert.rejects(
      folder.replaceDatabase(() => Promise.reject(new Error('killed'))),
      /killed/,
    );
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('creates keys in one format, and recognises its own without a store', async () => {
    const folder = new DataFolder(directory);
    const local = await LocalKey.readOrCreate(folder);
    assert.equal((await LocalKey.readOrCreate(folder)).key, local.key);
    assert.equal(local.principal(local.key)?.scopes.size, 8);
    assert.equal(local.principal(createApiKey()), undefined);
    assert.equal(local.principal(`dt_00000000${local.key.slice(11)}`), undefined);
    assert.equal(parseApiKey('dt_short_x'), undefined);
  });

  it('accepts only its own cursors', () => {
    const signer = new Signer(Buffer.from('secret'));
    const position = { key: '2026-01-02T03:04:05.678Z', id: '11111111-1111-4111-8111-111111111111' };
    const cursor = writeCursor(signer, 'list', position);
    assert.deepEqual(readCursor(signer, 'list', cursor), position);
    assert.throws(() => readCursor(signer, 'other', cursor), { status: 400 });
    assert.throws(() => readCursor(new Signer(Buffer.from('else')), 'list', cursor), { status: 400 });
  });

  it('preserves a node through JSON, including fingerprints', () => {
    for (const node of [rootNode(), leafNode('1', { words: [{ text: 'a', startMs: 1, endMs: 2 }], notSame: ['x'] })]) {
      assert.deepEqual(
        fromMemory(JSON.parse(JSON.stringify(toStoredNode(node))) as ReturnType<typeof toStoredNode>),
        node,
      );
    }
  });

  it('reads ranges of bytes', () => {
    assert.deepEqual(readRange('bytes=0-3', 10), { start: 0, end: 3 });
    assert.deepEqual(readRange('bytes=4-', 10), { start: 4, end: 9 });
    assert.deepEqual(readRange('bytes=-3', 10), { start: 7, end: 9 });
    assert.deepEqual(readRange('bytes=5-99', 10), { start: 5, end: 9 });
    assert.equal(readRange('bytes=10-', 10), 'unsatisfiable');
    for (const other of [undefined, 'bytes=-', 'bytes=3-1', 'bytes=0-1,4-5', 'lines=1-2'])
      assert.equal(readRange(other, 10), undefined);
  });
});
