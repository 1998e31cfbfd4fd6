import { createDialer } from '../../src/engine/call/conversation.ts';
import type { OpenDialer } from '../../src/service/runs/sharedDialer.ts';
import { startSharedService } from '../../src/service/service.ts';
import { createCallers, createLoadPerformer } from '../../src/service/load/loadPerformer.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { quietSpeech } from './quietSpeech.ts';
import { testLog } from './secretRegistry.ts';
import { serviceAssets } from './serviceAssets.ts';

/**
 * One of several services on a database, to be killed, that places up to LOAD_CALLS calls of load tests:
 * `loadChild.ts DATA_DIR DATABASE_URL NUMBER SIP_URI LOAD_CALLS`. It prints `started` when the calls of a load test
 * that it runs begin, and stops on SIGTERM.
 */
const [dataDir = '', databaseUrl = '', number = '', uri = '', loadCalls] = process.argv.slice(2);
const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const installation = await serviceAssets();
const perform = createLoadPerformer(createCallers(installation.callerWorker, '127.0.0.1'));
const { close, ...ready } = await startSharedService({
  dataDir,
  databaseUrl,
  installation,
  log: testLog,
  loadCalls: Number(loadCalls),
  routes: { [number]: uri },
  parts: {
    async *performLoad(...load) {
      for await (const event of perform(...load)) {
        if (event.type === 'started') print({ event: 'started' });
        yield event;
      }
    },
    /** Reference calls of these tests need no recognition. */
    openDialer: async (): Promise<OpenDialer> => {
      const agent = await startSipAgent({ host: '127.0.0.1' });
      return {
        dialer: createDialer({ agent, speech: quietSpeech() }),
        recognise: () => Promise.reject(new Error('nothing to recognise')),
        receive: () => Promise.reject(new Error('no calls come in')),
        close: () => agent.close(),
      };
    },
  },
});
process.once('SIGTERM', () => {
  void close().then(() => {
    process.exit(0);
  });
});
print({ event: 'ready', ...ready });
