import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { CallLeg, SrtpPolicy } from '../../src/telephony/call.ts';

/** Simultaneous answered calls that one core must hold. */
const BUDGET = 900;
/** What SRTP may leave of them. */
const SRTP_SHARE = 0.75;
const LATENESS_LIMIT_MS = 20;
const STEPS = [300, 600, 900, 1200];
const SETTLE_MS = 1000;
const MEASURE_MS = 2500;
/** Calls started at the same time; a trunk would accept fewer. */
const BURST = 25;

interface Step {
  readonly calls: number;
  readonly p99LatenessMs: number;
  readonly sentShare: number;
  readonly cpuShare: number;
}

/**
 * Measures how many answered calls a process holds, each encoding, decoding and listening for DTMF on 20 ms frames,
 * with p99 tick lateness under 20 ms, and then the same with SRTP. Callees run in a second process of the same kind, so
 * the figure is for one core only if two are free. Takes about 40 s.
 */
export async function measureCalls(): Promise<void> {
  const callee = fork(fileURLToPath(import.meta.url), ['callee'], { stdio: 'inherit' });
  try {
    const [port] = (await once(callee, 'message')) as [number];
    const plain = await climb(port, 'off');
    console.log(
      `calls held by one core: ${String(plain.held)}, ${(plain.held / BUDGET).toFixed(2)} of the budget of ${String(BUDGET)}`,
    );
    const encrypted = await climb(port, 'require');
    // Where both were measured: steps are too coarse to compare what was held.
    const both = Math.min(plain.steps.length, encrypted.steps.length) - 1;
    // A busy machine sends less.
    const cost = (step: Step | undefined): number => (step ? step.cpuShare / step.sentShare : NaN);
    const ratio = cost(plain.steps[both]) / cost(encrypted.steps[both]);
    console.log(
      `calls held by one core with SRTP: ${String(encrypted.held)}; ${ratio.toFixed(2)} of those without by processor time, at least ${String(SRTP_SHARE)} expected`,
    );
  } finally {
    callee.kill();
  }
}

async function climb(port: number, srtp: SrtpPolicy): Promise<{ readonly held: number; readonly steps: Step[] }> {
  const agent = await startSipAgent({ host: '127.0.0.1' });
  const steps: Step[] = [];
  const legs: CallLeg[] = [];
  try {
    // Speech-like level, so that the detector can't skip its work.
    const audio = Int16Array.from(
      { length: 8000 * 30 },
      (_, i) => 4000 * Math.sin(i / 3) * Math.sin(i / 700) + 2000 * Math.sin(i / 1.7),
    );
    // The machine's own share in this run.
    console.log(`  idle: p99 lateness ${(await measure(0, legs)).p99LatenessMs.toFixed(1)} ms`);
    for (const calls of STEPS) {
      while (legs.length < calls) {
        const burst = Array.from({ length: Math.min(BURST, calls - legs.length) }, () =>
          agent.call(`sip:bench@127.0.0.1:${String(port)}`, { srtp }),
        );
        legs.push(...burst);
        await Promise.all(burst.map((leg) => answered(leg)));
        for (const leg of burst) void leg.play(audio);
      }
      await pause(SETTLE_MS);
      const step = await measure(calls, legs);
      steps.push(step);
      if (step.p99LatenessMs >= LATENESS_LIMIT_MS || step.sentShare < 0.99) break;
    }
  } finally {
    await agent.close();
  }
  for (const step of steps) {
    console.log(
      `  ${String(step.calls)} calls${srtp === 'off' ? '' : ' with SRTP'}: p99 lateness ${step.p99LatenessMs.toFixed(1)} ms, ${(100 * step.sentShare).toFixed(1)} % of packets sent, ${(100 * step.cpuShare).toFixed(0)} % of a core`,
    );
  }
  const held = steps
    .filter((step) => step.p99LatenessMs < LATENESS_LIMIT_MS && step.sentShare >= 0.99)
    .map((step) => step.calls);
  return { held: Math.max(0, ...held), steps };
}

async function measure(calls: number, legs: readonly CallLeg[]): Promise<Step> {
  const sentBefore = sum(legs),
    cpuBefore = process.cpuUsage(),
    start = performance.now();
  const lateness: number[] = [];
  // The same clock and loop as the tick's: if these 20 ms deadlines are met, so are the pacer's.
  let deadline = start;
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const now = performance.now();
      lateness.push(Math.max(0, now - deadline));
      if (now - start >= MEASURE_MS) {
        resolve();
        return;
      }
      while (deadline <= now) deadline += 20;
      setTimeout(tick, deadline - now);
    };
    tick();
  });
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  lateness.sort((a, b) => a - b);
  return {
    calls,
    p99LatenessMs: lateness[Math.floor(lateness.length * 0.99)] ?? Infinity,
    sentShare: Math.min(1, (sum(legs) - sentBefore) / ((calls * elapsed) / 20)),
    cpuShare: (user + system) / 1000 / elapsed,
  };
}

const sum = (legs: readonly CallLeg[]): number => legs.reduce((total, leg) => total + leg.stats().sent, 0);
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function answered(leg: CallLeg): Promise<void> {
  return new Promise((resolve, reject) => {
    leg.listen((event) => {
      if (event.type === 'answered') resolve();
      else if (event.type === 'ended') reject(new Error(`a call of the benchmark ended: ${event.end.reason}`));
    });
  });
}

async function beCallee(): Promise<void> {
  const agent = await startSipAgent({ host: '127.0.0.1' });
  const audio = Int16Array.from(
    { length: 8000 * 30 },
    (_, i) => 4000 * Math.sin(i / 4) * Math.sin(i / 900) + 2000 * Math.sin(i / 1.9),
  );
  agent.onCall((leg) => {
    leg.answer();
    void leg.play(audio);
  });
  process.send?.(agent.address.port);
}

if (process.argv[2] === 'callee' && process.argv[1] === fileURLToPath(import.meta.url)) await beCallee();
