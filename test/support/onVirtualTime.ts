import type { IvrFile } from '../../src/contract/ivrFile.ts';
import type { PerformPlan } from '../../src/service/testing/testPlan.ts';
import { simulatedDialer } from './simulatedDialer.ts';
import type { SimulatedDialerOptions } from './simulatedDialer.ts';
import { VirtualClock } from './virtualClock.ts';

/** Runs plans on a simulated line to this IVR, in virtual time. */
export function onVirtualTime(
  ivr: IvrFile,
  perform: PerformPlan,
  as: Omit<SimulatedDialerOptions, 'ivr' | 'clock'> = {},
): { readonly perform: PerformPlan; readonly calls: () => number } {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr, clock, ...as });
  return {
    calls: () => dialer.calls.length,
    perform: (plan, options) =>
      (async function* () {
        const events = perform(plan, { ...options, dialer, clock })[Symbol.asyncIterator]();
        for (;;) {
          const { done, value } = await clock.run(events.next());
          if (done === true) return;
          yield value;
        }
      })(),
  };
}
