import { l10n, type TestItem } from 'vscode';
import * as z from 'zod';
import { isRecord } from '../../../base/isRecord.ts';
import type { Run } from '../../../contract/runs.ts';
import { runName } from '../../../model/calls/targetName.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { readArgument, runPlaceSchema } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import { runStateWord, runTypeWord } from '../../basics/words/outcomeWords.ts';
import type { SampleCopies } from '../../host/sampleCopies.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { heardInstead } from '../../../model/tests/heardInstead.ts';
import { askAccepted } from '../../testing/askAccepted.ts';
import { offerAccepted } from '../../testing/explorer/acceptHeard.ts';
import { runOfFailure } from '../../testing/explorer/failureContext.ts';
import type { TestExplorer } from '../../testing/explorer/testExplorer.ts';
import { conditionsOf, conditionsSchema } from '../../views/runsFilter.ts';
import type { RunsList } from '../../views/runsList.ts';
import { runSampleMission } from './runSampleMission.ts';
import { runTest } from './runTest.ts';

interface TestCommandParts extends Pick<Basics, 'clock' | 'dialogs' | 'formats'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly explorer: TestExplorer;
  readonly runs: RunsList;
  readonly openReport: (runId: string) => void;
  /** Opens the report with its criterion for editing. */
  readonly judgeAgain: (runId: string) => void;
  /** Opens the report, and asks how to share it. */
  readonly share: (runId: string) => Promise<void>;
  /** The run whose report is in front. */
  readonly shownRun: () => string | undefined;
  readonly copies: Pick<SampleCopies, 'mission'>;
}

/** A sample by its name, as the walkthrough passes it. */
const sampleSchema = z.object({ sample: z.string().min(1) }).strict();
/** A step of a run that heard other words than its file expects. */
const heardPlaceSchema = z.object({ runId: z.uuid(), step: z.int().min(0) });
const maxOffered = 50;

export function testCommands(
  parts: TestCommandParts,
): Omit<HandlersOf<'test'>, 'dialtree.test.fromTree'> & Omit<HandlersOf<'runs'>, 'dialtree.runs.group'> {
  const { client, explorer, runs, openReport, judgeAgain, dialogs, clock, formats, copies } = parts;

  /** Returns the run that the argument names, or one that the user picks. */
  const runOf = async (
    value: unknown,
    placeHolder: string,
    wanted: (run: Run) => boolean = () => true,
    kind?: Run['kind'],
  ): Promise<string | undefined> => {
    const named = readArgument(runPlaceSchema, value)?.runId;
    if (named !== undefined) return named;
    const { items } = await client.call('listRuns', { limit: maxOffered, ...(kind && { kind }) });
    const found = items.filter((run) => run.kind !== 'load' && wanted(run));
    if (found.length === 0) {
      await dialogs.tell(l10n.t("This command doesn't apply to any of your runs. Run a test or mission first."));
      return undefined;
    }
    return dialogs.pick(
      found.map((run) => ({
        label: runName(run),
        value: run.id,
        detail: formats.moment(run.startedAt),
        description: [runTypeWord(run.kind, l10n), runStateWord(run, l10n)].join(', '),
      })),
      { title: l10n.t('Runs'), placeHolder },
    );
  };

  const isCompleted = ({ status }: Run): boolean => status === 'completed';

  return {
    'dialtree.test.run': (value) => runTest('calltest', value, explorer, dialogs),
    'dialtree.test.runMission': (value) => {
      const sample = sampleSchema.safeParse(value).data?.sample;
      return sample === undefined
        ? runTest('mission', value, explorer, dialogs)
        : runSampleMission(sample, { copies, explorer, openReport });
    },
    'dialtree.test.runFailed': async (value) => {
      const item = testItemIn(value);
      if (!(await explorer.runFailed(item && [item])))
        await dialogs.tell(l10n.t('No test failed in its newest run from this workspace.'));
    },
    'dialtree.test.acceptHeard': async (value) => {
      const { runId, step } = runOfMessage(value) ?? readArgument(heardPlaceSchema, value) ?? {};
      if (runId === undefined || step === undefined) return;
      const run = await client.call('getRunResults', { runId });
      const file = await explorer.testOf(run.configId);
      const found = file?.test && heardInstead(file.test, run, step);
      const text = found && (await askAccepted(found, dialogs, l10n));
      if (found && (text === undefined || (await offerAccepted(file.uri, found, text, dialogs)))) return;
      await dialogs.tell(
        l10n.t("The file of this test no longer expects what this step heard, or the step's words are secret."),
      );
    },
    'dialtree.test.cancel': async (value) => {
      const runId = await runOf(
        value,
        l10n.t('Which run do you want to cancel?'),
        ({ status }) => status === 'running',
      );
      if (runId !== undefined) await client.call('cancelTestRun', { runId });
    },
    'dialtree.test.openReport': async (value) => {
      const item = testItemIn(value);
      const runId = item
        ? (runOfMessage(value)?.runId ?? (await explorer.runOf(item)))
        : await runOf(value, l10n.t('Which run do you want to open?'));
      if (runId !== undefined) openReport(runId);
      else if (item)
        await dialogs.tell(
          l10n.t("“{0}” hasn't been run from this workspace yet. Run it first, then open the report.", item.label),
        );
    },
    'dialtree.test.share': async (value) => {
      const runId =
        (readArgument(runPlaceSchema, value) ? undefined : parts.shownRun()) ??
        (await runOf(value, l10n.t('Which run do you want to share?'), isCompleted));
      if (runId !== undefined) await parts.share(runId);
    },
    'dialtree.test.judgeAgain': async (value) => {
      const runId = await runOf(value, l10n.t('Which run do you want to judge again?'), isCompleted, 'mission');
      if (runId !== undefined) judgeAgain(runId);
    },
    'dialtree.runs.refresh': () => runs.refresh(),
    'dialtree.runs.filter': async (value) => {
      const { pickRunsFilter } = await import('./pickRunsFilter.ts');
      const filter =
        readArgument(conditionsSchema, value) ?? (await pickRunsFilter(runs.filter, { client, dialogs, clock, l10n }));
      if (filter) await runs.setFilter(conditionsOf(filter));
    },
    'dialtree.runs.clearFilter': () => runs.setFilter({}),
    'dialtree.runs.loadMore': () => runs.loadMore(),
  };
}

/** Menus of the Test Explorer pass an item; those of a failure pass an item beside the message. */
function testItemIn(value: unknown): TestItem | undefined {
  const inner = isRecord(value) && 'test' in value ? value['test'] : value;
  return isRecord(inner) && typeof inner['id'] === 'string' && 'children' in inner
    ? (inner as unknown as TestItem)
    : undefined;
}

const runOfMessage = (value: unknown): ReturnType<typeof runOfFailure> =>
  isRecord(value) && isRecord(value['message']) ? runOfFailure(value['message']['contextValue']) : undefined;
