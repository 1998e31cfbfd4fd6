import { runKindSchema, type Run } from '../../../contract/runs.ts';
import { runOutcomeSchema } from '../../../contract/testRuns.ts';
import { runName } from '../../../model/calls/targetName.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import { typedTargetOf, targetQuestion } from '../../basics/typedTarget.ts';
import { outcomeWord, runTypeWord } from '../../basics/words/outcomeWords.ts';
import { conditionsOf, queryOf, sinceOf, spanSchema, spanWord } from '../../views/runsFilter.ts';
import type { RunsFilter } from '../../views/runsFilter.ts';
import type { Editor } from '../editor.ts';

/** The numbers and tests of this many pages of matching runs are offered. */
const pages = 3;

/** Adds a condition to the filter, replaces one of the same kind, or removes one that is already set. */
export async function pickRunsFilter(now: RunsFilter, parts: Editor): Promise<RunsFilter | undefined> {
  const { dialogs, l10n } = parts;
  const but = (key: 'outcome' | 'runType' | 'phoneNumber' | 'configId' | 'within'): RunsFilter =>
    conditionsOf({ ...now, [key]: undefined });
  type Step = Choice<() => Promise<RunsFilter | undefined>>;
  const condition = (group: string, label: string, key: 'outcome' | 'runType' | 'within', value: string): Step => {
    const holds = now[key] === value;
    return {
      group,
      label: holds ? `$(check) ${label}` : label,
      value: () => Promise.resolve(holds ? but(key) : { ...but(key), [key]: value }),
    };
  };
  const held = (group: string, label: string, key: 'phoneNumber' | 'configId'): Step => ({
    group,
    label: `$(check) ${label}`,
    value: () => Promise.resolve(but(key)),
  });
  const [ofNumber, ofTest, ofTime] = [l10n.t('Number'), l10n.t('Test'), l10n.t('Time')];
  const step = await dialogs.pick<() => Promise<RunsFilter | undefined>>(
    [
      { label: l10n.t('All runs'), value: () => Promise.resolve({}) },
      ...runOutcomeSchema.options.map((outcome) =>
        condition(l10n.t('Outcome'), outcomeWord(outcome, l10n), 'outcome', outcome),
      ),
      ...runKindSchema.options.map((kind) => condition(l10n.t('Kind'), runTypeWord(kind, l10n), 'runType', kind)),
      ...spanSchema.options.map((span) => condition(ofTime, spanWord(span, l10n), 'within', span)),
      ...(now.phoneNumber === undefined ? [] : [held(ofNumber, now.phoneNumber, 'phoneNumber')]),
      {
        group: ofNumber,
        label: now.phoneNumber === undefined ? l10n.t('Choose a number…') : l10n.t('Choose another number…'),
        value: () => pickNumber(but('phoneNumber'), parts),
      },
      ...(now.configId === undefined ? [] : [held(ofTest, now.testName ?? l10n.t('one test'), 'configId')]),
      {
        group: ofTest,
        label: now.configId === undefined ? l10n.t('Choose a test…') : l10n.t('Choose another test…'),
        value: () => pickTest(but('configId'), parts),
      },
    ],
    { title: l10n.t('Filter Runs'), placeHolder: l10n.t('Which runs do you want to see?') },
  );
  return step?.();
}

async function pickNumber(others: RunsFilter, parts: Editor): Promise<RunsFilter | undefined> {
  const { dialogs, l10n } = parts;
  const numbers = new Set((await newestRuns(others, parts)).map(({ phoneNumber }) => phoneNumber));
  const title = l10n.t('Filter Runs');
  const chosen = await dialogs.pick<string | null>(
    [
      ...[...numbers].map((phoneNumber) => ({ label: phoneNumber, value: phoneNumber })),
      { label: `$(edit) ${l10n.t('Enter a number or SIP address…')}`, value: null },
    ],
    { title, placeHolder: l10n.t('Which number did the runs call?') },
  );
  if (chosen !== null) return chosen === undefined ? undefined : { ...others, phoneNumber: chosen };
  const typed = await dialogs.ask({ title, ...targetQuestion(l10n) });
  return typed === undefined ? undefined : { ...others, phoneNumber: typedTargetOf(typed) };
}

async function pickTest(others: RunsFilter, parts: Editor): Promise<RunsFilter | undefined> {
  const { dialogs, l10n } = parts;
  const tests = new Map<string, Choice<RunsFilter>>();
  for (const run of await newestRuns(others, parts)) {
    const { configId, kind, name } = run;
    if (configId === undefined || tests.has(configId)) continue;
    tests.set(configId, {
      label: runName(run),
      description: runTypeWord(kind, l10n),
      value: { ...others, configId, ...(name !== undefined && { testName: name }) },
    });
  }
  return dialogs.pick(
    [...tests.values()].sort((one, other) => one.label.localeCompare(other.label)),
    {
      title: l10n.t('Filter Runs'),
      placeHolder:
        tests.size === 0
          ? l10n.t('No test has runs that match the other filters. Change the other filters first.')
          : l10n.t("Which test's runs do you want to see?"),
    },
  );
}

/** Returns the newest runs that match the other conditions. */
async function newestRuns(others: RunsFilter, { client, clock }: Editor): Promise<Run[]> {
  const query = queryOf(others, sinceOf(others, clock.now()));
  const found: Run[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const read = await client.call('listRuns', { ...query, limit: 100, ...(cursor !== undefined && { cursor }) });
    found.push(...read.items);
    cursor = read.nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}
