import * as z from 'zod';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { dialTargetSchema } from '../../contract/common.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { runOutcomeSchema, runTypeSchema } from '../../contract/testRuns.ts';
import type { AggregateTestRuns, RunType, TestRun } from '../../contract/testRuns.ts';
import type { L10n } from '../basics/localise.ts';
import { outcomeWord, runTypeWord } from '../basics/words/outcomeWords.ts';

/** The period of runs to show: since midnight, or this many days to the minute. */
export const spanSchema = z.enum(['today', 'week', 'month']);
type Span = z.output<typeof spanSchema>;

const conditions = {
  outcome: runOutcomeSchema.optional(),
  /** Load tests are a separate kind, and have no outcome. */
  runType: z.union([runTypeSchema, z.literal('load')]).optional(),
  phoneNumber: dialTargetSchema.optional(),
  configId: z.uuid().optional(),
  /** Whether it is a mission, if known. */
  isMission: z.boolean().optional(),
  within: spanSchema.optional(),
};
/** The conditions that the user chooses. A run must match all of them. */
export const conditionsSchema = z.object(conditions).strict();
type RunKind = RunType | 'load';

export interface RunsFilter extends z.output<typeof conditionsSchema> {
  /** ISO 8601. Leaves out runs that started at this time or later: how far back the user has scrolled. */
  readonly startedBefore?: string;
}

/** Returns only the conditions. Absent properties leave nothing out. */
export function conditionsOf({ outcome, runType, phoneNumber, configId, isMission, within }: RunsFilter): RunsFilter {
  const ofTest = configId === undefined ? {} : { configId, isMission };
  return withoutUndefined({ outcome, runType, phoneNumber, ...ofTest, within });
}

const dayMs = 86_400_000;
const days = { week: 7, month: 30 } as const;

/** In milliseconds since 1970. Runs that started at this time or before are left out. */
export function sinceOf({ within }: RunsFilter, now: number): number | undefined {
  if (within === undefined) return undefined;
  return within === 'today' ? new Date(now).setHours(0, 0, 0, 0) - 1 : now - days[within] * dayMs;
}

/** Returns the query for the service, or undefined if the service has no runs of this kind in its list. */
export function queryOf(
  { outcome, runType, phoneNumber, configId, startedBefore }: RunsFilter,
  since: number | undefined,
): Omit<AggregateTestRuns, 'groupBy' | 'timeBucket'> | undefined {
  if (runType === 'load') return undefined;
  const startedAfter = since === undefined ? undefined : new Date(since).toISOString();
  return withoutUndefined({ outcome, runType, phoneNumber, configId, startedAfter, startedBefore });
}

export const showsLoads = ({ outcome, runType, isMission }: RunsFilter): boolean =>
  outcome === undefined && (runType === undefined || runType === 'load') && isMission !== true;

export function fitsRun(run: TestRun, filter: RunsFilter, since: number | undefined): boolean {
  const { outcome, runType } = filter;
  return (
    (outcome === undefined || run.outcome === outcome) &&
    (runType === undefined || run.runType === runType) &&
    isConcerned(run, filter, since)
  );
}

export const fitsLoad = (test: LoadTest, filter: RunsFilter, since: number | undefined): boolean =>
  showsLoads(filter) && isConcerned(test, filter, since);

function isConcerned(
  run: Pick<TestRun, 'phoneNumber' | 'configId' | 'startedAt'>,
  { phoneNumber, configId, startedBefore }: RunsFilter,
  since: number | undefined,
): boolean {
  const at = Date.parse(run.startedAt);
  return (
    (phoneNumber === undefined || run.phoneNumber === phoneNumber) &&
    (configId === undefined || run.configId === configId) &&
    (since === undefined || at > since) &&
    (startedBefore === undefined || at < Date.parse(startedBefore))
  );
}

/** Returns the kinds of runs that can match the other conditions. */
export function kindsLeft({ outcome, configId, isMission }: RunsFilter): RunKind[] {
  return [...runTypeSchema.options, 'load' as const].filter(
    (kind) =>
      !(kind === 'load' && outcome !== undefined) &&
      !(configId !== undefined && kind === 'compliance') &&
      !(configId !== undefined && isMission !== undefined && isMission !== (kind === 'mission')),
  );
}

/** Returns why no run can match, or undefined if one can. */
export function contradictionIn(filter: RunsFilter, l10n: L10n): string | undefined {
  const { outcome, runType } = filter;
  if (runType === undefined || kindsLeft(filter).includes(runType)) return undefined;
  if (runType === 'load' && outcome !== undefined)
    return l10n.t('Load tests have no outcome, so no run matches this filter.');
  return l10n.t('The test has no runs of the type “{0}”, so no run matches this filter.', runTypeWord(runType, l10n));
}

interface FilterWords {
  readonly l10n: L10n;
  readonly moment: (iso: string) => string;
  readonly nameOf: (configId: string) => string;
}

/** Describes the filter in a word or two, or returns undefined if everything is shown. */
export function filterText(
  { outcome, runType, phoneNumber, configId, within, startedBefore }: RunsFilter,
  { l10n, moment, nameOf }: FilterWords,
): string | undefined {
  const words = [
    outcome && outcomeWord(outcome, l10n),
    runType && runTypeWord(runType, l10n),
    phoneNumber,
    configId === undefined ? undefined : nameOf(configId),
    within && spanWord(within, l10n),
    startedBefore === undefined ? undefined : l10n.t('up to {0}', moment(startedBefore)),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(', ');
}

export function spanWord(span: Span, l10n: L10n): string {
  switch (span) {
    case 'today':
      return l10n.t('today');
    case 'week':
      return l10n.t('last 7 days');
    case 'month':
      return l10n.t('last 30 days');
  }
}
