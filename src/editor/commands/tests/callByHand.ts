import type { PlanCalls } from '../../../contract/callPlan.ts';
import { testIdOf } from '../../../runner/testId.ts';
import type { L10n } from '../../basics/localise.ts';
import type { WithConsent } from '../../calls/consent.ts';
import type { MappingActions } from '../../calls/mappingActions.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

export interface CallByHandParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly actions: Pick<MappingActions, 'assertServed'>;
  readonly withConsent: WithConsent;
  readonly openHand: (runId: string) => void;
  /** The workspace of this window. */
  readonly workspaceId: string;
  readonly l10n: L10n;
}

/** Calls a target, and opens the page from which the user continues. All calls by hand of a workspace share one test. */
export async function callByHand(
  target: string,
  { client, actions, withConsent, openHand, workspaceId, l10n }: CallByHandParts,
): Promise<void> {
  await actions.assertServed(target);
  const id = await testIdOf(undefined, `${workspaceId}#call-by-hand`);
  const test: PlanCalls['test'] = {
    id,
    name: l10n.t('Call by hand'),
    phoneNumber: target,
    steps: [{ name: l10n.t('Answer'), action: { type: 'dial' }, passThreshold: 0.8 }],
  };
  const started = await withConsent({ test, guided: true }, () =>
    client.call('runTest', { configId: id, test, guided: true }),
  );
  const run = started?.items[0];
  if (run) openHand(run.id);
}
