import type { CutShort } from '../../src/contract/runState.ts';
import { t } from './l10n.ts';

/** The states of runs that were cut short. They are neutral: their sign is `skipped`, in the colour of the text. */
export const cutShortWords: Readonly<Record<CutShort, string>> = {
  cancelled: t('Cancelled'),
  interrupted: t('Interrupted'),
};
export const cutShortSigns = { cancelled: 'skipped', interrupted: 'skipped' } as const;
/** From the press of the button until the calls are over. */
export const cancelling = t('Cancelling…');
