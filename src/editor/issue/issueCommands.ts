import * as z from 'zod';
import type { Basics } from '../basics/createBasics.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { Action } from '../basics/dialogs/dialogs.ts';

/** A text that the user reads and can change. */
export interface Draft {
  text(): string;
  save(): unknown;
}

export interface IssueCommandParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  /** Writes the report of this window. `note` is for the user. */
  readonly writeReport: (note: string) => Promise<string>;
  readonly openDraft: (text: string) => Promise<Draft>;
  /** The page for reporting issues, or undefined if the extension names none. */
  readonly issuePage: () => string | undefined;
}

export function issueCommands(parts: IssueCommandParts): HandlersOf<'issue'> {
  const { writeReport, openDraft, issuePage, dialogs, l10n } = parts;
  return {
    /** Writes a report and shows it. It is sent nowhere unless the user does it. */
    'dialtree.issue.report': async () => {
      const note = l10n.t(
        'Read this report before you share it. Dialtree masked keys, numbers, hosts and folders, and left out everything that was said on calls. Nothing has been sent. Please write the report in English.',
      );
      const draft = await openDraft(await writeReport(note));
      const page = issuePage();
      const copy = (): Promise<void> => dialogs.copy(draft.text());
      const actions: Action[] =
        page === undefined
          ? [
              { title: l10n.t('Copy'), run: copy },
              { title: l10n.t('Save As…'), run: () => draft.save() },
            ]
          : [
              {
                title: l10n.t('Copy and Open Issue Page'),
                run: async () => {
                  await copy();
                  await dialogs.browse(page);
                },
              },
              { title: l10n.t('Copy'), run: copy },
            ];
      await dialogs.tell(l10n.t('Read the report and describe what happened. Nothing has been sent.'), ...actions);
    },
  };
}

export const issuePageOf = (manifest: unknown): string | undefined =>
  z.object({ bugs: z.object({ url: z.url({ protocol: /^https$/ }) }) }).safeParse(manifest).data?.bugs.url;
