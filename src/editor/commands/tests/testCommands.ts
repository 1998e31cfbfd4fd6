import { l10n, type TestItem } from 'vscode';
import * as z from 'zod';
import { isRecord } from '../../../base/isRecord.ts';
import type { Run } from '../../../contract/runs.ts';
import { heardInstead } from '../../../model/tests/heardInstead.ts';
import { runName } from '../../../model/calls/targetName.ts';
import { readArgument, runPlaceSchema } from '../../basics/commandArguments.ts';
import { runStateWord, runTypeWord } from '../../basics/words/outcomeWords.ts';
import { askAccepted } from '../../testing/askAccepted.ts';
import { acceptedWords, offerEdits } from '../../testing/explorer/acceptHeard.ts';
import { runOfFailure } from '../../testing/explorer/failureContext.ts';
import { conditionsOf, conditionsSchema } from '../../views/runsFilter.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';
import { openReportOf } from './loadCommands.ts';
import { repairTest } from './repairTest.ts';
import { runSampleMission } from './runSampleMission.ts';
import { fileSchema, runTestCommand } from './runTest.ts';

/** A sample by its name, as the walkthrough passes it. */
const sampleSchema = z.object({ sample: z.string().min(1) }).strict();
/** A step of a run that heard other words than its file expects. */
const heardPlaceSchema = z.object({ runId: z.uuid(), step: z.int().min(0) });
const maxOffered = 50;

/** Returns the run that the argument names, that of an item of the Test Explorer, or one that the user picks. */
async function runOf(
  { client, dialogs, explorer, formats }: Editor,
  value: unknown,
  placeHolder: string,
  wanted: (run: Run) => boolean = () => true,
  kind?: Run['kind'],
): Promise<string | undefined> {
  const item = testItemIn(value);
  const ofItem = runOfMessage(value)?.runId ?? (item && (await explorer.runOf(item)));
  const named = item ? ofItem : readArgument(runPlaceSchema, value)?.runId;
  if (named !== undefined) return named;
  if (item) {
    await dialogs.tell(l10n.t("“{0}” hasn't been run from this workspace yet. Run it first.", item.label));
    return undefined;
  }
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
}

const isCompleted = ({ status }: Run): boolean => status === 'completed';

export const testCommands = [
  command({ id: 'dialtree.test.run', calls: true, run: (editor, value) => runTestCommand('calltest', value, editor) }),
  command({
    id: 'dialtree.test.runMission',
    calls: true,
    run(editor, value) {
      const sample = sampleSchema.safeParse(value).data?.sample;
      return sample === undefined ? runTestCommand('mission', value, editor) : runSampleMission(sample, editor);
    },
  }),
  command({
    id: 'dialtree.test.runFailed',
    calls: true,
    async run({ explorer, dialogs }, value) {
      const item = testItemIn(value);
      if (!(await explorer.runFailed(item && [item])))
        await dialogs.tell(l10n.t('No test failed in its newest run from this workspace.'));
    },
  }),
  command({
    id: 'dialtree.test.acceptHeard',
    async run({ client, explorer, dialogs }, value) {
      const { runId, step } = runOfMessage(value) ?? readArgument(heardPlaceSchema, value) ?? {};
      if (runId === undefined || step === undefined) return;
      const run = await client.call('getRunResults', { runId });
      const file = await explorer.testOf(run.configId);
      const found = file?.test && heardInstead(file.test, run, step);
      const text = found && (await askAccepted(found, dialogs, l10n));
      const title = l10n.t('Accept What Was Heard');
      const asking = { title, placeHolder: l10n.t('Use these words in the test from now on?') };
      if (found && (text === undefined || (await offerEdits(file.uri, acceptedWords(found, text), asking, dialogs))))
        return;
      await dialogs.tell(
        l10n.t("The file of this test no longer expects what this step heard, or the step's words are secret."),
      );
    },
  }),
  command({
    id: 'dialtree.test.repair',
    calls: true,
    async run(editor, value) {
      const file = fileSchema.safeParse(value).data?.toString();
      const place = file === undefined ? value : editor.explorer.items.find(({ uri }) => uri?.toString() === file);
      const isFailed = ({ outcome }: Run): boolean => outcome === 'FAIL';
      const runId = await runOf(editor, place, l10n.t('Which test do you want to repair?'), isFailed);
      if (runId !== undefined) await repairTest(editor, runId);
    },
  }),
  command({
    id: 'dialtree.test.cancel',
    async run(editor, value) {
      const isRunning = ({ status }: Run): boolean => status === 'running';
      const runId = await runOf(editor, value, l10n.t('Which run do you want to cancel?'), isRunning);
      if (runId !== undefined) await editor.client.call('cancelTestRun', { runId });
    },
  }),
  command({
    id: 'dialtree.test.openReport',
    async run(editor, value) {
      const runId = await runOf(editor, value, l10n.t('Which run do you want to open?'));
      if (runId !== undefined) openReportOf(editor, runId, 'test');
    },
  }),
  command({
    id: 'dialtree.test.share',
    async run(editor, value) {
      // Without an argument, the run whose report is in front.
      const shown = readArgument(runPlaceSchema, value) ? undefined : editor.reports.active?.subject;
      const runId = shown ?? (await runOf(editor, value, l10n.t('Which run do you want to share?'), isCompleted));
      if (runId !== undefined) await editor.reports.open(runId).share();
    },
  }),
  command({
    id: 'dialtree.test.judgeAgain',
    async run(editor, value) {
      const placeHolder = l10n.t('Which run do you want to judge again?');
      const runId = await runOf(editor, value, placeHolder, isCompleted, 'mission');
      if (runId !== undefined) editor.reports.open(runId).editCriterion();
    },
  }),
  command({ id: 'dialtree.runs.refresh', run: ({ runs }) => runs.refresh() }),
  command({
    id: 'dialtree.runs.filter',
    args: conditionsSchema,
    async run(editor, args) {
      const { runs } = editor;
      const { pickRunsFilter } = await import('./pickRunsFilter.ts');
      const filter = args ?? (await pickRunsFilter(runs.filter, editor));
      if (filter) await runs.setFilter(conditionsOf(filter));
    },
  }),
  command({ id: 'dialtree.runs.clearFilter', run: ({ runs }) => runs.setFilter({}) }),
  command({ id: 'dialtree.runs.loadMore', run: ({ runs }) => runs.loadMore() }),
];

/** Menus of the Test Explorer pass an item; those of a failure pass an item beside the message. */
function testItemIn(value: unknown): TestItem | undefined {
  const inner = isRecord(value) && 'test' in value ? value['test'] : value;
  return isRecord(inner) && typeof inner['id'] === 'string' && 'children' in inner
    ? (inner as unknown as TestItem)
    : undefined;
}

const runOfMessage = (value: unknown): ReturnType<typeof runOfFailure> =>
  isRecord(value) && isRecord(value['message']) ? runOfFailure(value['message']['contextValue']) : undefined;
