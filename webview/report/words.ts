import type { CutShort } from '../../src/contract/runState.ts';
import type { RunOutcome, RunType, Verdict } from '../../src/contract/testRuns.ts';
import { cutShortSigns, cutShortWords } from '../page/cutShort.ts';
import { decimal } from '../page/formats.ts';
import type { IconName } from '../page/icons.ts';
import { t } from '../page/l10n.ts';

export const outcomeWords: Readonly<Record<RunOutcome | CutShort, string>> = {
  ...cutShortWords,
  PASS: t('Passed'),
  FAIL: t('Failed'),
  ERROR: t('Error'),
  INCONCLUSIVE: t('Inconclusive'),
};
export const outcomeSigns: Readonly<Record<RunOutcome | CutShort, IconName>> = {
  ...cutShortSigns,
  PASS: 'explored',
  FAIL: 'failed',
  ERROR: 'warning',
  INCONCLUSIVE: 'info',
};
export const verdictOutcomes: Readonly<Record<Verdict, RunOutcome>> = {
  pass: 'PASS',
  fail: 'FAIL',
  error: 'ERROR',
  inconclusive: 'INCONCLUSIVE',
};
export const typeWords: Readonly<Record<RunType, string>> = {
  mission: t('Mission'),
  compliance: t('Compliance probe'),
  standard: t('Scripted test'),
  param: t('Scripted test, one row'),
};

/** `m:ss.t` of a time in the call. */
export function clockTime(ms: number): string {
  const tenths = Math.round(ms / 100);
  return `${String(Math.floor(tenths / 600))}:${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${String(tenths % 10)}`;
}

/** A duration with as many digits as it deserves. */
export const secondsText = (ms: number): string =>
  ms < 10_000 ? `${decimal(ms / 1000, 1)} s` : `${String(Math.round(ms / 1000))} s`;
export const percentText = (share: number): string => `${String(Math.round(share * 100))} %`;
