import * as z from 'zod';
import type { Basics } from '../../basics/createBasics.ts';
import type { Run } from '../../../contract/runs.ts';
import { runName } from '../../../model/calls/targetName.ts';
import { readArgument, runPlaceSchema } from '../../basics/commandArguments.ts';
import type { Handlers, HandlersOf } from '../../basics/commandTable.ts';
import { unlessGone } from '../../basics/errors.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { RunsList } from '../../views/runsList.ts';
import { groupingSchema, type RunsOrder } from '../../views/runsOrder.ts';

interface RunCommandParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly runs: Pick<RunsList, 'row' | 'refresh'>;
  readonly order: RunsOrder;
}

const groupArgument = z.object({ by: groupingSchema }).strict();

/** Commands on one or several rows of the runs view, and on their order. */
export function runCommands(parts: RunCommandParts): HandlersOf<'run'> & Pick<Handlers, 'dialtree.runs.group'> {
  const { client, runs, order, dialogs, l10n } = parts;
  /** The editor passes the row under the pointer, and then all selected rows if it is one of them. */
  const rowsOf = (value: unknown, selected: unknown): Run[] =>
    (Array.isArray(selected) ? selected : [value]).flatMap((element: unknown) => {
      const place = runPlaceSchema.safeParse(element).data;
      return (place && runs.row(place.runId)) ?? [];
    });
  const idsOf = (value: unknown, selected: unknown): string[] => rowsOf(value, selected).map(({ id }) => id);

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
    'dialtree.run.pin': (value, selected) => order.pin(idsOf(value, selected)),
    'dialtree.run.unpin': (value, selected) => order.unpin(idsOf(value, selected)),
    'dialtree.run.copyId': (value, selected) => dialogs.copy(idsOf(value, selected).join('\n')),
    'dialtree.run.delete': async (value, selected) => {
      const ended = rowsOf(value, selected).filter(({ status }) => status !== 'running');
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
  };
}
