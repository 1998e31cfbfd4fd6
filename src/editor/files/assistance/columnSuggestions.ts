import { contains, isAt } from '../../folders/parsedFile.ts';
import { collectedNames, columnsOf, readSteps, testRowsOf } from '../reading/testSteps.ts';
import type { Cursor, Suggestion } from './suggestion.ts';

const textPlaces = [
  'steps.*.expectedTranscript',
  'steps.*.heardBeforeAnswer',
  'steps.*.action.keys',
  'steps.*.action.text',
];

/**
 * Suggests names in braces for keys, texts and expected transcripts: columns of the rows, and values that earlier steps
 * collect.
 */
export async function columnSuggestions({
  file,
  offset,
  location: { path, previousNode },
  source: { read },
  l10n,
}: Cursor): Promise<Suggestion[]> {
  const [, step] = path;
  const isText = textPlaces.some((place) => isAt(path, place));
  if (!isText || typeof step !== 'number' || previousNode?.type !== 'string' || !contains(previousNode, offset))
    return [];
  const typed = /\{\w*$/.exec(file.text.slice(previousNode.offset, offset))?.[0];
  if (typed === undefined) return [];
  const rest = /^\w*\}?/.exec(file.text.slice(offset, previousNode.offset + previousNode.length))?.[0].length ?? 0;
  const slot = { offset: offset - typed.length, length: typed.length + rest };
  const rows = (await testRowsOf(file, read))?.rows;
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
      suggestion(name, l10n.t('collected in an earlier step')),
    ),
  ];
}
