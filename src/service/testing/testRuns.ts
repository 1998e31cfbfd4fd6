import { because, reasonOf } from '../../base/sentences.ts';
import { reasonOfVerdict } from '../store/storedPlan.ts';
import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type {
  Aggregate,
  AggregateTestRuns,
  ListTestRuns,
  MissionTestRun,
  RunResults,
  StepResult,
  TestRun,
  Turn,
} from '../../contract/testRuns.ts';
import { readPage } from '../store/keyset.ts';
import type { AudioAddress } from '../mapping/tree.ts';
import type { Signer } from '../basics/signing.ts';
import type { Database, TestRunRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** The columns for lists. Results, which are most of a row, aren't read. */
const listed = [
  'id',
  'run_type',
  'outcome',
  'phone_number',
  'config_id',
  'catalogue_test_id',
  'started_at',
  'completed_at',
  'consented_by',
] as const;
const ofResult = [
  // Only runs that broke down have a cause.
  sql<EndedBy | null>`case when outcome = 'ERROR' then result ->> 'endedBy' end`.as('ended_by'),
  sql<boolean | null>`(result ->> 'guided')::boolean`.as('guided'),
] as const;
type Listed = Pick<TestRunRow, (typeof listed)[number]>;
type ListedRow = Listed & { readonly ended_by?: EndedBy | null; readonly guided?: boolean | null };
type Runs<Output> = SelectQueryBuilder<Database, 'test_runs', Output>;
type Filters = Pick<
  ListTestRuns,
  'runType' | 'outcome' | 'phoneNumber' | 'configId' | 'catalogueTestId' | 'startedAfter' | 'startedBefore'
>;

const columns = {
  outcome: 'outcome',
  runType: 'run_type',
  configId: 'config_id',
  catalogueTestId: 'catalogue_test_id',
  phoneNumber: 'phone_number',
} as const;
/** ISO 8601 in UTC: a week belongs to the year of its Thursday. */
const bucketForms = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' } as const;
/** Starting on a Monday. A UTC day always has 24 hours. */
const bin = (width: '1 day' | '7 days') =>
  sql<Date>`date_bin(interval '${sql.raw(width)}', started_at, timestamptz '2000-01-03 00:00:00Z')`;
const bins = {
  day: bin('1 day'),
  week: bin('7 days'),
  month: sql<Date>`date_trunc('month', started_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
} as const;
const named = (part: string | undefined, column: string) =>
  sql<boolean>`position(lower(${part}::text) in lower(${sql.ref(column)})) > 0`;
const unknownKey = 'unknown';
/** The id of the whole call in a run's recordings. */
export const wholeCallId = 'call';

/** Runs of tests: their lists, counts and results. */
export class TestRuns {
  readonly #store: Store;
  readonly #signer: Signer;
  readonly #audioUrl: AudioAddress;

  constructor(store: Store, signer: Signer, audioUrl: AudioAddress) {
    this.#store = store;
    this.#audioUrl = audioUrl;
    this.#signer = signer;
  }

  async list(workspaceId: string, input: ListTestRuns): Promise<OperationOutput<'listTestRuns'>> {
    let query = filtered(this.#store.db.selectFrom('test_runs').select([...listed, ...ofResult]), workspaceId, input);
    if (input.configName !== undefined || input.configPhoneNumber !== undefined)
      query = query.where('run_type', 'in', ['standard', 'param']);
    // By the earlier and the current name, because a renamed test is the same test.
    if (input.configName !== undefined)
      query = query.where((where) =>
        where.or([
          named(input.configName, 'test_runs.config_name'),
          where.exists(
            where
              .selectFrom('tests')
              .select('tests.id')
              .whereRef('tests.id', '=', 'test_runs.config_id')
              .whereRef('tests.workspace_id', '=', 'test_runs.workspace_id')
              .where(named(input.configName, 'tests.name')),
          ),
        ]),
      );
    if (input.testConfigId !== undefined)
      query = query.where('config_id', '=', input.testConfigId).where('run_type', 'in', ['standard', 'param']);
    if (input.completedAfter !== undefined) query = query.where('completed_at', '>', new Date(input.completedAfter));
    if (input.completedBefore !== undefined) query = query.where('completed_at', '<', new Date(input.completedBefore));
    if (input.configPhoneNumber !== undefined)
      query = query.where(sql<boolean>`position(${input.configPhoneNumber}::text in phone_number) > 0`);
    const byEnd = input.sort === 'completedAt';
    const { rows, nextCursor } = await readPage<ListedRow>(query, {
      signer: this.#signer,
      scope: `${workspaceId} runs ${input.sort}`,
      direction: input.sortDir,
      limit: input.limit,
      cursor: input.cursor,
      type: 'time',
      id: sql.ref('id'),
      key: sql.ref(byEnd ? 'completed_at' : 'started_at'),
      ...(byEnd && { nullableIn: this.#store.db }),
      keyOf: (row) => (byEnd ? row.completed_at : row.started_at)?.toISOString() ?? null,
    });
    return { items: rows.map(toTestRun), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** Groups by count, the largest first, then by name. The total also counts groups that are cut off. */
  async aggregate(workspaceId: string, input: AggregateTestRuns): Promise<Aggregate> {
    const { db } = this.#store;
    const unknown = sql.lit(unknownKey);
    // Ids become text after the counting, because converting each row would take longer than the counting.
    const field =
      input.groupBy === 'configId'
        ? sql<string | null>`config_id`
        : sql<string | null>`coalesce(${sql.ref(columns[input.groupBy])}, ${unknown})`;
    const bin = input.timeBucket === undefined ? sql<Date | null>`null::timestamptz` : bins[input.timeBucket];
    const form = input.timeBucket === undefined ? '' : bucketForms[input.timeBucket];
    const counted = filtered(
      db
        .selectFrom('test_runs')
        .select([
          field.as('field'),
          bin.as('bin'),
          sql<string>`count(*)`.as('rows'),
          sql<string>`sum(count(*)) over ()`.as('total'),
        ]),
      workspaceId,
      input,
    )
      .groupBy(input.timeBucket === undefined ? [sql`1`] : [sql`1`, sql`2`])
      .orderBy(sql`3 desc`)
      .orderBy(sql`2 desc nulls last`)
      .orderBy(sql`1`)
      .limit(serverLimits.aggregateGroups + 1);
    const groups = await db
      .selectFrom(counted.as('counted'))
      .select([
        sql<string>`coalesce(field::text, ${unknown})`.as('key'),
        sql<string | null>`to_char(bin AT TIME ZONE 'UTC', ${sql.lit(form)})`.as('bucket'),
        'rows as count',
        'total',
      ])
      .orderBy(sql`rows desc`)
      .orderBy(sql`bin desc nulls last`)
      .orderBy(sql`field`)
      .execute();
    const total = Number(groups[0]?.total ?? 0);
    return {
      total,
      groups: groups.slice(0, serverLimits.aggregateGroups).map((group) => ({
        key: group.key,
        ...(group.bucket !== null && { bucket: group.bucket }),
        count: Number(group.count),
        share: Number(group.count) / total,
      })),
      truncated: groups.length > serverLimits.aggregateGroups,
    };
  }

  /** In the order in which they are performed. */
  async byIds(workspaceId: string, ids: readonly string[]): Promise<TestRun[]> {
    const rows = await this.#store.db
      .selectFrom('test_runs')
      .select([...listed, ...ofResult])
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .orderBy('position')
      .execute();
    return rows.map(toTestRun);
  }

  async results(workspaceId: string, runId: string): Promise<RunResults> {
    const row = await this.#find(workspaceId, runId);
    if (!row)
      throw new HumanError(
        "This test run doesn't exist. List the runs to find the right one; use getLoadTest for load tests.",
        { status: 404, code: 'not_found' },
      );
    const { mission: _mission, recorded, ...result } = row.result;
    return {
      ...toTestRun(row),
      ...result,
      ...(row.run_type === 'mission' && { steps: missionSteps(row) }),
      ...(recorded === true && { audioUrl: this.#audioUrl(row.id, wholeCallId) }),
    };
  }

  async mission(workspaceId: string, runId: string): Promise<MissionTestRun> {
    const row = await this.#find(workspaceId, runId);
    if (row?.run_type !== 'mission' || row.config_id === null)
      throw new HumanError("This mission run doesn't exist. Use getRunResults for runs of other types.", {
        status: 404,
        code: 'not_found',
      });
    const {
      transcript,
      mission,
      recorded,
      steps: _steps,
      row: _row,
      guided: _guided,
      hearing: _hearing,
      ...result
    } = row.result;
    return {
      id: row.id,
      configId: row.config_id,
      phoneNumber: row.phone_number,
      status: row.completed_at ? 'completed' : 'running',
      ...result,
      ...mission,
      transcript: transcript ?? [],
      startedAt: row.started_at.toISOString(),
      ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
      ...(row.consented_by !== null && { consentedBy: row.consented_by }),
      ...(recorded === true && { audioUrl: this.#audioUrl(row.id, wholeCallId) }),
    };
  }

  #find(workspaceId: string, runId: string): Promise<TestRunRow | undefined> {
    return this.#store.db
      .selectFrom('test_runs')
      .selectAll()
      .where('id', '=', runId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
  }
}

function filtered<Output>(query: Runs<Output>, workspaceId: string, input: Filters): Runs<Output> {
  let runs = query.where('workspace_id', '=', workspaceId);
  if (input.runType !== undefined) runs = runs.where('run_type', '=', input.runType);
  if (input.outcome !== undefined) runs = runs.where('outcome', '=', input.outcome);
  if (input.phoneNumber !== undefined) runs = runs.where('phone_number', '=', input.phoneNumber);
  if (input.configId !== undefined) runs = runs.where('config_id', '=', input.configId);
  if (input.catalogueTestId !== undefined) runs = runs.where('catalogue_test_id', '=', input.catalogueTestId);
  if (input.startedAfter !== undefined) runs = runs.where('started_at', '>', new Date(input.startedAfter));
  if (input.startedBefore !== undefined) runs = runs.where('started_at', '<', new Date(input.startedBefore));
  return runs;
}

/** A mission has no script. Its steps are its turns, and finally the verdict on the whole call. */
function missionSteps({ result: { transcript = [], mission, ...ended }, outcome }: TestRunRow): StepResult[] {
  const why = reasonOfVerdict(mission) ?? reasonOf(ended);
  return [
    ...transcript.map(turnStep),
    ...(outcome === null ? [] : [{ name: 'verdict', outcome, ...(why && because(why)) }]),
  ];
}

/** A turn that took place passes, like a step that expects nothing. */
const turnStep = ({ speaker, text, startMs, endMs }: Turn): StepResult => ({
  name: speaker,
  outcome: 'PASS',
  transcript: text,
  ...(startMs !== undefined && { startMs }),
  ...(endMs !== undefined && { endMs }),
});

export const toTestRun = (row: ListedRow): TestRun => ({
  id: row.id,
  runType: row.run_type,
  status: row.completed_at ? 'completed' : 'running',
  phoneNumber: row.phone_number,
  startedAt: row.started_at.toISOString(),
  ...(row.outcome !== null && { outcome: row.outcome }),
  ...(row.config_id !== null && {
    configId: row.config_id,
    ...((row.run_type === 'standard' || row.run_type === 'param') && { testConfigId: row.config_id }),
  }),
  ...(row.catalogue_test_id !== null && { catalogueTestId: row.catalogue_test_id }),
  ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
  ...(row.ended_by && { endedBy: row.ended_by }),
  ...(row.guided === true && { guided: true }),
  ...(row.consented_by !== null && { consentedBy: row.consented_by }),
});
