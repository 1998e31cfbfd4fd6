import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { encodeUlaw } from '../../src/base/g711.ts';
import { startCallerThreads } from '../../src/engine/load/callerThreads.ts';
import type { LoadCaller, LoadScript } from '../../src/engine/load/loadCaller.ts';
import type { LoadOptions } from '../../src/engine/load/loadOptions.ts';
import { alignReferenceCalls, placeReferenceCall, type ReferenceCall } from '../../src/engine/load/reference.ts';
import { runLoad } from '../../src/engine/load/runLoad.ts';
import type { LoadStats } from '../../src/contract/loadTests.ts';
import { RoundedValues } from '../../src/model/stats/roundedValues.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readTestFile } from '../../src/model/tests/testFile.ts';
import { systemPacer } from '../../src/telephony/rtp/pacer.ts';
import { findInstallation } from '../../src/service/basics/installation.ts';
import { openSipDialer } from '../../src/service/runs/sipDialer.ts';
import { findSipp, startSipp } from '../support/sipp.ts';

const root = path.join(import.meta.dirname, '../..');
/** Simultaneous calls with audio that a machine with two cores must hold, including the callee. */
const CALLS = 500;
const LATENESS_LIMIT_MS = 20;
const RAMP_SECONDS = 5;
const HOLD_SECONDS = 6;
/** Calls that are hung up immediately: the cost of setting up. */
const SETUPS_PER_SECOND = 300;
/** Calls that carry out a test, which takes about 30 s. */
const TESTED_CALLS = 250;
const TESTED_SECONDS = 40;
const SETUP_SECONDS = 4;
const CLOCK_TICKS = 100;
const PACKET_SECONDS = 0.02;

/**
 * Runs a load test of 500 calls against the practice IVR in another process; then compares the processor time of calls
 * and set-ups with that of sipp. sipp sends the audio of each call from a file, and doesn't decode or measure what it
 * receives. Takes about 40 s.
 */
export async function measureLoad(): Promise<void> {
  const idleP99LatenessMs = await idleLateness();
  const caller = await startCallerThreads({
    workerUrl: new URL('../../src/engine/load/callerThread.ts', import.meta.url),
    agent: { host: '127.0.0.1' },
  });
  let practice: Practice | undefined;
  try {
    practice = await startPracticeProcess();
    const held = await load(caller, {
      target: practice.uri,
      concurrency: CALLS,
      rampSeconds: RAMP_SECONDS,
      holdSeconds: HOLD_SECONDS,
    });
    const lost = held.stats.callsPlaced - (held.stats.hangUps?.['us'] ?? 0);
    const p99LatenessMs = held.stats.caller?.tickLatenessMs.p99 ?? Infinity;
    // By what was sent: skipped ticks cost nothing.
    const callsPerCore = ((held.stats.audio?.packetsSent ?? 0) * PACKET_SECONDS) / held.cpuSeconds;
    console.log(`  idle: tick lateness p99 ${ms(idleP99LatenessMs)}: what others on this machine add`);
    console.log(
      `  ${held.stats.callsAnswered} of ${CALLS} calls answered, ${lost} lost; tick lateness p50 ${ms(held.stats.caller?.tickLatenessMs.p50)} p99 ${ms(p99LatenessMs)} (limit ${LATENESS_LIMIT_MS} ms)`,
    );
    console.log(
      `  packets: ${held.stats.audio?.packetsReceived ?? 0} received, ${held.stats.audio?.packetsLost ?? 0} lost; jitter p99 ${ms(held.stats.audio?.jitterMs.p99)}; prompt after ${(held.stats.promptSeconds?.p99 ?? NaN).toFixed(2)} s at p99; estimated MOS ${(held.stats.estimatedMos?.median ?? NaN).toFixed(2)}`,
    );
    if (lost > 0)
      console.log(
        `  how calls came about: ${JSON.stringify(held.stats.outcomes)}, ended: ${JSON.stringify(held.stats.hangUps)}; answer p99 ${(held.stats.answerSeconds?.p99 ?? NaN).toFixed(2)} s`,
      );
    for (const warning of held.stats.warnings ?? []) console.log(`  ${warning}`);
    console.log(`  ours: ${callsPerCore.toFixed(0)} calls with audio a core`);
    await measureTestedCalls(caller, practice.uri);
    const sipp = findSipp();
    const theirs = sipp === undefined ? undefined : await audioOfSipp(sipp, practice.uri);
    if (theirs !== undefined)
      console.log(
        `  sipp: ${theirs.toFixed(0)} calls with audio a core, ${(callsPerCore / theirs).toFixed(2)} of it by us (it sends a file and does not listen)`,
      );
    const ours =
      sipp === undefined
        ? await setupsAgainst(caller, practice.uri)
        : await withCallee(sipp, (uri) => setupsAgainst(caller, uri));
    console.log(`  ours: ${ours.toFixed(0)} set-ups for a second of processor`);
    const theirSetups = sipp === undefined ? undefined : await withCallee(sipp, (uri) => setupsOfSipp(sipp, uri));
    if (theirSetups !== undefined)
      console.log(
        `  sipp: ${theirSetups.toFixed(0)} set-ups for a second of processor, ${(ours / theirSetups).toFixed(2)} of it by us (with a media socket and audio for each)`,
      );
  } finally {
    await caller.close();
    await practice?.stop();
  }
}

/** The p99 of a tick that does nothing, over two seconds. */
async function idleLateness(): Promise<number> {
  const lateness = new RoundedValues(2);
  const stop = systemPacer.watch((late) => lateness.add(late));
  const leave = systemPacer.add({
    sendTick: () => undefined,
    playTick: () => undefined,
    failed: (error) => {
      throw error;
    },
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 2000);
  });
  leave();
  stop();
  return lateness.percentiles()?.p99 ?? 0;
}

const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(1)} ms`;

/** Runs a load test, and returns the processor seconds that this process spent on it. */
async function load(
  caller: LoadCaller,
  options: Pick<LoadOptions, 'target' | 'concurrency' | 'rampSeconds' | 'holdSeconds'> & Partial<LoadOptions>,
): Promise<{ readonly stats: LoadStats; readonly cpuSeconds: number }> {
  const before = process.cpuUsage();
  for await (const event of runLoad({
    callsPerSecond: 500,
    signal: new AbortController().signal,
    caller,
    ...options,
  })) {
    if (event.type !== 'ended') continue;
    const { user, system } = process.cpuUsage(before);
    return { stats: event.stats, cpuSeconds: (user + system) / 1e6 };
  }
  throw new Error('the load test did not end');
}

/** Carries out the bank's sample test on many calls, whose prompts are recognised by their sound. */
async function measureTestedCalls(caller: LoadCaller, target: string): Promise<void> {
  const file = path.join(root, 'media/samples/bank.calltest.json');
  const read = await readTestFile(await readFile(file, 'utf8'), file, () => Promise.reject(new Error('no other file')));
  if ('problems' in read || read.kind !== 'calltest') throw new Error(`${file} is no scripted test`);
  const { steps } = read.test;
  const opened = await openSipDialer(findInstallation(), false, pino({ enabled: false }));
  let script: LoadScript;
  try {
    const place = (): Promise<ReferenceCall> =>
      placeReferenceCall({
        target,
        steps,
        dialer: opened.dialer,
        clock: systemClock,
        signal: new AbortController().signal,
      });
    script = { steps, reference: alignReferenceCalls(await place(), await place()) };
  } finally {
    await opened.close();
  }
  const { stats, cpuSeconds } = await load(caller, {
    target,
    concurrency: TESTED_CALLS,
    rampSeconds: RAMP_SECONDS,
    holdSeconds: TESTED_SECONDS,
    replace: true,
    scripts: [script],
  });
  const perCore = ((stats.audio?.packetsSent ?? 0) * PACKET_SECONDS) / cpuSeconds;
  console.log(
    `  ${String(TESTED_CALLS)} at a time carry out a test: ${String(stats.tested?.passed)} passed, ${String(stats.tested?.failures.length)} did not; tick lateness p99 ${ms(stats.caller?.tickLatenessMs.p99)}; ${perCore.toFixed(0)} calls a core`,
  );
}

async function setupsAgainst(caller: LoadCaller, target: string): Promise<number> {
  const { stats, cpuSeconds } = await load(caller, {
    target,
    concurrency: SETUPS_PER_SECOND,
    rampSeconds: 1,
    holdSeconds: SETUP_SECONDS - 1,
    callSeconds: 0,
    replace: true,
    callsPerSecond: SETUPS_PER_SECOND,
  });
  return stats.callsAnswered / cpuSeconds;
}

interface Practice {
  readonly uri: string;
  stop(): Promise<void>;
}

/** Starts a program that answers calls: `dialtree practice` with an IVR that outlasts the hold. */
async function startPracticeProcess(): Promise<Practice> {
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'src/cli/dialtree.ts'),
      'practice',
      path.join(root, 'media/samples/bank.ivr.json'),
      '--port',
      '0',
      '--json',
      '--speak-first',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const stop = async (): Promise<void> => {
    await end(child);
  };
  try {
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(() => {
        throw new Error('dialtree practice did not start');
      }),
    ])) as [string];
    const { targets } = JSON.parse(line) as { targets: readonly { uri: string }[] };
    return { uri: targets[0]?.uri ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function withCallee<Result>(sipp: string, work: (uri: string) => Promise<Result>): Promise<Result> {
  const callee = await startSipp(sipp, { scenario: 'uas' });
  try {
    return await work(`sip:service@127.0.0.1:${callee.port}`);
  } finally {
    await callee.stop();
  }
}

/** Returns sipp's set-ups per second of processor time, for calls that it hangs up immediately. */
async function setupsOfSipp(sipp: string, uri: string): Promise<number> {
  const calls = SETUPS_PER_SECOND * SETUP_SECONDS;
  const { cpuSeconds } = await callBySipp(sipp, uri, [
    '-sn',
    'uac',
    '-d',
    '0',
    '-r',
    String(SETUPS_PER_SECOND),
    '-m',
    String(calls),
    '-l',
    String(calls),
  ]);
  return calls / cpuSeconds;
}

/** Returns the calls with audio that a core would hold at sipp's cost. */
async function audioOfSipp(sipp: string, uri: string): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-bench-load-'));
  try {
    await writeFile(
      path.join(folder, 'tone.ul'),
      encodeUlaw(Int16Array.from({ length: 8000 }, (_, i) => 4000 * Math.sin(i / 3))),
    );
    await writeFile(path.join(folder, 'audio.xml'), audioScenario(path.join(folder, 'tone.ul')));
    const seconds = HOLD_SECONDS + RAMP_SECONDS / 2;
    const { cpuSeconds } = await callBySipp(sipp, uri, [
      '-sf',
      path.join(folder, 'audio.xml'),
      '-d',
      String(seconds * 1000),
      '-r',
      String(CALLS / RAMP_SECONDS),
      '-m',
      String(CALLS),
      '-l',
      String(CALLS),
    ]);
    return (CALLS * seconds) / cpuSeconds;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets sipp place calls to their end, and returns the processor seconds of its process. */
async function callBySipp(
  sipp: string,
  uri: string,
  args: readonly string[],
): Promise<{ readonly cpuSeconds: number }> {
  const user = /^sip:([^@]+)@/.exec(uri)?.[1] ?? 'service';
  const child = spawn(
    sipp,
    [
      ...args,
      '-i',
      '127.0.0.1',
      '-s',
      user,
      '-nostdin',
      '-timeout',
      '60',
      '-timeout_error',
      uri.replace(/^sip:[^@]+@/, ''),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TERM: 'dumb' } },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2000);
  });
  let cpuSeconds = 0;
  // Read while it runs, because afterwards the figure is gone.
  const timer = setInterval(() => {
    void cpuOf(child).then((seconds) => {
      cpuSeconds = Math.max(cpuSeconds, seconds);
    });
  }, 100);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`sipp ended with ${String(code)}: ${errors}`);
    return { cpuSeconds };
  } finally {
    clearInterval(timer);
    await end(child);
  }
}

/** Returns the seconds of processor time so far, from /proc (user and system, in ticks of 10 ms). */
async function cpuOf(child: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${String(child.pid)}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / CLOCK_TICKS;
}

const audioScenario = (file: string): string => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="calls with audio">
<send retrans="500"><![CDATA[

INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: sipp <sip:sipp@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 53655765 2353687637 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [rtpstream_audio_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000

]]></send>
<recv response="100" optional="true"/><recv response="180" optional="true"/>
<recv response="200" rrs="true"/>
${inDialog('ACK', 1)}
<nop><action><exec rtp_stream="${file},-1,0,PCMU/8000"/></action></nop>
<pause/>
${inDialog('BYE', 2)}
<recv response="200"/>
</scenario>
`;

function inDialog(method: string, sequence: number): string {
  return `<send${method === 'BYE' ? ' retrans="500"' : ''}><![CDATA[

${method} [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: sipp <sip:sipp@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: ${sequence} ${method}
Max-Forwards: 70
Content-Length: 0

]]></send>`;
}
