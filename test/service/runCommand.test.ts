import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CliProcess } from '../unit/cli/dialtree.ts';

/** A separate service in the command's process, in a temporary folder, and real SIP on this machine. */
describe('dialtree run without --url', function () {
  let folder: string;
  let command: CliProcess | undefined;
  let phone: Socket;
  /** The methods of the requests that the phone received. */
  let requests: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-'));
    await mkdir(path.join(folder, 'tmp'));
    requests = [];
    phone = createSocket('udp4');
    phone.bind(0, '127.0.0.1');
    await once(phone, 'listening');
  });
  afterEach(async () => {
    await command?.kill();
    phone.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(...args: string[]): Promise<CliProcess> {
    const phoneNumber = `sip:somebody@127.0.0.1:${String(phone.address().port)}`;
    await writeFile(
      path.join(folder, 'a.calltest.json'),
      JSON.stringify({ name: 'One', phoneNumber, steps: [{ name: 'Call', action: { type: 'dial' } }] }),
    );
    command = new CliProcess(['run', '.', '--consent', phoneNumber, ...args], {
      cwd: folder,
      env: { TMPDIR: path.join(folder, 'tmp'), TEMP: path.join(folder, 'tmp') },
    });
    return command;
  }
  const leftBehind = async (): Promise<string[]> =>
    (await readdir(path.join(folder, 'tmp'))).filter((name) => name.startsWith('dialtree-'));
  /** Answers a request with this status (RFC 3261, 8.2.6.2). */
  function answer(request: string, to: AddressInfo, status: string): void {
    const headers = request.split('\r\n').filter((line) => /^(via|from|call-id|cseq):/i.test(line));
    const toHeader = request.split('\r\n').find((line) => /^to:/i.test(line)) ?? '';
    phone.send(
      [`SIP/2.0 ${status}`, ...headers, `${toHeader};tag=1`, 'Content-Length: 0', '', ''].join('\r\n'),
      to.port,
      to.address,
    );
  }

  it('hangs up and leaves no folder behind if the terminal closes', async () => {
    const run = await start();
    const ringing = new Promise<void>((resolve) => {
      let invite = '';
      phone.on('message', (message, sender) => {
        const request = message.toString('utf8');
        const method = request.split(' ')[0] ?? '';
        requests.push(method);
        const from = { ...sender, family: 'IPv4' };
        if (method === 'INVITE') {
          invite = request;
          answer(request, from, '180 Ringing');
          resolve();
        } else if (method === 'CANCEL') {
          answer(request, from, '200 OK');
          answer(invite, from, '487 Request Terminated');
        }
      });
    });
    await Promise.race([
      ringing,
      run.result().then(({ stderr }) => {
        throw new Error(stderr);
      }),
    ]);
    run.close('stdout');
    run.close('stderr');
    run.signal('SIGHUP');
    assert.equal((await run.result()).code, 1);
    assert.ok(requests.includes('CANCEL'), requests.join(' '));
    assert.deepEqual(await leftBehind(), []);
  });

  it("runs to its end if its output isn't read @full", async () => {
    const run = await start('--repeat', '2');
    let calls = 0;
    phone.on('message', (message, sender) => {
      const request = message.toString('utf8');
      if (!request.startsWith('INVITE ')) return;
      calls += 1;
      answer(request, { ...sender, family: 'IPv4' }, '486 Busy Here');
    });
    await run.told(/^…/m);
    run.close('stdout');
    run.close('stderr');
    assert.equal((await run.result()).code, 1, 'the calls failed');
    assert.equal(calls, 2);
    assert.deepEqual(await leftBehind(), []);
  });
});
