import type { L10n } from '../basics/localise.ts';
import { isStatus, shownMessage } from '../basics/errors.ts';
import { filterText } from './runsFilter.ts';
import type { RunsList } from './runsList.ts';

interface HeadingWords {
  readonly l10n: L10n;
  readonly moment: (iso: string) => string;
}

/** Returns what the runs view says beside its title and above its rows; empty texts for nothing. */
export function runsHeading(
  { filter, failure, isRead, rows }: Pick<RunsList, 'filter' | 'failure' | 'isRead' | 'rows'>,
  words: HeadingWords,
): { readonly description: string; readonly message: string } {
  const { l10n } = words;
  const text = filterText(filter, words);
  const message = (): string => {
    // Rows that were read before say more than why there are no newer ones.
    if (failure !== undefined && !isRead)
      return isStatus(failure, 404)
        ? l10n.t(
            "This service can't list runs, because its version is earlier than this extension's. Update the service.",
          )
        : shownMessage(failure, l10n);
    return text !== undefined && isRead && rows.length === 0 ? l10n.t('No runs match the filter.') : '';
  };
  return { description: text ?? '', message: message() };
}
