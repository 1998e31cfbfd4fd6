import { HumanError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { L10n } from './localise.ts';

/**
 * In a workspace that the user doesn't trust (Restricted Mode), nothing is called, because its files say which numbers
 * and keys are used.
 */

/** Operations that place calls, or send messages to people. */
export function reachesPeople({ tool }: Operation): boolean {
  return tool !== undefined && tool.openWorld && !tool.readOnly;
}

/** @throws HumanError `untrusted` */
export function assertTrusted(isTrusted: boolean, l10n: L10n): void {
  if (!isTrusted)
    throw new HumanError(l10n.t('To place calls, trust this workspace first.'), { status: 403, code: 'untrusted' });
}
