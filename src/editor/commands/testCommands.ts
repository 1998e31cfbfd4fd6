import { l10n } from 'vscode';
import * as z from 'zod';
import type { TestItem } from 'vscode';
import { runOutcomeSchema, runTypeSchema } from '../../contract/testRuns.ts';
import type { TestRun } from '../../contract/testRuns.ts';
import type { Formats } from '../formats.ts';
import type { SampleCopies } from '../host/sampleCopies.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { TestExplorer } from '../testing/testExplorer.ts';
import { outcomeWord, runTypeWord } from '../testing/outcomeWords.ts';
import type { TestNames } from '../testing/testNames.ts';
import type { RunsFilter, RunsList } from '../views/runsList.ts';
import { readArgument } from './arguments.ts';
import type { HandlersOf } from './commandTable.ts';
import type { Dialogs } from './dialogs.ts';
import { runSampleMission } from './runSampleMission.ts';
import { runMission, runScriptedTest } from './runScriptedTest.ts';

export interface TestCommandParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly explorer: TestExplorer;
  readonly names: TestNames;
  readonly runs: RunsList;
  readonly openReport: (runId: string) => void;
  readonly dialogs: Dialogs;
  readonly formats: Formats;
  readonly copies: Pick<SampleCopies, 'mission'>;
}

/** One of the samples by its name, as the walkthrough gives it. */
const sampleSchema = z.object({ sample: z.string().min(1) }).strict();
/** A row of the runs view is one too. */
const runPlaceSchema = z.object({ runId: z.uuid() });
const filterSchema = z.object({ outcome: runOutcomeSchema.optional(), runType: z.union([runTypeSchema, z.literal('load')]).optional() }).strict();
const mostOffered = 50;

export function testCommands(parts: TestCommandParts): Omit<HandlersOf<'test'>, 'dialtree.test.fromTree'> & HandlersOf<'runs'> {
  const { client, explorer, names, runs, openReport, dialogs, formats, copies } = parts;

  const pickRun = async (wanted: (run: TestRun) => boolean, placeHolder: string): Promise<string | undefined> => {
    const { items } = await client.call('listTestRuns', { limit: mostOffered });
    const found = items.filter(wanted);
    if (found.length === 0) {
      await dialogs.tell(l10n.t('There is no such run.'));
      return undefined;
    }
    await names.learn(found);
    return dialogs.pick(found.map((run) => ({
      label: names.of(run), value: run.id, detail: formats.moment(run.startedAt),
      description: [runTypeWord(run.runType, l10n), run.outcome === undefined ? l10n.t('running') : outcomeWord(run.outcome, l10n)].join(', '),
    })), { title: l10n.t('Runs'), placeHolder });
  };

  return {
    'dialtree.test.run': (value) => runScriptedTest(value, explorer, dialogs),
    'dialtree.test.runMission': (value) => {
      const sample = sampleSchema.safeParse(value).data?.sample;
      return sample === undefined ? runMission(value, explorer, dialogs) : runSampleMission(sample, { copies, explorer, openReport });
    },
    'dialtree.test.cancel': async (value) => {
      const runId = readArgument(runPlaceSchema, value)?.runId ?? await pickRun(({ status }) => status === 'running', l10n.t('Which run shall hang up?'));
      if (runId !== undefined) await client.call('cancelTestRun', { runId });
    },
    'dialtree.test.openReport': async (value) => {
      const item = testItemIn(value);
      const runId = item ? explorer.newestRun(item) : readArgument(runPlaceSchema, value)?.runId ?? await pickRun(() => true, l10n.t('Which run?'));
      if (runId !== undefined) openReport(runId);
      else if (item) await dialogs.tell(l10n.t('“{0}” has not been run from this workspace yet.', item.label));
    },
    'dialtree.runs.refresh': async () => {
      names.forget();
      await runs.refresh();
    },
    'dialtree.runs.filter': async (value) => {
      const filter = readArgument(filterSchema, value) ?? await pickFilter(runs.filter, dialogs);
      // Members that are not there leave nothing out.
      if (filter) await runs.setFilter({ ...(filter.outcome && { outcome: filter.outcome }), ...(filter.runType && { runType: filter.runType }) });
    },
    'dialtree.runs.clearFilter': () => runs.setFilter({}),
    'dialtree.runs.loadMore': () => runs.loadMore(),
  };
}

/** One more condition beside those that hold, or another in the place of one of its kind. */
async function pickFilter(now: RunsFilter, dialogs: Dialogs): Promise<RunsFilter | undefined> {
  const mark = (holds: boolean): string => (holds ? '$(check) ' : '');
  return dialogs.pick<RunsFilter>([
    { label: l10n.t('All runs'), value: {} },
    ...runOutcomeSchema.options.map((outcome) => ({ label: `${mark(now.outcome === outcome)}${outcomeWord(outcome, l10n)}`, group: l10n.t('Outcome'), value: { ...now, outcome } })),
    ...[...runTypeSchema.options, 'load' as const].map((runType) => ({ label: `${mark(now.runType === runType)}${runTypeWord(runType, l10n)}`, group: l10n.t('Kind'), value: { ...now, runType } })),
  ], { title: l10n.t('Filter Runs'), placeHolder: l10n.t('Which runs shall be shown?') });
}

/** Menus of the Test Explorer give an item, those of a failure an item beside the message. */
function testItemIn(value: unknown): TestItem | undefined {
  const inner = isRecord(value) && 'test' in value ? value['test'] : value;
  return isRecord(inner) && typeof inner['id'] === 'string' && 'children' in inner ? inner as unknown as TestItem : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
