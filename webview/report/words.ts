import type { CutShort } from '../../src/contract/runState.ts';
import type { RunOutcome, RunResults, RunType } from '../../src/contract/testRuns.ts';
import { cutShortWords } from '../page/cutShort.ts';
import { decimalText } from '../page/formats.ts';
import { t } from '../page/l10n.ts';

export const outcomeWords: Readonly<
  Record<RunOutcome | CutShort | 'notReached' | 'pending' | 'current' | 'planned' | 'byHand' | 'running', string>
> = {
  ...cutShortWords,
  PASS: t('Passed'),
  FAIL: t('Failed'),
  ERROR: t('Error'),
  INCONCLUSIVE: t('Inconclusive'),
  notReached: t('Not reached'),
  pending: t('Not decided yet'),
  current: t('In progress'),
  planned: t('Not reached yet'),
  byHand: t('The call is over'),
  running: t('Call in progress'),
};
export const typeWords: Readonly<Record<RunType, string>> = {
  mission: t('Mission'),
  compliance: t('Compliance probe'),
  standard: t('Scripted test'),
  param: t('Scripted test, one row'),
};

/** Runs that aren't scripted have checks instead of steps. */
export const hasChecks = (type: RunType): boolean => type === 'mission' || type === 'compliance';

/** How the call ended. If Dialtree hung up a call by hand by itself, the run says why. */
export const hangUpWords = ({ hangUp, guided, reason }: RunResults): string | undefined =>
  hangUp?.by === 'us' && guided === true && reason === undefined ? t('You hung up.') : hangUp?.sentence;

/** A duration with as many digits as it deserves. */
export const durationText = (ms: number): string =>
  ms < 10_000 ? `${decimalText(ms / 1000, 1)} s` : `${String(Math.round(ms / 1000))} s`;
