import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { NatSettings, SipAgent } from '../../src/telephony/call.ts';
import { findCoturn } from '../support/coturn.ts';
import type { ForeignProcess } from '../support/foreignProcess.ts';
import { freeUdpPort } from '../support/freeUdpPort.ts';
import type { NatCall } from '../support/natCaller.ts';
import type { NatNetwork } from '../support/natNetwork.ts';
import { createNatNetwork, mappingSeconds } from '../support/natNetwork.ts';
import { within } from '../support/patience.ts';
import { findSipp } from '../support/sipp.ts';
import { uasEchoesAndHangsUp, uasPlaysAndHangsUp } from './sippScenarios.ts';

const caller = path.resolve(import.meta.dirname, '../support/natCaller.ts');

describe('a line behind NAT', () => {
  let network: NatNetwork | undefined, coturn: ForeignProcess | undefined, sipp: string, folder: string | undefined;
  const running = new Set<ChildProcess>();

  before(async function () {
    const start = findCoturn();
    const found = findSipp();
    if (!start || found === undefined) return this.skip();
    sipp = found;
    network = createNatNetwork();
    if (!network) return this.skip();
    folder = mkdtempSync(path.join(tmpdir(), 'dialtree-nat-'));
    coturn = await start(network.outside.stun, 3478, network.enter.outside);
  });
  afterEach(async () => {
    for (const child of running) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    }
    running.clear();
  });
  after(async () => {
    await coturn?.stop();
    network?.remove();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const run = (command: readonly string[]): { output: () => string; exit: Promise<number | null> } => {
    const [program = '', ...args] = command;
    let output = '';
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TERM: 'dumb' },
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    const exit = once(child, 'exit').then(([code]) => code as number | null);
    return { output: () => output, exit };
  };

  /** Calls sipp, which answers with this scenario, from inside. */
  async function call(scenario: string, nat: NatSettings, more: readonly string[] = []): Promise<NatCall> {
    assert.ok(network && folder !== undefined);
    writeFileSync(path.join(folder, 'answer.xml'), scenario);
    writeFileSync(path.join(folder, 'tone.ulaw'), Buffer.alloc(8000, 'ÿ\u0000', 'latin1'));
    const { enter, outside } = network;
    const answerer = run([
      ...enter.outside,
      ...[sipp, '-sf', 'answer.xml', '-i', outside.sip, '-p', '5060', '-m', '1', '-nostdin', '-timeout', '90', ...more],
    ]);
    const placed = run([
      ...enter.inside,
      ...[process.execPath, caller, `sip:ivr@${outside.sip}:5060`, JSON.stringify(nat), '60'],
    ]);
    const seen = (): string => `${placed.output()}\n${answerer.output()}`;
    assert.equal(await within(placed.exit, 'the caller ends', seen), 0, seen());
    assert.equal(await within(answerer.exit, 'sipp ends', seen), 0, seen());
    return JSON.parse(placed.output()) as NatCall;
  }

  /** Returns the hosts and ports in Contact and SDP. */
  function published({ invite }: NatCall): Record<string, string | number> {
    const found = /^Contact: <sip:dialtree@([\d.]+):(\d+)>[^]*^c=IN IP4 (\S+)[^]*^m=audio (\d+) /m.exec(invite);
    const [, contact = '', sipPort, media = '', mediaPort] = found ?? [];
    return { contact, sipPort: Number(sipPort), media, mediaPort: Number(mediaPort) };
  }

  it('publishes what STUN reports, and hears audio and the BYE that are sent there', async () => {
    const result = await call(uasPlaysAndHangsUp('tone.ulaw', 1000), { stunServer: network?.outside.stun ?? '' });
    const { contact, sipPort, media, mediaPort } = published(result);
    assert.deepEqual([contact, media], [network?.publicHost, network?.publicHost]);
    const [lowest = 0, highest = 0] = network?.publicPorts ?? [];
    for (const port of [sipPort, mediaPort]) assert.ok(Number(port) >= lowest && Number(port) <= highest, String(port));
    assert.ok(result.heardLoudFrames > 10, `${String(result.heardLoudFrames)} frames`);
    assert.match(result.end, /^remote hangup/);
  });

  it('calls with its local address if the STUN server is silent', async () => {
    const result = await call(uasEchoesAndHangsUp, { stunServer: `${network?.outside.stun ?? ''}:9` }, ['-rtp_echo']);
    assert.equal(published(result)['media'], '10.9.0.2');
    assert.ok(result.heardLoudFrames > 10, 'sipp received audio, and sent it back to its source');
    assert.match(result.end, /^remote hangup/);
  });

  it('receives the BYE of a call that lasts longer than the NAT remembers it @full', async () => {
    const ms = (mappingSeconds + 8) * 1000;
    const result = await call(uasPlaysAndHangsUp('tone.ulaw', ms), { stunServer: network?.outside.stun ?? '' });
    assert.match(result.end, /^remote hangup/);
  });
});

describe('a STUN server on this machine', () => {
  let coturn: ForeignProcess | undefined,
    agents: SipAgent[] = [],
    stunServer: string;
  before(async function () {
    const start = findCoturn();
    if (!start) return this.skip();
    const port = await freeUdpPort();
    stunServer = `127.0.0.1:${String(port)}`;
    coturn = await start('127.0.0.1', port);
    agents = await Promise.all([startSipAgent({ host: '127.0.0.1' }), startSipAgent({ host: '127.0.0.1' })]);
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    await coturn?.stop();
  });

  it('reports the address of the SIP socket, and a check says if it is silent', async () => {
    const [caller, callee] = agents;
    assert.ok(caller && callee);
    const uri = `sip:ivr@127.0.0.1:${String(callee.address.port)}`;
    const ping = await caller.options(uri, { nat: { stunServer } });
    assert.deepEqual([ping.status, ping.natTrouble, ping.seenAs], [200, undefined, undefined]);
    const silent = await caller.options(uri, { nat: { stunServer: '127.0.0.1:9' } });
    assert.deepEqual([silent.status, silent.natTrouble], [200, "the STUN server 127.0.0.1:9 didn't respond"]);
  });
});
