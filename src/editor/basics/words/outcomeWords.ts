import { runState, testState, type CutShort } from '../../../contract/runState.ts';
import type { Run } from '../../../contract/runs.ts';
import type { StepResult } from '../../../contract/testRuns.ts';
import { matchOf } from '../../../model/report/runBlocks.ts';
import { shownSentences, type L10n } from '../localise.ts';

/** Outcomes and kinds of runs as the user reads them. */

export const cutShortWord = (state: CutShort, l10n: L10n): string =>
  state === 'cancelled' ? l10n.t('cancelled') : l10n.t('interrupted');

/** The state of a run of any kind, also while it is active. */
export function runStateWord(run: Parameters<typeof runState>[0], l10n: L10n): string {
  const state = runState(run);
  return state === 'unjudged' ? l10n.t('completed') : outcomeWord(state, l10n);
}

/** The state of a test run, also while it is active. */
export const testStateWord = (run: Parameters<typeof testState>[0], l10n: L10n): string =>
  outcomeWord(testState(run), l10n);

export function outcomeWord(outcome: ReturnType<typeof testState> | 'notReached', l10n: L10n): string {
  switch (outcome) {
    case 'notReached':
      return l10n.t('not reached');
    case 'running':
      return l10n.t('running');
    case 'byHand':
      return l10n.t('called by hand');
    case 'PASS':
      return l10n.t('passed');
    case 'FAIL':
      return l10n.t('failed');
    case 'ERROR':
      return l10n.t('error');
    case 'INCONCLUSIVE':
      return l10n.t('inconclusive');
    default:
      return cutShortWord(outcome, l10n);
  }
}

/** How much of its expected words a step heard, and how much it needs. */
export function matchWords(step: StepResult, l10n: L10n): string | undefined {
  const match = matchOf(step);
  return match && shownSentences(match, l10n);
}

export function runTypeWord(type: Run['kind'], l10n: L10n): string {
  return {
    mission: l10n.t('mission'),
    compliance: l10n.t('compliance'),
    standard: l10n.t('script'),
    param: l10n.t('script with rows'),
    load: l10n.t('load test'),
  }[type];
}
