import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { treeResponseSchema } from '../../../../src/contract/tree.ts';
import { startSipAgent } from '../../../../src/telephony/agent.ts';
import type { CallEnd } from '../../../../src/telephony/call.ts';
import { treeText } from '../../model/tree/trees.ts';
import { CliProcess, dialtree, repositoryFile } from '../dialtree.ts';

const sample = (name: string): string => repositoryFile(`media/samples/${name}.ivr.json`);

describe('dialtree practice', function () {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('--truth includes the hidden key, the links and the ends of the bank', async () => {
    const truth = treeResponseSchema.parse(
      JSON.parse((await dialtree(['practice', sample('bank'), '--truth'])).stdout),
    );
    assert.deepEqual(treeText(truth.tree), [
      'root',
      '  0 hidden hold-music',
      '  1',
      '    1 input',
      '    2 hangup',
      '    * -> root',
      '  2',
      '    1 transfer-ringback',
      '    2 input',
      '    3 hold-music',
      '  3',
      '    1 voicemail',
      '    2 human',
      '    * -> root',
      '  9 -> root',
    ]);
  });

  it('prints its address on one line, answers there, and ends cleanly on SIGTERM', async () => {
    const practice = new CliProcess(['practice', sample('bank'), sample('clinic'), '--port', '0', '--json']);
    cleanups.push(() => practice.kill());
    const ready = JSON.parse(await practice.firstLine()) as {
      event: string;
      host: string;
      port: number;
      targets: { name: string; number?: string; uri: string; file: string; addresses: string[] }[];
    };
    assert.deepEqual(
      [ready.event, ready.host, ready.targets.map(({ name }) => name).length],
      ['ready', '127.0.0.1', 2],
    );
    // Earlier processes of this user left addresses too, which the registry keeps.
    const { addresses, ...first } = ready.targets[0]!;
    assert.equal(addresses[0], first.uri);
    assert.deepEqual(first, {
      name: 'Harbour Bank',
      number: '+12025550101',
      uri: `sip:harbour-bank@127.0.0.1:${String(ready.port)}`,
      file: sample('bank'),
    });
    const agent = await startSipAgent({ host: '127.0.0.1' });
    cleanups.push(() => agent.close());
    const call = agent.call(ready.targets[0]?.uri ?? '');
    const ended = new Promise<CallEnd>((resolve) => {
      call.listen((event) => {
        if (event.type === 'answered') practice.signal('SIGTERM');
        else if (event.type === 'ended') resolve(event.end);
      });
    });
    const { by, kind } = await ended;
    assert.deepEqual([by, kind], ['remote', 'hangup'], 'the call is hung up, not left in the air');
    const { code, stdout, stderr } = await practice.result();
    assert.equal(code, 0);
    assert.equal(stdout.trimEnd().split('\n').length, 1, 'progress goes to stderr');
    assert.doesNotMatch(stderr, /rror/);
  });

  it('prints its address for a person', async () => {
    const practice = new CliProcess(['practice', sample('bank'), '--port', '0']);
    cleanups.push(() => practice.kill());
    assert.match(await practice.firstLine(), /^Harbour Bank: sip:harbour-bank@127\.0\.0\.1:\d+ {2}\(\+12025550101\)$/);
    practice.signal('SIGINT');
    assert.equal((await practice.result()).code, 0);
  });

  it('rejects a port in use, an address of another machine, and invalid ports', async () => {
    const socket = createSocket('udp4');
    cleanups.push(() => socket.close());
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const used = String(socket.address().port);
    const inUse = await dialtree(['practice', sample('bank'), '--port', used]);
    assert.equal(inUse.code, 1);
    assert.match(inUse.stderr, new RegExp(`Port ${used} on 127\\.0\\.0\\.1 is in use`));
    const elsewhere = await dialtree(['practice', sample('bank'), '--host', '192.0.2.1', '--port', '0']);
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /^Couldn.t listen on 192\.0\.2\.1/);
    for (const port of ['70000', 'sip']) {
      const { code, stderr } = await dialtree(['practice', sample('bank'), `--port=${port}`]);
      assert.equal(code, 2);
      assert.match(stderr, /--port takes a whole number/);
    }
  });

  it('starts nothing with a bad file, and names the place', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-practice-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const bad = path.join(folder, 'bad.ivr.json');
    await writeFile(
      bad,
      JSON.stringify({ name: 'Bad', start: 'main', states: { main: { prompt: 'P', keys: { 1: 'nowhere' } } } }),
    );
    for (const args of [
      [sample('bank'), bad],
      [bad, '--truth'],
    ]) {
      const { code, stdout, stderr } = await dialtree(['practice', '--port', '0', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /bad\.ivr\.json:1:\d+: states\.main\.keys\.1: The state "nowhere" doesn't exist/);
    }
    const { code, stderr } = await dialtree(['practice', path.join(folder, 'missing.ivr.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /Couldn't read the practice IVR .*missing\.ivr\.json/);
    const voice = path.join(folder, 'voice.ivr.json');
    await writeFile(
      voice,
      JSON.stringify({ name: 'V', voice: 'nobody', start: 'main', states: { main: { prompt: 'P', end: 'hangup' } } }),
    );
    assert.match((await dialtree(['practice', '--port', '0', voice])).stderr, /the voice "nobody" doesn.t exist/);
  });

  it('reads its file again at a call after a change, and reports that it is invalid', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-practice-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'a.ivr.json');
    const save = (next: string): Promise<void> =>
      writeFile(file, JSON.stringify({ name: 'A', start: 'main', states: { main: { prompt: 'Hello.', next }, bye } }));
    const bye = { prompt: 'Goodbye.', end: 'hangup' };
    await save('bye');
    const practice = new CliProcess(['practice', file, '--port', '0']);
    cleanups.push(() => practice.kill());
    const target = /sip:\S+/.exec(await practice.firstLine())?.[0] ?? '';
    const agent = await startSipAgent({ host: '127.0.0.1' });
    cleanups.push(() => agent.close());
    await save('nowhere');
    const call = agent.call(target);
    await new Promise((resolve) => {
      call.listen((event) => event.type === 'answered' && resolve(event));
    });
    await call.hangup();
    practice.signal('SIGTERM');
    const { stderr } = await practice.result();
    assert.match(stderr, /a\.ivr\.json:1:\d+: .*The state "nowhere" doesn't exist/);
    assert.match(stderr, /calls hear the last valid version of the file/);
  });

  it('requires a file', async () => {
    const { code, stderr } = await dialtree(['practice']);
    assert.equal(code, 2);
    assert.match(stderr, /Give at least one \*\.ivr\.json file/);
  });
});
