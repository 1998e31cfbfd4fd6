import { rootNode, leafNode, statsOf } from './serviceScript.ts';
import { testLog } from './secretRegistry.ts';
import { serviceAssets } from './serviceAssets.ts';
import type { Crawl } from '../../src/service/runs/mappingRuns.ts';
import { startService, startSharedService } from '../../src/service/service.ts';
import type { PerformPlan } from '../../src/service/testing/callPlan.ts';

/**
 * A service in a process of its own, to be killed: `serviceChild.ts DATA_DIR PLAN [DATABASE_URL]`. PLAN `hang`: finds a root and three leaves, begins a fourth
 * and then waits for ever; of a test it hears half a minute, and then waits too. PLAN `finish`: tells on stdout what it resumes from, then finds the fourth and ends.
 */
const [dataDir = '', plan = '', databaseUrl] = process.argv.slice(2);
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
  await new Promise(() => undefined);
};

const perform: PerformPlan = async function* (_plan, { line, target, signal }) {
  void line.dial(target, signal).catch(() => undefined);
  yield { type: 'turn', turn: { speaker: 'them', text: 'Please hold.', startMs: 100, endMs: 30_000 } };
  await new Promise(() => undefined);
};

const options = {
  dataDir,
  installation: await serviceAssets(),
  log: testLog,
  routes: { '+12025550101': 'sip:practice@127.0.0.1:5070' },
  parts: {
    crawl,
    perform,
    openLine: () =>
      Promise.resolve({
        line: { dial: () => Promise.reject(new Error('no calls here')) },
        receive: () => Promise.reject(new Error('no calls here')),
        close: () => Promise.resolve(),
      }),
  },
};
const { close, ...ready } =
  databaseUrl === undefined ? await startService(options) : await startSharedService({ ...options, databaseUrl });
tell({ event: 'ready', ...ready });
process.once('SIGTERM', () => {
  void close().then(() => {
    process.exit(0);
  });
});
