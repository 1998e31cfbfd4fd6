import type { Run } from '../../../contract/runs.ts';
import { runName } from '../../../model/calls/targetName.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

/**
 * Returns a function for the name of a run or load test. It asks the service once, and again only if that failed: a page
 * that names the called number is better than none.
 */
export function nameReader(
  client: Pick<ServiceClient, 'call'>,
  id: string,
): (run: Pick<Run, 'phoneNumber'>) => Promise<string> {
  let reading: Promise<Run | undefined> | undefined;
  return async (run) =>
    runName((await (reading ??= client.call('getRun', { id }).catch(() => (reading = undefined)))) ?? run);
}
