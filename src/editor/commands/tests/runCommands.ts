import * as z from 'zod';
import type { Basics } from '../../basics/createBasics.ts';
import { readArgument } from '../../basics/commandArguments.ts';
import type { Handlers, HandlersOf } from '../../basics/commandTable.ts';
import { unlessGone } from '../../basics/errors.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { TestNames } from '../../testing/testNames.ts';
import { idOf, runOf, type ListedRun, type RunsList } from '../../views/runsList.ts';
import { groupingSchema, type RunsOrder } from '../../views/runsOrder.ts';

interface RunCommandParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly runs: Pick<RunsList, 'row' | 'refresh'>;
  readonly order: RunsOrder;
  readonly names: Pick<TestNames, 'of'>;
}

/** A row of the runs view; rows of other kinds are left out of a selection. */
const rowSchema = z.union([z.object({ runId: z.uuid() }), z.object({ loadTestId: z.uuid() })]);
const groupArgument = z.object({ by: groupingSchema }).strict();

/** Commands on one or several rows of the runs view, and on their order. */
export function runCommands(parts: RunCommandParts): HandlersOf<'run'> & Pick<Handlers, 'dialtree.runs.group'> {
  const { client, runs, order, names, dialogs, l10n } = parts;
  /** The editor passes the row under the pointer, and then all selected rows if it is one of them. */
  const rowsOf = (value: unknown, selected: unknown): ListedRun[] =>
    (Array.isArray(selected) ? selected : [value]).flatMap((element: unknown) => {
      const place = rowSchema.safeParse(element).data;
      return (place && runs.row('runId' in place ? place.runId : place.loadTestId)) ?? [];
    });

  return {
    'dialtree.runs.group': async (value) => {
      const words = {
        none: l10n.t("Don't group"),
        day: l10n.t('By day'),
        test: l10n.t('By test'),
        outcome: l10n.t('By outcome'),
      };
      const grouping =
        readArgument(groupArgument, value)?.by ??
        (await dialogs.pick(
          groupingSchema.options.map((by) => ({ label: words[by], value: by })),
          { title: l10n.t('Group Runs'), placeHolder: l10n.t('How do you want to group the runs?') },
        ));
      if (grouping !== undefined) await order.change({ grouping });
    },
    'dialtree.run.pin': (value, selected) =>
      order.pin(
        rowsOf(value, selected).map((row) => ({ kind: row.kind, id: idOf(row), startedAt: runOf(row).startedAt })),
      ),
    'dialtree.run.unpin': (value, selected) => order.unpin(rowsOf(value, selected).map(idOf)),
    'dialtree.run.copyId': (value, selected) => dialogs.copy(rowsOf(value, selected).map(idOf).join('\n')),
    'dialtree.run.delete': async (value, selected) => {
      const ended = rowsOf(value, selected).filter((row) => runOf(row).status !== 'running');
      const [first] = ended;
      if (!first) {
        await dialogs.tell(l10n.t('You can only delete runs that have ended. Cancel the run first.'));
        return;
      }
      const [message, detail] =
        ended.length === 1
          ? [
              l10n.t('Delete the run of “{0}”?', names.of(runOf(first))),
              l10n.t("This also deletes the run's recording. You can't undo this."),
            ]
          : [
              l10n.t('Delete {0} runs?', ended.length),
              l10n.t("This also deletes the recordings of these runs. You can't undo this."),
            ];
      if (!(await dialogs.confirm(message, detail, l10n.t('Delete')))) return;
      try {
        for (const { kind, id } of ended.map((row) => ({ kind: row.kind, id: idOf(row) })))
          await unlessGone(
            kind === 'run' ? client.call('deleteTestRun', { runId: id }) : client.call('deleteLoadTest', { id }),
          );
        await order.unpin(ended.map(idOf));
      } finally {
        await runs.refresh();
      }
    },
  };
}
