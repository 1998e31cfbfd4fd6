import type { InputType } from '../../src/contract/menu.ts';
import type { EndKind, InputRequired, NodeStatus, TreeNode } from '../../src/contract/tree.ts';
import { t } from '../page/l10n.ts';

export const statusWords: Readonly<Record<NodeStatus, string>> = {
  pending: t('Waiting for a call'),
  exploring: t('Exploring now'),
  explored: t('Explored'),
  failed: t('Failed'),
  skipped: t('Not reached'),
  linked: t('Same menu as another step'),
};

export const endTitles: Readonly<Record<EndKind, string>> = {
  hangup: t('Hangs up'),
  'transfer-ringback': t('Transfers the call'),
  human: t('A person answers'),
  'hold-music': t('Puts the caller on hold'),
  voicemail: t('Goes to voicemail'),
  busy: t('Busy'),
  fax: t('Fax tone'),
  'dead-air': t('Dead air'),
  input: t('Asks for data'),
};

const inputWords: Readonly<Record<InputType, string>> = {
  account_number: t('account number'),
  pin: t('PIN'),
  date: t('date'),
  card_number: t('card number'),
  phone_number: t('phone number'),
  zip: t('ZIP code'),
  extension: t('extension'),
  amount: t('amount'),
  other: t('other data'),
};

const titleWords = 8;

export function nodeTitleOf(node: TreeNode): string {
  if (node.byWaiting) return t('No key pressed');
  return (
    named(node.label) ??
    named(node.menuLabel) ??
    named(node.voicePrompt) ??
    (isAnswer(node)
      ? t('Main menu')
      : (firstWords(node.transcript, titleWords) ?? t('Key {0}', node.digit ?? '').trim()))
  );
}

/** The prompt after the answer: neither a key nor a phrase leads there. */
const isAnswer = ({ digit, voicePrompt, spokenResponse }: TreeNode): boolean =>
  digit === undefined && voicePrompt === undefined && spokenResponse === undefined;

/** The second line: the problem, the link's target, the end, or the beginning of the prompt. */
export function subtitleOf(node: TreeNode, linkTarget: TreeNode | undefined): string {
  if (node.status === 'linked' || node.linksTo !== undefined)
    return `↪ ${linkTarget ? nodeTitleOf(linkTarget) : t("a step that isn't shown")}`;
  if (node.status === 'failed' || node.status === 'skipped') return named(node.reason) ?? statusWords[node.status];
  if (node.inputRequired && (node.end === undefined || node.end === 'input'))
    return t('Asks for {0}', inputPhrase(node.inputRequired));
  if (node.end) return named(node.reason) ?? endTitles[node.end];
  if (node.status === 'pending' || node.status === 'exploring') return statusWords[node.status];
  return named(node.transcript) ?? statusWords[node.status ?? 'explored'];
}

export const unsureMark = `? ${t('unsure')}`;
export const whyUnsure = t(
  'This machine was busy, so this step may be different or may not exist. Map again to confirm.',
);

/** The meaning of a card's sign. */
export function signWords({ status = 'explored', end, hidden }: TreeNode): string {
  const words = status === 'explored' && end ? endTitles[end] : statusWords[status];
  return hidden ? t('{0}, not offered by any prompt', words) : words;
}

export const isVoice = (node: TreeNode): boolean =>
  node.stepType === 'voice' || (node.digit === undefined && node.voicePrompt !== undefined);

export const inputTypeWords = (type: InputType): string => inputWords[type];

function inputPhrase(input: InputRequired): string {
  const words = input.type === 'other' ? (named(input.description) ?? inputWords.other) : inputWords[input.type];
  return input.terminator === undefined ? words : t('{0}, then {1}', words, input.terminator);
}

function firstWords(text: string | undefined, count: number): string | undefined {
  const words = text?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (words.length === 0) return undefined;
  return words.length > count ? `${words.slice(0, count).join(' ')}…` : words.join(' ');
}

const named = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text;
