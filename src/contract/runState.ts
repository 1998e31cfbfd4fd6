import type { EndedBy } from './common.ts';

/** How a run ended that says nothing about the called side: on request, or because the service stopped. */
export type CutShort = 'cancelled' | 'interrupted';

/**
 * Returns the state of a run as people see it. The interface reports a run that was cut short as failed, aborted or
 * ERROR, with the cause in `endedBy`. An end that the run reached by itself stays.
 *
 * @param state the status of a mapping run or load test, or the outcome of a test run
 */
export function stateOf<State extends string>(state: State, endedBy: EndedBy | undefined): State | CutShort {
  if (!/^(?:failed|aborted|ERROR)$/.test(state)) return state;
  if (endedBy === 'cancel') return 'cancelled';
  return endedBy === 'stop' || endedBy === 'crash' ? 'interrupted' : state;
}
