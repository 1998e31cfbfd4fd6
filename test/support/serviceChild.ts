import assert from 'node:assert/strict';
import { rootNode, leafNode, statsOf } from './serviceScript.ts';
import { generateIvr } from './generateIvr.ts';
import { simulatedDialer } from './simulatedDialer.ts';
import { practiceAt } from './practicePlaces.ts';
import { testLog } from './secretRegistry.ts';
import { serviceAssets } from './serviceAssets.ts';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import type { OpenDialer } from '../../src/service/runs/sharedDialer.ts';
import type { Crawl } from '../../src/service/mapping/mappingRuns.ts';
import { startService, startSharedService } from '../../src/service/service.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { PerformPlan } from '../../src/service/testing/testPlan.ts';

/**
 * A service in a separate process, to be killed: `serviceChild.ts DATA_DIR PLAN [DATABASE_URL]`. PLAN `hang`: finds a
 * root and three leaves, begins a fourth and then waits forever; in a test it hears half a minute, and then waits too.
 * PLAN `finish`: prints what it resumes from, then finds the fourth and ends. PLAN `calls`: really crawls and tests a
 * simulated phone system, and prints each call when it is dialled. PLAN `stubborn`: like `hang`, but keeps finding
 * leaves, even when it is stopped. On SIGTERM it prints `stopping`.
 */
const [dataDir = '', plan = '', databaseUrl] = process.argv.slice(2);
/** How often the stubborn plan finds a leaf. */
const later = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
const tell = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const crawl: Crawl = async function* ({ resume = [] }) {
  tell({
    event: 'crawl',
    resume: resume.map(({ id, status, fingerprint }) => ({ id, status, fingerprint: fingerprint && [...fingerprint] })),
  });
  if (plan === 'finish') {
    yield { type: 'node', node: leafNode('4') };
    yield { type: 'ended', status: 'completed', stats: statsOf({ callsPlaced: 2 }) };
    return;
  }
  yield { type: 'node', node: rootNode() };
  for (const digit of ['1', '2', '3']) {
    yield { type: 'node', node: leafNode(digit) };
    yield { type: 'audio', nodeId: `leaf-${digit}`, pcm: new Int16Array(800) };
  }
  yield { type: 'node', node: leafNode('4', { status: 'exploring' }) };
  yield { type: 'stats', stats: statsOf({ callsPlaced: 3, nodesDiscovered: 4 }), inFlight: 1 };
  for (let number = 5; plan === 'stubborn'; number += 1) {
    await later();
    yield { type: 'node', node: leafNode(String(number), { status: 'exploring' }) };
  }
  await new Promise(() => undefined);
};

const perform: PerformPlan = async function* (_plan, { dialer, target, signal }) {
  void dialer.dial(target, signal).catch(() => undefined);
  yield { type: 'turn', turn: { speaker: 'them', text: 'Please hold.', startMs: 100, endMs: 30_000 } };
  await new Promise(() => undefined);
};

const silentLine: Dialer = { dial: () => Promise.reject(new Error('no calls here')) };
const simulated = simulatedDialer({ ivr: generateIvr(3), clock: systemClock });
const toldLine: Dialer = {
  dial: (...call) => {
    tell({ event: 'dialled' });
    return simulated.dial(...call);
  },
};
const openDialer = (): Promise<OpenDialer> =>
  Promise.resolve({
    dialer: plan === 'calls' ? toldLine : silentLine,
    receive: () => Promise.reject(new Error('no calls here')),
    register: () => assert.fail('no line registers'),
    close: () => Promise.resolve(),
  });

const options = {
  dataDir,
  installation: await serviceAssets(),
  log: testLog,
  routes: { '+12025550101': 'sip:practice@127.0.0.1:5070' },
  parts: { openDialer, practices: practiceAt('127.0.0.1:5070'), ...(plan !== 'calls' && { crawl, perform }) },
};
const { close, ...ready } =
  databaseUrl === undefined ? await startService(options) : await startSharedService({ ...options, databaseUrl });
// Before it reports that it is ready: the reader can stop it immediately.
process.once('SIGTERM', () => {
  const closing = close();
  tell({ event: 'stopping' });
  void closing.then(() => {
    process.exit(0);
  });
});
tell({ event: 'ready', ...ready });
