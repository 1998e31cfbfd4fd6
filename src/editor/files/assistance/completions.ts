import { getLocation, type Location } from 'jsonc-parser';
import type { L10n } from '../../basics/localise.ts';
import { excerpt } from '../navigation/outline.ts';
import { promptWordsIn } from '../reading/ivrPrompts.ts';
import { readStates, statePlaces } from '../reading/ivrStates.ts';
import { contains, entriesOf, isAt, membersOf, nodeAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { columnSuggestions } from './columnSuggestions.ts';
import { fileSnippets } from './fileSnippets.ts';
import { pathSuggestions } from './pathSuggestions.ts';
import { inSlot, slotOf } from './slot.ts';
import { actionSnippets, stepSnippets } from './stepSnippets.ts';
import type { Cursor, Suggester, Suggestion, SuggestionSource } from './suggestion.ts';

const phoneKeys = Array.from('1234567890*#');
const commonLanguages = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pt-BR'];

/** The suggester for each kind of file and path. The first match counts. */
const rows: readonly (readonly [place: string, suggest: Suggester])[] = [
  ...statePlaces.map((place) => [`ivr.${place}`, stateSuggestions] as const),
  ['ivr.number', numberSuggestions],
  ['*.phoneNumber', numberSuggestions],
  ['*.tags.*', tagSuggestions],
  ['*.language', languageSuggestions],
  ['*.steps.**.language', languageSuggestions],
  ['ivr.ivr', () => []],
  ['*.ivr', (cursor) => pathSuggestions(cursor, '.ivr.json')],
  ['*.rowsFile', (cursor) => pathSuggestions(cursor, '.csv')],
  ['ivr.states.**.wav', (cursor) => pathSuggestions(cursor, '.wav')],
  ['calltest.steps.*', stepSnippets],
  ['calltest.steps.*.action', actionSnippets],
  ['calltest.steps.**', columnSuggestions],
];

export async function suggest(
  file: ParsedFile,
  offset: number,
  source: SuggestionSource,
  l10n: L10n,
): Promise<Suggestion[]> {
  if (file.text.trim() === '') return fileSnippets(file.kind, offset, source, l10n);
  const location = file.root && locate(file.text, offset);
  if (!location) return [];
  const path = [file.kind, ...location.path];
  const cursor = { file, offset, location, slot: slotOf(file.text, offset, location), source, l10n };
  if (location.isAtPropertyKey) return isAt(path, 'ivr.states.*.keys.*') ? keySuggestions(cursor) : [];
  return rows.find(([place]) => isAt(path, place))?.[1](cursor) ?? [];
}

function locate(text: string, offset: number): Location | undefined {
  try {
    return getLocation(text, offset);
  } catch (error) {
    // The parser recurses for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function stateSuggestions({ file, slot }: Cursor): Suggestion[] {
  return [...readStates(file).states.values()].map(({ name, value }) => {
    const prompt = promptWordsIn(value) ?? '';
    return {
      label: name,
      icon: 'state',
      ...inSlot(slot, name),
      detail: excerpt(prompt),
      documentation: prompt,
      sortText: `0${name}`,
    };
  });
}

function keySuggestions({ file, slot, l10n }: Cursor): Suggestion[] {
  const state = nodeAt(file.root, slot.path.slice(0, 3));
  const members = membersOf(state);
  const own = members.find(({ key }) => contains(key, slot.offset));
  const used = new Set(members.filter((member) => member !== own).map(({ name }) => name));
  const hasColon = /^\s*:/.test(file.text.slice(slot.offset + slot.length));
  return phoneKeys
    .filter((key) => !used.has(key))
    .map((key, index) => ({
      label: key,
      icon: 'key',
      offset: slot.offset,
      length: slot.length,
      sortText: String(index).padStart(2, '0'),
      detail: l10n.t('telephone key'),
      ...(hasColon ? { text: JSON.stringify(key) } : { text: `${JSON.stringify(key)}: "$1"`, isSnippet: true }),
    }));
}

function numberSuggestions({ file, slot, source: { routes, files }, l10n }: Cursor): Suggestion[] {
  const known = new Map<string, string>();
  for (const [key, { line }] of Object.entries(routes ?? {}))
    if (!key.endsWith('*')) known.set(key, line ?? l10n.t('route in the dial plan'));
  for (const { phoneNumber, name, uri } of files)
    if (phoneNumber !== undefined && uri !== file.uri && !known.has(phoneNumber)) known.set(phoneNumber, name ?? '');
  return [...known]
    .filter(([number]) => file.kind !== 'ivr' || number.startsWith('+'))
    .map(([number, detail]) => ({ label: number, icon: 'number', ...inSlot(slot, number), detail }));
}

function tagSuggestions({ file, slot, source: { files } }: Cursor): Suggestion[] {
  const own = new Set(
    entriesOf(nodeAt(file.root, ['tags']))
      .filter((node) => node.offset !== slot.offset)
      .map(({ value }) => String(value)),
  );
  const counts = new Map<string, number>();
  for (const tag of files.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .filter(([tag]) => !own.has(tag))
    .map(([tag, count]) => ({
      label: tag,
      icon: 'tag',
      ...inSlot(slot, tag),
      detail: String(count),
      sortText: `${String(1e6 - count)}${tag}`,
    }));
}

function languageSuggestions({ file, slot, source: { files, language: shown } }: Cursor): Suggestion[] {
  const used = files.flatMap(({ language, uri }) => (language !== undefined && uri !== file.uri ? [language] : []));
  const names = new Intl.DisplayNames([shown, 'en'], { type: 'language', fallback: 'code' });
  return [...new Set([...used, ...commonLanguages])]
    .filter((tag) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag))
    .map((tag, index) => ({
      label: tag,
      icon: 'language',
      ...inSlot(slot, tag),
      detail: nameOf(names, tag),
      sortText: String(index).padStart(3, '0'),
    }));
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
