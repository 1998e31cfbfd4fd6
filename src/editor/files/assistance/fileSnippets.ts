import type { L10n } from '../../basics/localise.ts';
import type { FileKindName } from '../../folders/parsedFile.ts';
import type { TemplateName } from '../newFile.ts';
import type { Suggestion, SuggestionSource } from './suggestion.ts';

/** Suggests whole files for an empty one. Trees aren't written by hand. */
export function fileSnippets(
  kind: FileKindName,
  offset: number,
  { template }: SuggestionSource,
  l10n: L10n,
): Promise<Suggestion[]> {
  const snippets: Readonly<Record<FileKindName, readonly (readonly [label: string, name: TemplateName])[]>> = {
    calltest: [
      [l10n.t('Scripted test by keypad'), 'calltest'],
      [l10n.t('Scripted test by voice'), 'calltest-voice'],
    ],
    mission: [[l10n.t('Mission'), 'mission']],
    ivr: [[l10n.t('Practice IVR'), 'ivr']],
    probe: [],
    calltree: [],
  };
  return Promise.all(
    snippets[kind].map(async ([label, name], index) => ({
      label,
      icon: 'snippet',
      text: (await template(name)).trimEnd().replaceAll(/[\\$}]/g, '\\$&'),
      isSnippet: true,
      offset,
      length: 0,
      sortText: `0${String(index)}`,
    })),
  );
}
