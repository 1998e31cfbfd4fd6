import { callingHosts } from '../../base/loopback.ts';
import { createDialer } from '../../engine/call/conversation.ts';
import { openReceivePoint } from '../../engine/probe/receivePoint.ts';
import type { ReceivePoint } from '../../engine/probe/receivePoint.ts';
import { PracticeRegistry } from '../../practice/registry.ts';
import { createSpeechEngine } from '../../speech/engine.ts';
import { startSipAgent } from '../../telephony/agent.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import type { Installation } from '../basics/installation.ts';
import { speechAssets } from '../basics/installation.ts';
import type { Logger } from '../basics/log.ts';
import type { OpenDialer } from './sharedDialer.ts';

/** Registers that Dialtree answers there while it is open, because a practice IVR can call a waiting probe. */
function announced(point: ReceivePoint): ReceivePoint {
  const uri = parseUri(point.address);
  const withdraw =
    uri?.port === undefined ? undefined : new PracticeRegistry().announce({ host: uri.host, port: uri.port });
  return {
    ...point,
    close: () => {
      withdraw?.();
      return point.close();
    },
  };
}

/** Opens a dialer over real SIP. It listens only on loopback, unless the dial plan leads off this machine. */
export async function openSipDialer(
  installation: Installation,
  leavesMachine: boolean,
  log: Logger,
): Promise<OpenDialer> {
  const speech = createSpeechEngine({
    assetsDir: speechAssets(installation),
    workerUrl: installation.speechWorker,
    log: (level, message) => log[level]({ room: 'speech' }, message),
  });
  const onFault = (err: unknown): void => {
    log.error({ room: 'telephony', err }, 'a call was ended by an internal error');
  };
  try {
    // Before the first call, so that a missing model is reported before a phone rings.
    await speech.warm();
    const agent = await startSipAgent({ ...callingHosts(leavesMachine), onFault });
    return {
      dialer: createDialer({ agent, speech }),
      register: (...line) => agent.register(...line),
      receive: async () => announced(await openReceivePoint({ speech, onFault })),
      async close() {
        await agent.close();
        await speech.close();
      },
    };
  } catch (error) {
    await speech.close();
    throw error;
  }
}
