import type { LoadTest } from '../../../contract/loadTests.ts';
import { loadState, testState, type CutShort } from '../../../contract/runState.ts';
import type { RunType, StepResult } from '../../../contract/testRuns.ts';
import { matchOf } from '../../../model/report/runBlocks.ts';
import { shownSentences, type L10n } from '../localise.ts';

/** Outcomes and kinds of runs as the user reads them. */

export const cutShortWord = (state: CutShort, l10n: L10n): string =>
  state === 'cancelled' ? l10n.t('cancelled') : l10n.t('interrupted');

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

export function runTypeWord(type: RunType | 'load', l10n: L10n): string {
  switch (type) {
    case 'mission':
      return l10n.t('mission');
    case 'compliance':
      return l10n.t('compliance');
    case 'standard':
      return l10n.t('script');
    case 'param':
      return l10n.t('script with rows');
    case 'load':
      return l10n.t('load test');
  }
}

export function loadStateWord(test: Pick<LoadTest, 'status' | 'endedBy' | 'stats'>, l10n: L10n): string {
  const state = loadState(test);
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'unjudged':
      return l10n.t('completed');
    case 'pass':
      return l10n.t('passed');
    case 'fail':
      return l10n.t('criteria not met');
    case 'inconclusive':
      return l10n.t('inconclusive');
    case 'failed':
      return l10n.t('failed');
    case 'aborted':
      return l10n.t('ended early');
    default:
      return cutShortWord(state, l10n);
  }
}
