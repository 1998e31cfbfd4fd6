import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { HumanError } from '../../src/contract/errors.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import { ownDataFolder } from '../../src/service/store/ownership.ts';
import type { Ownership } from '../../src/service/store/ownership.ts';
import { LocalKey } from '../../src/service/workspaces/localKey.ts';
import type { Clock } from '../../src/base/clock.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';
import { skipFor } from '../support/skipFor.ts';

/** A clock that never waits. */
const hurried: Clock = {
  now: () => 0,
  setTimeout: (callback, ms) => (ms > 10_000 ? {} : setImmediate(callback)),
  clearTimeout: () => undefined,
};
const addressAt = (origin: string) => ({ baseUrl: `${origin}/v1`, mcpUrl: `${origin}/mcp`, pid: process.pid });
const here = addressAt('http://127.0.0.1:9');
const codeIs =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof HumanError && error.code === code;

describe('the owner of a data folder', function () {
  const fixture = new ServiceFixture();
  const owners: Ownership[] = [];
  const servers: Server[] = [];
  const processes: JsonProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await Promise.all(owners.splice(0).map((owner) => owner.release()));
    for (const server of servers.splice(0)) server.close();
    await fixture.close();
  });

  async function makeFolder(): Promise<{ readonly folder: DataFolder; readonly key: string }> {
    const folder = new DataFolder(await fixture.folder());
    return { folder, key: (await LocalKey.readOrCreate(folder)).key };
  }

  async function own(folder: DataFolder): Promise<Ownership> {
    const owned = await ownDataFolder(folder);
    assert.ok('owner' in owned, 'the folder has an owner');
    owners.push(owned.owner);
    return owned.owner;
  }

  /** Listens there, and keeps what it receives. */
  async function listen(
    at: string | number,
    onConnection: (socket: Socket) => void,
  ): Promise<{ readonly server: Server; readonly sent: string[] }> {
    const sent: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => sent.push(chunk.toString()));
      onConnection(socket);
    });
    servers.push(server);
    if (typeof at === 'number') server.listen(at, '127.0.0.1');
    else server.listen(at);
    await once(server, 'listening');
    return { server, sent };
  }

  /** Puts a lock into the folder as if the process with this ID owned it. */
  async function lockAs(folder: DataFolder, id: string): Promise<string> {
    await mkdir(join(folder.path, 'lock'));
    await writeFile(join(folder.path, 'lock', id), '');
    return join(folder.path, `lock-${id}`);
  }

  const nonce = 'ab'.repeat(32);
  for (const [what, says] of [
    ['a proof of nothing', [{ nonce }, { address: JSON.stringify(here), proof: nonce }]],
    ['no proof', [{ nonce }, { address: JSON.stringify(here) }]],
    ['an address alone', [here]],
    ['no JSON', ['who is there?']],
    ['that our key is wrong', [{ nonce }, { refused: true }]],
  ] as const) {
    it(`rejects the address of a process that holds the lock and answers with ${what}`, async () => {
      const { folder, key } = await makeFolder();
      const web = await listen(0, () => undefined);
      const { port } = web.server.address() as AddressInfo;
      let reached = false;
      web.server.on('connection', () => {
        reached = true;
      });
      const { sent } = await listen(await lockAs(folder, '1-00'), (socket) => {
        for (const line of says) socket.write(`${JSON.stringify(line).replaceAll(':9/', `:${String(port)}/`)}\n`);
      });
      await assert.rejects(
        fixture.start({ dataDir: folder.path }),
        (error: unknown) =>
          codeIs('not_owner')(error) && /Process 1 has locked .* Stop that process/.test(String(error)),
      );
      assert.ok(!sent.join('').includes(key) && !sent.join('').includes(key.slice(12)), 'the key is not sent');
      assert.ok(!reached, 'its address is not called');
    });
  }

  it('gives its address to a process that knows the key, and nothing to others', async () => {
    const { folder, key } = await makeFolder();
    const owner = await own(folder);
    owner.publish(here, key);
    assert.deepEqual(await ownDataFolder(folder), { address: here, key });

    const [id = ''] = await readdir(join(folder.path, 'lock'));
    const stranger = createConnection(join(folder.path, `lock-${id}`));
    let heard = '';
    stranger.on('data', (chunk) => {
      heard += chunk.toString();
    });
    stranger.write(`${JSON.stringify({ nonce, proof: nonce })}\n`);
    await once(stranger, 'close');
    assert.match(heard, /^\{"nonce":"[0-9a-f]{64}"\}\n\{"refused":true\}\n$/);

    await writeFile(folder.keyFile, `${key.slice(0, -4)}0000\n`, { mode: 0o600 });
    await assert.rejects(ownDataFolder(folder), codeIs('not_owner'));
  });

  it('earns trust only if it serves on loopback', async () => {
    for (const origin of [
      'http://192.0.2.1:80',
      'http://127.0.0.1.example.com',
      'https://127.0.0.1',
      'http://127.0.0.1@192.0.2.1',
      'http://ann@127.0.0.1',
    ]) {
      const { folder, key } = await makeFolder();
      (await own(folder)).publish(addressAt(origin), key);
      await assert.rejects(ownDataFolder(folder), codeIs('owner_elsewhere'), origin);
    }
    const { folder, key } = await makeFolder();
    (await own(folder)).publish(addressAt('http://[::1]:8021'), key);
    assert.equal('address' in (await ownDataFolder(folder)), true);
  });

  it('delays the next start while it starts or stops, for up to 45 s', async () => {
    const { folder, key } = await makeFolder();
    const owner = await own(folder);
    const waits: number[] = [];
    const impatient: Clock = {
      ...hurried,
      setTimeout: (callback, ms) => {
        waits.push(ms);
        return setImmediate(callback);
      },
    };
    await assert.rejects(
      ownDataFolder(folder, impatient),
      (error: unknown) =>
        codeIs('owner_silent')(error) &&
        String(error).includes(`Process ${String(process.pid)} is using ${folder.path}`),
    );
    assert.deepEqual(waits, [45_000]);

    owner.publish(here, key);
    owner.withdraw();
    const next = ownDataFolder(folder);
    await owner.release();
    owners.length = 0;
    const owned = await next;
    assert.ok('owner' in owned, 'takes over');
    owners.push(owned.owner);
  });

  /** What a killed owner leaves: its name in the lock, and a socket that nothing listens on. */
  async function leaveDead(folder: DataFolder): Promise<void> {
    const socket = await lockAs(folder, '1-00');
    const killed = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    assert.throws(() => execFileSync(process.execPath, ['-e', killed]), { signal: 'SIGKILL' });
    assert.ok(existsSync(socket));
  }

  it('remains the only one of many that start simultaneously after the last one was killed, in every round', async () => {
    const { folder, key } = await makeFolder();
    await leaveDead(folder);
    for (let round = 0; round < 30; round += 1) {
      const starts = Array.from({ length: 8 }, async () => {
        const owned = await ownDataFolder(folder);
        if ('owner' in owned) owned.owner.publish(here, key);
        return owned;
      });
      const found = (await Promise.all(starts)).flatMap((one) => ('owner' in one ? [one.owner] : []));
      assert.equal(found.length, 1, `round ${String(round)}`);
      await Promise.all(found.map((owner) => owner.release()));
    }
  });

  it('starts after any crash: with the socket gone, or an empty or unfinished lock; and removes the remains', async () => {
    for (const leave of [
      leaveDead,
      async (folder: DataFolder) => {
        await lockAs(folder, '1-00');
      },
      async (folder: DataFolder) => {
        await mkdir(join(folder.path, 'lock'));
      },
      async (folder: DataFolder) => {
        await mkdir(join(folder.path, 'lock-00.new'));
        await writeFile(join(folder.path, 'lock-00.new', 'free'), '');
      },
    ]) {
      const { folder } = await makeFolder();
      await leave(folder);
      await own(folder);
      const [id = ''] = await readdir(join(folder.path, 'lock'));
      assert.deepEqual((await readdir(folder.path)).sort(), ['api-key', 'lock', `lock-${id}`]);
    }
  });

  it('works with a folder whose path is longer than a socket address can be', async () => {
    const folder = new DataFolder(join(await fixture.folder(), 'x'.repeat(120), 'data'));
    await folder.create();
    const { key } = await LocalKey.readOrCreate(folder);
    (await own(folder)).publish(here, key);
    assert.deepEqual(await ownDataFolder(folder), { address: here, key });
  });

  it('has a folder and a key that no other user can access, or says what to do', async function () {
    if (process.platform === 'win32') skipFor(this, 'Windows has no file modes');
    const { folder } = await makeFolder();
    const link = new DataFolder(`${folder.path}/link`);
    await symlink(await fixture.folder(), link.path);
    await assert.rejects(
      ownDataFolder(link),
      (error: unknown) => codeIs('data_folder')(error) && /is a link/.test(String(error)),
    );

    await chmod(folder.path, 0o777);
    await assert.rejects(
      ownDataFolder(folder),
      (error: unknown) => codeIs('data_folder')(error) && /chmod 700 /.test(String(error)),
    );
    await chmod(folder.path, 0o755);
    await (await own(folder)).release();
    owners.length = 0;
    assert.equal((await stat(folder.path)).mode & 0o777, 0o700, 'a folder of ours is closed to others');

    const shared = new DataFolder(await fixture.folder());
    await writeFile(join(shared.path, 'letter.txt'), '');
    await chmod(shared.path, 0o755);
    await assert.rejects(
      ownDataFolder(shared),
      (error: unknown) => codeIs('data_folder')(error) && /contains other files/.test(String(error)),
    );
    assert.equal((await stat(shared.path)).mode & 0o777, 0o755, 'a folder of other things is left as it is');

    await chmod(folder.keyFile, 0o644);
    await assert.rejects(
      fixture.start({ dataDir: folder.path }),
      (error: unknown) => codeIs('key_file')(error) && /chmod 600 /.test(String(error)),
    );
  });

  it('remains the only one even if processes run on different versions of Node', async function () {
    const others = ['/usr/bin/node', '/usr/local/bin/node'].filter(
      (path) => existsSync(path) && execFileSync(path, ['--version']).toString().trim() !== process.version,
    );
    const other = others[0];
    if (other === undefined) skipFor(this, 'no other version of Node is installed');
    const outfile = join(await fixture.folder(), 'ownerChild.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, '../support/ownerChild.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
    const launch = (folder: DataFolder, node: string, ...args: string[]): JsonProcess => {
      const child = new JsonProcess(pathToFileURL(outfile), [folder.path, ...args], { node });
      processes.push(child);
      return child;
    };
    for (const [one, two] of [
      [other, process.execPath],
      [process.execPath, other],
    ] as const) {
      const { folder } = await makeFolder();
      const first = launch(folder, one);
      const { pid } = await first.line('owner');
      assert.equal((await launch(folder, two).line('found'))['pid'], pid);
      await first.kill();
      const second = launch(folder, two, 'silent');
      await second.line('owner');
      // They wait for an owner that doesn't answer. When it is killed, one of them takes over, and the others find it.
      const waiting = [one, two, one, two].map((node) => launch(folder, node));
      await second.kill();
      const owner = await Promise.any(waiting.map(async (child) => (await child.line('owner'))['pid']));
      const found = await Promise.all(
        waiting.filter(({ child }) => child.pid !== owner).map(async (child) => (await child.line('found'))['pid']),
      );
      assert.deepEqual(found, [owner, owner, owner]);
    }
  });
});
