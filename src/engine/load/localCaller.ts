import type { SipAgent } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { systemPacer } from '../../telephony/rtp/pacer.ts';
import type { Pacer } from '../../telephony/rtp/pacer.ts';
import { LoadCall } from './loadCall.ts';
import type { LoadCaller } from './loadCaller.ts';

/**
 * Calls from this thread. `clock` and `pacer` are those of the agent; other calls on that tick are part of the load on
 * it.
 */
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
