import type { L10n } from '../../basics/localise.ts';
import type { Cursor, Suggestion } from './suggestion.ts';

interface ActionSnippet {
  readonly type: string;
  readonly title: (l10n: L10n) => string;
  /** With tab stops of the editor's snippets. $1 is the name of the step. */
  readonly action: string;
  readonly more?: string;
}

/** One property on each line, so that a failure is shown at its own line. */
const expecting = ',\n\t"expectedTranscript": "$4"';
const snippets: readonly ActionSnippet[] = [
  {
    type: 'dial',
    title: (l10n) => l10n.t('place the call and listen to the greeting'),
    action: '{ "type": "dial" }',
    more: expecting,
  },
  {
    type: 'press',
    title: (l10n) => l10n.t('press keys'),
    action: '{ "type": "press", "keys": "${2:1}" }',
    more: expecting,
  },
  {
    type: 'say',
    title: (l10n) => l10n.t('say something'),
    action: '{ "type": "say", "text": "${2}" }',
    more: expecting,
  },
  { type: 'expect', title: (l10n) => l10n.t('only listen'), action: '{ "type": "expect" }', more: expecting },
  {
    type: 'collect',
    title: (l10n) => l10n.t('save what the IVR says, to use in later steps'),
    action: '{ "type": "collect", "name": "${2:code}", "pattern": "${3:\\\\\\\\d+}" }',
  },
  { type: 'wait', title: (l10n) => l10n.t('wait'), action: '{ "type": "wait", "seconds": ${2:2} }' },
  {
    type: 'wait',
    title: (l10n) => l10n.t('put the IVR on hold'),
    action: '{ "type": "wait", "seconds": ${2:5}, "onHold": true }',
  },
  { type: 'hangUp', title: (l10n) => l10n.t('hang up'), action: '{ "type": "hangUp" }' },
];

const suggestionsOf = (
  { slot, l10n }: Cursor,
  write: (snippet: ActionSnippet) => Pick<Suggestion, 'label' | 'text'>,
): Suggestion[] =>
  snippets.map((snippet, index) => ({
    ...write(snippet),
    icon: 'snippet',
    isSnippet: true,
    offset: slot.offset,
    length: slot.length,
    detail: snippet.title(l10n),
    sortText: `0${String(index)}`,
  }));

export const stepSnippets = (cursor: Cursor): Suggestion[] =>
  suggestionsOf(cursor, ({ type, action, more = '' }) => ({
    label: `step: ${type}`,
    text: `{\n\t"name": "\${1:${type}}",\n\t"action": ${action}${more}\n}`,
  }));

export const actionSnippets = (cursor: Cursor): Suggestion[] =>
  suggestionsOf(cursor, ({ type, action }) => ({ label: type, text: action }));
