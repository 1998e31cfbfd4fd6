import * as z from 'zod';
import type { DialogAction } from '../basics/dialogs/dialogs.ts';
import { command } from './command.ts';

/** The page for reporting issues, if the extension names one. */
const manifestSchema = z.object({ bugs: z.object({ url: z.url({ protocol: /^https$/ }) }) });

export const issueCommands = [
  /** Writes a report and shows it. It is sent nowhere unless the user does it. */
  command({
    id: 'dialtree.issue.report',
    async run({ context, workbench, issueFacts, dialogs, l10n }) {
      const note = l10n.t(
        'Read this report before you share it. Dialtree masked keys, numbers, hosts and folders, and left out everything that was said on calls. Nothing has been sent. Please write the report in English.',
      );
      const { writeIssue } = await import('../issue/issueReport.ts');
      const draft = await workbench.openDraft(writeIssue(await issueFacts(), note));
      const page = manifestSchema.safeParse(context.extension.packageJSON).data?.bugs.url;
      const copy = (): Promise<void> => dialogs.copy(draft.text());
      const actions: DialogAction[] =
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
  }),
];
