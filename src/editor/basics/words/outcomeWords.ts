import type { LoadTest } from '../../../contract/loadTests.ts';
import type { RunOutcome, RunType } from '../../../contract/testRuns.ts';
import type { L10n } from '../localise.ts';

/** Outcomes and kinds of runs as the user reads them. */

export function outcomeWord(outcome: RunOutcome, l10n: L10n): string {
  switch (outcome) {
    case 'PASS':
      return l10n.t('passed');
    case 'FAIL':
      return l10n.t('failed');
    case 'ERROR':
      return l10n.t('error');
    case 'INCONCLUSIVE':
      return l10n.t('inconclusive');
  }
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

export function loadStatusWord(status: LoadTest['status'], l10n: L10n): string {
  switch (status) {
    case 'running':
      return l10n.t('running');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'aborted':
      return l10n.t('ended early');
  }
}
