import type { LimitReason, MappingConfig, MappingJob, MappingRun } from '../../src/contract/mapping.ts';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import { mappingState } from '../../src/contract/runState.ts';
import { raisableLimit } from '../../src/contract/raisableLimit.ts';
import { doubtsAfterAdvice } from '../../src/model/tree/limitAdvice.ts';
import { targetName } from '../../src/model/calls/targetName.ts';
import { callsText } from '../page/countTexts.ts';
import { sentencesText, t } from '../page/l10n.ts';
import { shownRun } from './shownRun.ts';

/** Why there is no tree, or only a part: a cause in words and up to one action. */
interface Explanation {
  readonly kind: 'waiting' | 'empty' | 'failed' | 'limited';
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly message: ExplainedAction };
}
export type ExplainedAction = 'start' | 'refresh' | 'raiseLimit';

const startMapping = { label: t('Start mapping'), message: 'start' } as const;
const mapAgain = { label: t('Map again'), message: 'start' } as const;
const raiseLimit = { label: t('Raise the limit…'), message: 'raiseLimit' } as const;

/** Shown instead of the tree. */
export function emptyState(snapshot: PanelSnapshot): Explanation | undefined {
  const { job, name, phoneNumber: target = name, tree } = snapshot;
  const phoneNumber = targetName(target);
  if (tree.tree || !job) return undefined;
  const run = shownRun(snapshot);
  if (!run || tree.reason === 'no_runs') {
    if (job.status === 'running') return dialling(phoneNumber);
    return {
      kind: 'empty',
      title: t('No tree yet'),
      text: t("{0} hasn't been mapped yet. A mapping calls the number and follows every option it hears.", phoneNumber),
      action: startMapping,
    };
  }
  const broken = run.status === 'completed' ? undefined : runTrouble(run, job, snapshot.runs);
  if (broken)
    return mappingState(run) === 'cancelled'
      ? { ...broken, text: t('It ended before Dialtree heard a prompt.') }
      : broken;
  if (run.status === 'running') return dialling(phoneNumber);
  if (tree.reason === 'in_progress')
    return { ...dialling(phoneNumber), action: { label: t('Refresh'), message: 'refresh' } };
  return {
    kind: 'empty',
    title: t('Nothing was heard'),
    text:
      tree.message ??
      t(
        "Dialtree didn't hear a prompt in run {0}. The number might answer only at certain times. Try again later.",
        run.runNumber,
      ),
    action: mapAgain,
  };
}

/** Shown above the tree of a run that had problems, or whose tree may be wrong. */
export function runTrouble(run: MappingRun, job: MappingJob, runs: readonly MappingRun[]): Explanation | undefined {
  const state = mappingState(run);
  if (state === 'cancelled')
    return { kind: 'empty', title: t('Cancelled'), text: t('Results so far are kept.'), action: mapAgain };
  if (state === 'interrupted')
    return {
      kind: 'empty',
      title: t('Interrupted'),
      text: run.reason ?? t('The service stopped. Results so far are kept.'),
      action: mapAgain,
    };
  if (state === 'failed')
    return {
      kind: 'failed',
      title: t('The run failed'),
      text: run.reason ?? t('No reason was recorded. See the service log for details.'),
      action: mapAgain,
    };
  if (run.limitReason === undefined) {
    if (run.reason === undefined || state === 'running') return undefined;
    const text = state === 'uncertain' ? `${run.reason} ${fewerCalls(job.config)}` : run.reason;
    return { kind: 'limited', title: t('The tree may be wrong'), text, action: mapAgain };
  }
  const why = limitWords(run.limitReason, run.config ?? job.config);
  const added = addedWords(run);
  return {
    kind: 'limited',
    title: t('Incomplete tree'),
    text: added === undefined ? why : `${why} ${added}`,
    action: run.runNumber === (runs[0] ?? run).runNumber && raisableLimit(job, run) ? raiseLimit : mapAgain,
  };
}

/** Returns the part of the service's reason that `limitWords` doesn't repeat. */
function addedWords({ reason, reasonParts = [], limitReason }: MappingRun): string | undefined {
  if (limitReason === 'capacity') return undefined;
  if (limitReason !== 'max_calls' && limitReason !== 'max_depth') return reason;
  const doubts = doubtsAfterAdvice(reasonParts);
  return doubts.length === 0 ? undefined : sentencesText({ parts: doubts });
}

const fewerCalls = ({ concurrency }: MappingConfig): string =>
  t('Map again uses up to {0} simultaneous calls. New mappings use dialtree.mapping.concurrency.', concurrency);

function limitWords(reason: LimitReason, { maxCalls, maxDepth, concurrency }: MappingConfig): string {
  switch (reason) {
    case 'max_calls':
      return t('The run placed {0}, the maximum in its settings. Raise maxCalls to map the rest.', callsText(maxCalls));
    case 'max_depth':
      return t(
        'There are more menus below depth {0}, the maximum in the settings. Raise maxDepth to go deeper.',
        maxDepth,
      );
    case 'capacity':
      return t(
        "The minutes for this run are used up. Get more minutes, or raise the workspace's budget, then map the number again.",
      );
    case 'concurrency':
      return t(
        'The called side accepted fewer than the {0} simultaneous calls that the settings allow. Lower concurrency.',
        concurrency,
      );
    case 'target_refused':
      return t('The called side refused further calls. Wait a while before you map the number again.');
    case 'time':
      return t('Some calls reached their time limit before they had followed every path.');
  }
}

function dialling(number: string): Explanation {
  return {
    kind: 'waiting',
    title: t('Calling'),
    text: t('Waiting for the first prompt from {0}. Steps appear here as Dialtree hears them.', number),
  };
}
