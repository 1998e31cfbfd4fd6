import { parentPort, workerData } from 'node:worker_threads';
import { startSipAgent } from '../../telephony/agent.ts';
import type { SipAgent } from '../../telephony/call.ts';
import { clockOffset } from './callerProtocol.ts';
import type { CallerOrder, CallerReport, CallerThreadSettings } from './callerProtocol.ts';
import type { LoadScript } from './loadCaller.ts';
import { localCaller } from './localCaller.ts';

const TICKS_EVERY_MS = 500;

/** The thread that places load calls, with its own agent and nothing else that could delay its tick. */
const port = parentPort;
if (!port) throw new Error('callerThread.ts runs as a worker thread');

const report = (what: CallerReport): void => {
  port.postMessage(what);
};

function serve(agent: SipAgent): void {
  const caller = localCaller(agent);
  const calls = new Map<number, () => void>();
  const scripts = new Map<number, LoadScript>();
  let lateness: number[] = [];
  let missed = 0;
  const flush = (): void => {
    if (lateness.length > 0) report({ report: 'ticks', lateness, missed });
    lateness = [];
    missed = 0;
  };
  const stopWatching = caller.watchTicks((late, left) => {
    lateness.push(late);
    missed += left;
  });
  const timer = setInterval(flush, TICKS_EVERY_MS);
  port?.on('message', (order: CallerOrder) => {
    switch (order.order) {
      case 'script':
        scripts.set(order.number, order.script);
        break;
      case 'place': {
        const { call, plan, script } = order;
        const { hangUp } = caller.place(script === undefined ? plan : { ...plan, script: scripts.get(script) }, {
          onAnswered: () => report({ report: 'answered', call }),
          onEnded: (record) => {
            calls.delete(call);
            // Ticks are reported before the end of a call, so that all are counted when the last call ends.
            if (calls.size === 0) flush();
            report({ report: 'ended', call, record });
          },
        });
        calls.set(call, hangUp);
        break;
      }
      case 'hangUp':
        calls.get(order.call)?.();
        break;
      case 'close':
        stopWatching();
        clearInterval(timer);
        // Sockets are closed first: on some systems, a thread that ends with open sockets ends the process too.
        void agent.close().then(() => port.close());
        break;
    }
  });
}

startSipAgent(workerData as CallerThreadSettings).then(
  (agent) => {
    serve(agent);
    report({ report: 'ready', clockOffset: clockOffset() });
  },
  (error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    report({ report: 'unusable', message, code });
    port.close();
  },
);
