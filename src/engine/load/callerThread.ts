import { parentPort, workerData } from 'node:worker_threads';
import { startSipAgent } from '../../telephony/agent.ts';
import type { SipAgent } from '../../telephony/call.ts';
import { clockOffset } from './callerProtocol.ts';
import type { CallerOrder, CallerReport, CallerThreadSettings } from './callerProtocol.ts';
import { CallerServer } from './callerServer.ts';
import { localCaller } from './localCaller.ts';

/** The thread that places load calls, with its own agent and nothing else that could delay its tick. */
const port = parentPort;
if (!port) throw new Error('callerThread.ts runs as a worker thread');

const report = (what: CallerReport): void => {
  port.postMessage(what);
};

function serve(agent: SipAgent): void {
  const server = new CallerServer(localCaller(agent), report);
  port?.on('message', (order: CallerOrder) => {
    if (order.order !== 'close') {
      server.take(order);
      return;
    }
    server.close();
    // Sockets are closed first: on some systems, a thread that ends with open sockets ends the process too.
    void agent.close().then(() => {
      port.close();
    });
  });
}

startSipAgent(workerData as CallerThreadSettings).then(
  (agent) => {
    serve(agent);
    report({ report: 'ready', clockOffset: clockOffset() });
  },
  (error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    report({ report: 'unusable', message, ...(code !== undefined && { code }) });
    port.close();
  },
);
