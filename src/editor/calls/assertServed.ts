import { HumanError } from '../../contract/errors.ts';
import { isTypedError } from '../basics/errors.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/**
 * Checks that a line leads to the target, before anything is saved for it. If the service doesn't say, the launch does.
 * @throws HumanError `no_route`
 */
export async function assertServed(
  client: Pick<ServiceClient, 'call'>,
  target: string,
  isRemote: boolean,
  l10n: L10n,
): Promise<void> {
  const refusal = await client.call('planCalls', { mapping: { phoneNumber: target } }).then(
    (plan) => plan.refusal,
    (error: unknown) => {
      if (!isTypedError(error)) throw error;
      return undefined;
    },
  );
  if (refusal?.code !== 'no_route') return;
  throw new HumanError(
    !target.startsWith('+')
      ? refusal.message
      : isRemote
        ? l10n.t('No line of this service serves {0}. Ask the operator of the service to add one.', target)
        : l10n.t("No line serves {0}, so Dialtree can't call it. Add a line for it.", target),
    { status: 400, code: 'no_route' },
  );
}
