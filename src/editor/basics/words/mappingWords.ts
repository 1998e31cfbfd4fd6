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
  switch (reason) {
    case 'max_calls':
      return l10n.t('call limit reached');
    case 'max_depth':
      return l10n.t('depth limit reached');
    case 'capacity':
      return l10n.t('no minutes left in the workspace');
    case 'concurrency':
      return l10n.t('too many runs at the same time');
    case 'target_refused':
      return l10n.t('the called side refused the calls');
    case 'time':
      return l10n.t('time limit reached');
  }
}

export function endWord(end: EndKind, l10n: L10n): string {
  switch (end) {
    case 'hangup':
      return l10n.t('hangs up');
    case 'transfer-ringback':
      return l10n.t('transfers the call');
    case 'human':
      return l10n.t('reaches a person');
    case 'hold-music':
      return l10n.t('puts the caller on hold');
    case 'voicemail':
      return l10n.t('voicemail');
    case 'busy':
      return l10n.t('busy');
    case 'fax':
      return l10n.t('fax');
    case 'dead-air':
      return l10n.t('dead air');
    case 'input':
      return l10n.t('asks for data');
  }
}

export function nodeStatusWord(status: NodeStatus, l10n: L10n): string {
  switch (status) {
    case 'pending':
      return l10n.t('waiting');
    case 'exploring':
      return l10n.t('exploring');
    case 'explored':
      return l10n.t('explored');
    case 'failed':
      return l10n.t('failed');
    case 'skipped':
      return l10n.t('not reached');
    case 'linked':
      return l10n.t('linked');
  }
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
