import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolder } from '../../../src/service/store/folder.ts';
import { askAddress } from '../../../src/service/store/ownerTalk.ts';

describe('a data folder', () => {
  it('fails if it belongs to another user', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const path = await mkdtemp(join(tmpdir(), 'dialtree-folder-'));
    try {
      await new DataFolder(path).assertPrivate();
      await chown(path, 65_534, 65_534);
      await assert.rejects(new DataFolder(path).assertPrivate(), {
        code: 'data_folder',
        message: /belongs to another user/,
      });
    } finally {
      await rm(path, { recursive: true });
    }
  });

  it('gives up on an owner that sends an endless line', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('x'.repeat(10_000));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      assert.equal(await askAddress(socket, () => assert.fail('the key is not read')), 'ended');
    } finally {
      socket.destroy();
      server.close();
    }
  });
});
