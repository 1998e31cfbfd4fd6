import { getLocation } from 'jsonc-parser';
import type { Location } from 'jsonc-parser';
import type { L10n } from '../localise.ts';
import { columnSuggestions } from './columnSuggestions.ts';
import { promptIn } from './ivrFindings.ts';
import { isStatePlace, readStates } from './ivrStates.ts';
import { excerpt } from './outline.ts';
import { contains, entriesOf, membersOf, nodeAt } from './parsedFile.ts';
import type { ParsedFile } from './parsedFile.ts';
import { pathSuggestions } from './pathSuggestions.ts';
import { inSlot, slotOf } from './slot.ts';
import type { Slot } from './slot.ts';
import { actionSnippets, stepSnippets } from './stepSnippets.ts';
import type { Suggestion, SuggestionSource } from './suggestion.ts';

const phoneKeys = Array.from('1234567890*#');
const commonLanguages = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'pt-BR'];

export async function suggest(
  file: ParsedFile,
  offset: number,
  source: SuggestionSource,
  l10n: L10n,
): Promise<Suggestion[]> {
  const location = file.root && locate(file.text, offset);
  if (!location) return [];
  const slot = slotOf(file.text, offset, location);
  const { path, isAtPropertyKey } = location;
  if (isAtPropertyKey)
    return file.kind === 'ivr' && path[0] === 'states' && path[2] === 'keys' && path.length === 4
      ? keySuggestions(file, slot, l10n)
      : [];
  if (file.kind === 'ivr' && isStatePlace(path)) return stateSuggestions(file, slot);
  const [first, , third] = path;
  const last = path.at(-1);
  if (path.length === 1 && (first === 'phoneNumber' || (first === 'number' && file.kind === 'ivr')))
    return numberSuggestions(file, slot, source, l10n);
  if (path.length === 2 && first === 'tags') return tagSuggestions(file, slot, source);
  if (last === 'language' && (path.length === 1 || first === 'steps')) return languageSuggestions(file, slot, source);
  if (path.length === 1 && first === 'ivr' && file.kind !== 'ivr')
    return pathSuggestions(file, offset, slot, '.ivr.json', source);
  if (path.length === 1 && first === 'rowsFile') return pathSuggestions(file, offset, slot, '.csv', source);
  if (file.kind === 'ivr' && last === 'wav' && first === 'states')
    return pathSuggestions(file, offset, slot, '.wav', source);
  if (file.kind !== 'calltest' || first !== 'steps') return [];
  if (path.length === 2) return stepSnippets(slot, l10n);
  if (path.length === 3 && third === 'action') return actionSnippets(slot, l10n);
  return columnSuggestions(file, offset, location, source, l10n);
}

function locate(text: string, offset: number): Location | undefined {
  try {
    return getLocation(text, offset);
  } catch (error) {
    // It calls itself for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function stateSuggestions(file: ParsedFile, slot: Slot): Suggestion[] {
  return [...readStates(file).states.values()].map(({ name, value }) => {
    const prompt = promptIn(value) ?? '';
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

function keySuggestions(file: ParsedFile, slot: Slot, l10n: L10n): Suggestion[] {
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
      detail: l10n.t('key of the telephone'),
      ...(hasColon ? { text: JSON.stringify(key) } : { text: `${JSON.stringify(key)}: "$1"`, isSnippet: true }),
    }));
}

function numberSuggestions(
  file: ParsedFile,
  slot: Slot,
  { routes, files }: SuggestionSource,
  l10n: L10n,
): Suggestion[] {
  const known = new Map<string, string>();
  for (const [key, { line }] of Object.entries(routes ?? {}))
    if (!key.endsWith('*')) known.set(key, line ?? l10n.t('route of the dial plan'));
  for (const { phoneNumber, name, uri } of files)
    if (phoneNumber !== undefined && uri !== file.uri && !known.has(phoneNumber)) known.set(phoneNumber, name ?? '');
  return [...known]
    .filter(([number]) => file.kind !== 'ivr' || number.startsWith('+'))
    .map(([number, detail]) => ({ label: number, icon: 'number', ...inSlot(slot, number), detail }));
}

function tagSuggestions(file: ParsedFile, slot: Slot, { files }: SuggestionSource): Suggestion[] {
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

function languageSuggestions(file: ParsedFile, slot: Slot, { files, language: shown }: SuggestionSource): Suggestion[] {
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
