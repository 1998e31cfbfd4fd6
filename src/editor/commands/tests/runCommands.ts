import * as z from 'zod';
import type { Run } from '../../../contract/runs.ts';
import { runName } from '../../../model/calls/targetName.ts';
import { runPlaceSchema } from '../../basics/commandArguments.ts';
import { unlessGone } from '../../basics/errors.ts';
import { groupingSchema } from '../../views/runsOrder.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';

/** The editor passes the row under the pointer, and then all selected rows if it is one of them. */
function rowsOf({ runs }: Editor, value: unknown, selected: unknown): Run[] {
  return (Array.isArray(selected) ? selected : [value]).flatMap((element: unknown) => {
    const place = runPlaceSchema.safeParse(element).data;
    return (place && runs.row(place.runId)) ?? [];
  });
}
const idsOf = (editor: Editor, value: unknown, selected: unknown): string[] =>
  rowsOf(editor, value, selected).map(({ id }) => id);

/** Commands on one or several rows of the runs view, and on their order. */
export const runCommands = [
  command({
    id: 'dialtree.runs.group',
    args: z.object({ by: groupingSchema }).strict(),
    async run({ order, dialogs, l10n }, args) {
      const words = {
        none: l10n.t("Don't group"),
        day: l10n.t('By day'),
        test: l10n.t('By test'),
        outcome: l10n.t('By outcome'),
      };
      const grouping =
        args?.by ??
        (await dialogs.pick(
          groupingSchema.options.map((by) => ({ label: words[by], value: by })),
          { title: l10n.t('Group Runs'), placeHolder: l10n.t('How do you want to group the runs?') },
        ));
      if (grouping !== undefined) await order.change({ grouping });
    },
  }),
  command({
    id: 'dialtree.run.pin',
    run: (editor, value, selected) => editor.order.pin(idsOf(editor, value, selected)),
  }),
  command({
    id: 'dialtree.run.unpin',
    run: (editor, value, selected) => editor.order.unpin(idsOf(editor, value, selected)),
  }),
  command({
    id: 'dialtree.run.copyId',
    run: (editor, value, selected) => editor.dialogs.copy(idsOf(editor, value, selected).join('\n')),
  }),
  command({
    id: 'dialtree.run.delete',
    async run(editor, value, selected) {
      const { client, order, runs, dialogs, l10n } = editor;
      const ended = rowsOf(editor, value, selected).filter(({ status }) => status !== 'running');
      const [first] = ended;
      if (!first) {
        await dialogs.tell(l10n.t('You can only delete runs that have ended. Cancel the run first.'));
        return;
      }
      const [message, detail] =
        ended.length === 1
          ? [
              l10n.t('Delete the run of “{0}”?', runName(first)),
              l10n.t("This also deletes the run's recording. You can't undo this."),
            ]
          : [
              l10n.t('Delete {0} runs?', ended.length),
              l10n.t("This also deletes the recordings of these runs. You can't undo this."),
            ];
      if (!(await dialogs.confirm(message, detail, l10n.t('Delete')))) return;
      try {
        for (const { kind, id } of ended)
          await unlessGone(
            kind === 'load' ? client.call('deleteLoadTest', { id }) : client.call('deleteTestRun', { runId: id }),
          );
        await order.unpin(ended.map(({ id }) => id));
      } finally {
        await runs.refresh();
      }
    },
  }),
];
