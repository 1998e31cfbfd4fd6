import { runName } from '../../../model/calls/targetName.ts';
import { runLoadTestSchema } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { readArgument, runPlaceSchema } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import { runStateWord } from '../../basics/words/outcomeWords.ts';
import type { WithConsent } from '../../calls/consent.ts';
import { startLoad } from '../../calls/startLoad.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';
import type { OptionsMemory } from './loadForm.ts';

interface LoadCommandParts extends Pick<Basics, 'dialogs' | 'steps' | 'formats' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
  readonly withConsent: WithConsent;
  readonly openReport: (loadTestId: string) => void;
  readonly context: { readonly workspaceState: OptionsMemory };
}

const maxOffered = 50;

export function loadCommands(parts: LoadCommandParts): HandlersOf<'load'> {
  const { client, dialogs, openReport, l10n, formats } = parts;

  /** Returns the load test that the argument names, or one that the user picks. */
  const loadOf = async (value: unknown, placeHolder: string, status?: 'running'): Promise<string | undefined> => {
    const named = readArgument(runPlaceSchema, value)?.runId;
    if (named !== undefined) return named;
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
  };

  return {
    /** Returns the id of the load test. */
    'dialtree.load.start': async (value) => {
      const wanted =
        readArgument(runLoadTestSchema, value) ?? (await (await import('./loadForm.ts')).askForLoad(parts));
      return wanted && startLoad(parts, wanted);
    },
    'dialtree.load.cancel': async (value) => {
      const id = await loadOf(value, l10n.t('Which load test do you want to cancel?'), 'running');
      if (id !== undefined) await client.call('cancelLoadTest', { id });
    },
    'dialtree.load.openReport': async (value) => {
      const id = await loadOf(value, l10n.t('Which load test do you want to open?'));
      if (id !== undefined) openReport(id);
    },
  };
}
