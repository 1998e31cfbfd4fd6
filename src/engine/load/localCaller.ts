import type { SipAgent } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { systemPacer } from '../../telephony/rtp/pacer.ts';
import type { Pacer } from '../../telephony/rtp/pacer.ts';
import { LoadCall } from './loadCall.ts';
import type { LoadCaller } from './loadCaller.ts';

/** Places calls from this thread. `clock` and `pacer` belong to the agent. Other calls on its tick add to its load. */
export function localCaller(agent: SipAgent, clock: Clock = systemClock, pacer: Pacer = systemPacer): LoadCaller {
  return {
    place: (plan, listener) => {
      const call = new LoadCall({ agent, clock, plan, listener });
      return {
        hangUp: () => {
          call.hangUp();
        },
      };
    },
    watchTicks: (watcher) => pacer.watch(watcher),
  };
}
