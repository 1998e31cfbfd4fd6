import { runName } from '../../../model/calls/targetName.ts';
import { runLoadTestSchema } from '../../../contract/loadTests.ts';
import { runPlaceSchema } from '../../basics/commandArguments.ts';
import { runStateWord } from '../../basics/words/outcomeWords.ts';
import { startLoad } from '../../calls/startLoad.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';

const maxOffered = 50;

/** Returns the load test that the user picks. */
async function pickLoad(
  { client, dialogs, l10n, formats }: Editor,
  placeHolder: string,
  status?: 'running',
): Promise<string | undefined> {
  const { items: loads } = await client.call('listRuns', { kind: 'load', limit: maxOffered });
  const items = loads.filter((run) => status === undefined || run.status === status);
  if (items.length === 0) {
    await dialogs.tell(l10n.t("This command doesn't apply to any of your load tests. Start a load test first."));
    return undefined;
  }
  return dialogs.pick(
    items.map((run) => ({
      label: runName(run),
      value: run.id,
      detail: formats.moment(run.startedAt),
      description: [l10n.t('{0} simultaneous calls', run.load?.concurrency ?? 0), runStateWord(run, l10n)].join(', '),
    })),
    { title: l10n.t('Load Tests'), placeHolder },
  );
}

/** Opens the report of a run of any kind. What kind it is, the Runs view knows. */
export function openReportOf({ runs, openReport, openLoad }: Editor, runId: string, kind: 'load' | 'test'): void {
  const known = runs.row(runId);
  const isLoad = known ? known.kind === 'load' : kind === 'load';
  (isLoad ? openLoad : openReport)(runId);
}

export const loadCommands = [
  /** Returns the id of the load test. */
  command({
    id: 'dialtree.load.start',
    calls: true,
    args: runLoadTestSchema,
    async run(editor, args) {
      const wanted = args ?? (await (await import('./loadForm.ts')).askForLoad(editor));
      const { consent, openLoad } = editor;
      return wanted && startLoad({ ...editor, withConsent: consent.agreed, openReport: openLoad }, wanted);
    },
  }),
  command({
    id: 'dialtree.load.cancel',
    args: runPlaceSchema,
    async run(editor, args) {
      const { client, l10n } = editor;
      const id = args?.runId ?? (await pickLoad(editor, l10n.t('Which load test do you want to cancel?'), 'running'));
      if (id !== undefined) await client.call('cancelLoadTest', { id });
    },
  }),
  command({
    id: 'dialtree.load.openReport',
    args: runPlaceSchema,
    async run(editor, args) {
      const id = args?.runId ?? (await pickLoad(editor, editor.l10n.t('Which load test do you want to open?')));
      if (id !== undefined) openReportOf(editor, id, 'load');
    },
  }),
];
