import type { SipAgent } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { systemPacer } from '../../telephony/rtp/pacer.ts';
import type { Pacer } from '../../telephony/rtp/pacer.ts';
import { ExampleTapes } from './exampleTape.ts';
import { LoadCall } from './loadCall.ts';
import type { LoadCaller } from './loadCaller.ts';
import { spareTime, type Later } from './spareTime.ts';

/**
 * Places calls from this thread. `clock` and `pacer` belong to the agent. Other calls on its tick add to its load. On
 * another clock than the system's, work isn't put off, because that clock doesn't wait for it.
 */
export function localCaller(agent: SipAgent, clock: Clock = systemClock, pacer: Pacer = systemPacer): LoadCaller {
  const later: Later = clock === systemClock ? spareTime() : (work) => work();
  const tapes = new ExampleTapes();
  return {
    place: (plan, listener) => {
      const call = new LoadCall({ agent, clock, later, tapes, plan, listener });
      return {
        hangUp: () => call.hangUp(),
      };
    },
    watchTicks: (watcher) => pacer.watch(watcher),
  };
}
