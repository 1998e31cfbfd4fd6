import type { IvrFile } from '../../src/contract/ivrFile.ts';
import type { PerformPlan } from '../../src/service/testing/testPlan.ts';
import { simulatedLine } from './simulatedLine.ts';
import type { SimulatedLineOptions } from './simulatedLine.ts';
import { VirtualClock } from './virtualClock.ts';

/** Carries plans out on a simulated line to this IVR, as fast as virtual time goes. */
export function onVirtualTime(
  ivr: IvrFile,
  perform: PerformPlan,
  as: Omit<SimulatedLineOptions, 'ivr' | 'clock'> = {},
): { readonly perform: PerformPlan; readonly calls: () => number } {
  const clock = new VirtualClock();
  const line = simulatedLine({ ivr, clock, ...as });
  return {
    calls: () => line.calls.length,
    perform: (plan, options) =>
      (async function* () {
        const events = perform(plan, { ...options, line, clock })[Symbol.asyncIterator]();
        for (;;) {
          const { done, value } = await clock.run(events.next());
          if (done === true) return;
          yield value;
        }
      })(),
  };
}
