import { dialTargetSchema } from '../../../contract/common.ts';
import { runOutcomeSchema, type RunType } from '../../../contract/testRuns.ts';
import type { WallClock } from '../../basics/wallClock.ts';
import type { Choice, Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import { targetOf, targetQuestion } from '../../basics/typedTarget.ts';
import { outcomeWord, runTypeWord } from '../../basics/words/outcomeWords.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { TestNames } from '../../testing/testNames.ts';
import {
  conditionsOf,
  fitsLoad,
  kindsLeft,
  queryOf,
  showsLoads,
  sinceOf,
  spanSchema,
  spanWord,
} from '../../views/runsFilter.ts';
import type { RunsFilter } from '../../views/runsFilter.ts';

interface FilterParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly names: TestNames;
  readonly dialogs: Pick<Dialogs, 'pick' | 'ask'>;
  readonly clock: Pick<WallClock, 'now'>;
  readonly l10n: L10n;
}

/** The number of load tests that are searched for called numbers. */
const maxLoads = 100;
const testTypes: readonly RunType[] = ['standard', 'param', 'mission'];

/**
 * Adds a condition to the filter, replaces one of the same kind, or removes one that is already set. Offers only
 * conditions that some run can match.
 */
export async function pickRunsFilter(now: RunsFilter, parts: FilterParts): Promise<RunsFilter | undefined> {
  const { dialogs, names, l10n } = parts;
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
      ...(now.runType === 'load' && now.outcome === undefined
        ? []
        : runOutcomeSchema.options.map((outcome) =>
            condition(l10n.t('Outcome'), outcomeWord(outcome, l10n), 'outcome', outcome),
          )),
      // A current condition can be removed even if nothing matches it.
      ...[...new Set([...kindsLeft(now), ...(now.runType ? [now.runType] : [])])].map((kind) =>
        condition(l10n.t('Kind'), runTypeWord(kind, l10n), 'runType', kind),
      ),
      ...spanSchema.options.map((span) => condition(ofTime, spanWord(span, l10n), 'within', span)),
      ...(now.phoneNumber === undefined ? [] : [held(ofNumber, now.phoneNumber, 'phoneNumber')]),
      {
        group: ofNumber,
        label: now.phoneNumber === undefined ? l10n.t('Choose a number…') : l10n.t('Choose another number…'),
        value: () => pickNumber(but('phoneNumber'), parts),
      },
      ...(now.configId === undefined
        ? []
        : [held(ofTest, names.of({ configId: now.configId, phoneNumber: l10n.t('one test') }), 'configId')]),
      ...(now.runType === 'compliance'
        ? []
        : [
            {
              group: ofTest,
              label: now.configId === undefined ? l10n.t('Choose a test…') : l10n.t('Choose another test…'),
              value: () => pickTest(but('configId'), parts),
            },
          ]),
    ],
    { title: l10n.t('Filter Runs'), placeHolder: l10n.t('Which runs do you want to see?') },
  );
  return step?.();
}

async function pickNumber(others: RunsFilter, parts: FilterParts): Promise<RunsFilter | undefined> {
  const { client, dialogs, clock, l10n } = parts;
  const query = queryOf(others, sinceOf(others, clock.now()));
  const [called, loads] = await Promise.all([
    query && client.call('aggregateTestRuns', { groupBy: 'phoneNumber', ...query }),
    loadsOf(others, parts),
  ]);
  const numbers = new Set([
    ...(called?.groups.map(({ key }) => key).filter((key) => dialTargetSchema.safeParse(key).success) ?? []),
    ...loads.map(({ phoneNumber }) => phoneNumber),
  ]);
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
  return typed === undefined ? undefined : { ...others, phoneNumber: targetOf(typed) };
}

async function pickTest(others: RunsFilter, parts: FilterParts): Promise<RunsFilter | undefined> {
  const { client, names, dialogs, clock, l10n } = parts;
  const since = sinceOf(others, clock.now());
  const types = testTypes.filter((type) => others.runType === undefined || others.runType === type);
  const [loads, ...counted] = await Promise.all([
    loadsOf(others, parts),
    ...types.map(async (runType) => {
      const query = queryOf({ ...others, runType }, since);
      const { groups } = query
        ? await client.call('aggregateTestRuns', { groupBy: 'configId', ...query })
        : { groups: [] };
      // Runs without a test have none.
      return groups.filter(({ key }) => key !== 'unknown').map(({ key }) => ({ configId: key, runType }));
    }),
  ]);
  const found = new Map(
    [
      ...loads.flatMap(({ configId }) => (configId === undefined ? [] : [{ configId, runType: 'standard' as const }])),
      ...counted.flat(),
    ].map((run) => [run.configId, run]),
  );
  await names.learn([...found.values()]);
  const choices = [...found.values()].map(({ configId, runType }) => ({
    label: names.of({ configId, phoneNumber: configId }),
    description: runTypeWord(runType, l10n),
    value: { ...others, configId, isMission: runType === 'mission' },
  }));
  return dialogs.pick<RunsFilter>(
    choices.sort((one, other) => one.label.localeCompare(other.label)),
    {
      title: l10n.t('Filter Runs'),
      placeHolder:
        choices.length === 0
          ? l10n.t('No test has runs that match the other filters. Change the other filters first.')
          : l10n.t("Which test's runs do you want to see?"),
    },
  );
}

async function loadsOf(others: RunsFilter, { client, clock }: FilterParts) {
  if (!showsLoads(others)) return [];
  const { items } = await client.call('listLoadTests', { limit: maxLoads });
  const since = sinceOf(others, clock.now());
  return items.filter((test) => fitsLoad(test, others, since));
}
