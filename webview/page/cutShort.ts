import type { CutShort } from '../../src/contract/runState.ts';
import { t } from './l10n.ts';

export const cutShortWords: Readonly<Record<CutShort, string>> = {
  cancelled: t('Cancelled'),
  interrupted: t('Interrupted'),
};
/** From the press of the button until the calls are over. */
export const cancelling = t('Cancelling…');
