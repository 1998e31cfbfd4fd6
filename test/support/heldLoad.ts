import type { PerformLoad } from '../../src/service/load/loadRuns.ts';
import { aborted } from './aborted.ts';

/** A load test that is in progress until it is cancelled. `onBegun` gets its options. */
export const heldLoad = (onBegun: (options: Parameters<PerformLoad>[0]) => void = () => undefined): PerformLoad =>
  async function* (options) {
    onBegun(options);
    await aborted(options.signal);
    yield {
      type: 'ended',
      status: 'aborted',
      stats: { callsPlaced: 2, callsAnswered: 2, setupSuccess: 1, outcomes: {}, callSeconds: 12 },
    };
  };
