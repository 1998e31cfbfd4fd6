import type { LimitReason, MappingStats } from '../../../contract/mapping.ts';
import { mappingState } from '../../../contract/runState.ts';
import type { EndKind, NodeStatus, TreeNode } from '../../../contract/tree.ts';
import { treeCounts } from '../../../model/tree/treeCounts.ts';
import type { L10n } from '../localise.ts';
import { cutShortWord } from './outcomeWords.ts';

/** The terms of the interface as the user reads them. */

export function mappingStateWord(run: Parameters<typeof mappingState>[0], l10n: L10n): string {
  const state = mappingState(run);
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'limited':
      return l10n.t('stopped at a limit');
    case 'uncertain':
      return l10n.t('uncertain');
    default:
      return cutShortWord(state, l10n);
  }
}

export function limitWord(reason: LimitReason, l10n: L10n): string {
  return {
    max_calls: l10n.t('call limit reached'),
    max_depth: l10n.t('depth limit reached'),
    capacity: l10n.t('no minutes left in the workspace'),
    concurrency: l10n.t('too many runs at the same time'),
    target_refused: l10n.t('the called side refused the calls'),
    time: l10n.t('time limit reached'),
  }[reason];
}

export function endWord(end: EndKind, l10n: L10n): string {
  return {
    hangup: l10n.t('hangs up'),
    'transfer-ringback': l10n.t('transfers the call'),
    human: l10n.t('reaches a person'),
    'hold-music': l10n.t('puts the caller on hold'),
    voicemail: l10n.t('voicemail'),
    busy: l10n.t('busy'),
    fax: l10n.t('fax'),
    'dead-air': l10n.t('dead air'),
    input: l10n.t('asks for data'),
  }[end];
}

export function nodeStatusWord(status: NodeStatus, l10n: L10n): string {
  return {
    pending: l10n.t('waiting'),
    exploring: l10n.t('exploring'),
    explored: l10n.t('explored'),
    failed: l10n.t('failed'),
    skipped: l10n.t('not reached'),
    linked: l10n.t('linked'),
  }[status];
}

/** The key or phrase, and what it leads to. */
export function menuLabel(node: TreeNode, l10n: L10n): string {
  // A prompt can offer a key without a name, and hidden keys have none.
  const name = [node.label, node.menuLabel].find((text) => text !== undefined && text !== '');
  if (node.digit !== undefined) return name === undefined ? node.digit : `${node.digit} · ${name}`;
  if (node.spokenResponse !== undefined) return `“${node.spokenResponse}”`;
  return name ?? l10n.t('Main menu');
}

export const menuWords = (count: number, l10n: L10n): string =>
  count === 1 ? l10n.t('1 menu') : l10n.t('{0} menus', count);

export function countWords(stats: MappingStats, l10n: L10n): string[] {
  const { callsPlaced } = stats;
  const { menus, toExplore, ends } = treeCounts(stats);
  return [
    menuWords(menus, l10n),
    ...(toExplore === 0
      ? []
      : [toExplore === 1 ? l10n.t('1 option to explore') : l10n.t('{0} options to explore', toExplore)]),
    ends === 1 ? l10n.t('1 end') : l10n.t('{0} ends', ends),
    callsPlaced === 1 ? l10n.t('1 call') : l10n.t('{0} calls', callsPlaced),
  ];
}
