import type { Location } from 'jsonc-parser';
import type { L10n } from '../localise.ts';
import type { Suggestion, SuggestionSource } from './suggestion.ts';
import { contains } from './parsedFile.ts';
import type { ParsedFile } from './parsedFile.ts';
import { collectedNames, columnsOf, readSteps, rowsOf } from './testSteps.ts';

/** What may stand in braces in keys, texts and expected transcripts: columns of the rows, and what earlier steps collect. */
export async function columnSuggestions(
  file: ParsedFile,
  offset: number,
  { path, previousNode }: Location,
  { read }: SuggestionSource,
  l10n: L10n,
): Promise<Suggestion[]> {
  const [, step, third, fourth] = path;
  const isText =
    (path.length === 3 && third === 'expectedTranscript') ||
    (path.length === 4 && third === 'action' && (fourth === 'keys' || fourth === 'text'));
  if (!isText || typeof step !== 'number' || previousNode?.type !== 'string' || !contains(previousNode, offset))
    return [];
  const typed = /\{\w*$/.exec(file.text.slice(previousNode.offset, offset))?.[0];
  if (typed === undefined) return [];
  const rest = /^\w*\}?/.exec(file.text.slice(offset, previousNode.offset + previousNode.length))?.[0].length ?? 0;
  const slot = { offset: offset - typed.length, length: typed.length + rest };
  const rows = await rowsOf(file, read).then(
    (found) => ('rows' in found ? found.rows : undefined),
    () => undefined,
  );
  const suggestion = (name: string, detail: string): Suggestion => ({
    label: `{${name}}`,
    icon: 'column',
    text: `{${name}}`,
    ...slot,
    detail,
  });
  return [
    ...columnsOf(rows).map((name) => suggestion(name, l10n.t('column: {0}', rows?.[0]?.[name] ?? ''))),
    ...[...new Set(collectedNames(readSteps(file).slice(0, step)))].map((name) =>
      suggestion(name, l10n.t('collected before')),
    ),
  ];
}
