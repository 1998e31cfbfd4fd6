import * as z from 'zod';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { dialTargetSchema } from '../../contract/common.ts';
import { runKindSchema, type ListRuns, type Run } from '../../contract/runs.ts';
import { runOutcomeSchema } from '../../contract/testRuns.ts';
import type { L10n } from '../basics/localise.ts';
import { outcomeWord, runTypeWord } from '../basics/words/outcomeWords.ts';

/** The period of runs to show: since midnight, or this many days to the minute. */
export const spanSchema = z.enum(['today', 'week', 'month']);
type Span = z.output<typeof spanSchema>;

const conditions = {
  outcome: runOutcomeSchema.optional(),
  runType: runKindSchema.optional(),
  phoneNumber: dialTargetSchema.optional(),
  configId: z.uuid().optional(),
  /** The name of the test `configId`, if known. */
  testName: z.string().optional(),
  within: spanSchema.optional(),
};
/** The conditions that the user chooses. A run must match all of them. */
export const conditionsSchema = z.object(conditions).strict();

export interface RunsFilter extends z.output<typeof conditionsSchema> {
  /** ISO 8601. Leaves out runs that started at this time or later: how far back the user has scrolled. */
  readonly startedBefore?: string;
}

/** Returns only the conditions. Absent properties leave nothing out. */
export function conditionsOf({ outcome, runType, phoneNumber, configId, testName, within }: RunsFilter): RunsFilter {
  const ofTest = configId === undefined ? {} : { configId, testName };
  return withoutUndefined({ outcome, runType, phoneNumber, ...ofTest, within });
}

const dayMs = 86_400_000;
const days = { week: 7, month: 30 } as const;

/** In milliseconds since 1970. Runs that started at this time or before are left out. */
export function sinceOf({ within }: RunsFilter, now: number): number | undefined {
  if (within === undefined) return undefined;
  return within === 'today' ? new Date(now).setHours(0, 0, 0, 0) - 1 : now - days[within] * dayMs;
}

/** Returns the query for the service. */
export function queryOf(
  { outcome, runType: kind, phoneNumber, configId, startedBefore }: RunsFilter,
  since: number | undefined,
): Pick<ListRuns, 'kind' | 'outcome' | 'phoneNumber' | 'configId' | 'startedAfter' | 'startedBefore'> {
  const startedAfter = since === undefined ? undefined : new Date(since).toISOString();
  return withoutUndefined({ outcome, kind, phoneNumber, configId, startedAfter, startedBefore });
}

/** Returns whether the service would list the run. */
export function fits(run: Run, filter: RunsFilter, since: number | undefined): boolean {
  const { outcome, runType, phoneNumber, configId, startedBefore } = filter;
  const at = Date.parse(run.startedAt);
  return (
    (outcome === undefined || run.outcome === outcome) &&
    (runType === undefined || run.kind === runType) &&
    (phoneNumber === undefined || run.phoneNumber === phoneNumber) &&
    (configId === undefined || run.configId === configId) &&
    (since === undefined || at > since) &&
    (startedBefore === undefined || at < Date.parse(startedBefore))
  );
}

interface FilterWords {
  readonly l10n: L10n;
  readonly moment: (iso: string) => string;
}

/** Describes the filter in a word or two, or returns undefined if everything is shown. */
export function filterText(
  { outcome, runType, phoneNumber, configId, testName, within, startedBefore }: RunsFilter,
  { l10n, moment }: FilterWords,
): string | undefined {
  const words = [
    outcome && outcomeWord(outcome, l10n),
    runType && runTypeWord(runType, l10n),
    phoneNumber,
    configId === undefined ? undefined : (testName ?? l10n.t('one test')),
    within && spanWord(within, l10n),
    startedBefore === undefined ? undefined : l10n.t('up to {0}', moment(startedBefore)),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(', ');
}

export function spanWord(span: Span, l10n: L10n): string {
  return {
    today: l10n.t('today'),
    week: l10n.t('last 7 days'),
    month: l10n.t('last 30 days'),
  }[span];
}
