import { sql, type RawBuilder } from 'kysely';
import type { EndedBy } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { ListRuns, Run } from '../../contract/runs.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import type { Signer } from '../basics/signing.ts';
import { writeCursor } from '../store/cursor.ts';
import { readPage } from '../store/keyset.ts';
import type { Store } from '../store/store.ts';
import type { Catalogue } from './catalogue.ts';

interface RunListRow {
  readonly id: string;
  readonly kind: Run['kind'];
  readonly name: string | null;
  readonly outcome: RunOutcome | null;
  readonly phone_number: string;
  readonly config_id: string | null;
  readonly catalogue_test_id: string | null;
  readonly started_at: Date;
  readonly completed_at: Date | null;
  readonly ended_by: EndedBy | null;
  readonly consented_by: string | null;
  readonly guided: boolean | null;
  readonly load: Run['load'] | null;
}

const common = sql`runs.id, runs.phone_number, runs.config_id, runs.started_at, runs.completed_at`;
const nameOfTest = sql`(SELECT tests.name FROM tests WHERE tests.id = runs.config_id AND tests.workspace_id = runs.workspace_id)`;

/** Both kinds of runs with the same columns. Only test runs that broke down have a cause of their end. */
const testRuns = (
  workspaceId: string,
) => sql<RunListRow>`(SELECT ${common}, run_type AS kind, outcome, catalogue_test_id,
  coalesce(${nameOfTest}, config_name) AS name, consented_by, (result ->> 'guided')::boolean AS guided,
  CASE WHEN outcome = 'ERROR' THEN result ->> 'endedBy' END AS ended_by, NULL::jsonb AS load
  FROM test_runs AS runs WHERE runs.workspace_id = ${workspaceId}::uuid)`;

/** A load test has an outcome if it was judged. One that ended early has failed only if that is certain. */
const loadTests = (workspaceId: string) => sql<RunListRow>`(SELECT ${common}, 'load' AS kind,
  CASE WHEN status = 'running' THEN NULL
    WHEN stats -> 'verdict' ->> 'outcome' = 'fail' THEN 'FAIL'
    WHEN status <> 'completed' THEN 'ERROR'
    WHEN stats -> 'verdict' ->> 'outcome' = 'pass' THEN 'PASS'
    WHEN stats -> 'verdict' ->> 'outcome' = 'inconclusive' THEN 'INCONCLUSIVE' END AS outcome,
  shape ->> 'catalogueTestId' AS catalogue_test_id, ${nameOfTest} AS name, NULL::text AS consented_by, NULL::boolean AS guided, ended_by,
  jsonb_strip_nulls(jsonb_build_object('concurrency', concurrency, 'answered', progress -> 'answered',
    'setupSuccess', stats -> 'setupSuccess', 'reason', reason, 'reasonParts', reason_parts)) AS load
  FROM load_tests AS runs WHERE runs.workspace_id = ${workspaceId}::uuid)`;

/** Runs of all kinds in one list, with what they have in common. */
export class RunList {
  readonly #store: Store;
  readonly #signer: Signer;
  readonly #catalogue: Pick<Catalogue, 'list'>;

  constructor(store: Store, signer: Signer, catalogue: Pick<Catalogue, 'list'>) {
    this.#store = store;
    this.#signer = signer;
    this.#catalogue = catalogue;
  }

  /** By start, newest first. */
  async list(workspaceId: string, { cursor, limit, ...filters }: ListRuns): Promise<OperationOutput<'listRuns'>> {
    const scope = `${workspaceId} all runs`;
    // Each table is read through its own index, from the same position on.
    const pages = await Promise.all(
      [testRuns(workspaceId), loadTests(workspaceId)].map((runs) =>
        readPage<RunListRow>(this.#filtered(runs, filters), {
          signer: this.#signer,
          scope,
          direction: 'desc',
          limit,
          cursor,
          type: 'time',
          key: sql.ref('started_at'),
          id: sql.ref('id'),
          keyOf: (row) => row.started_at.toISOString(),
        }),
      ),
    );
    const found = pages.flatMap(({ rows }) => rows).sort(newestFirst);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const hasMore = found.length > limit || pages.some(({ nextCursor }) => nextCursor !== undefined);
    return {
      items: await this.#shown(rows),
      ...(hasMore &&
        last && {
          nextCursor: writeCursor(this.#signer, `${scope} desc`, { key: last.started_at.toISOString(), id: last.id }),
        }),
    };
  }

  /** Rejects with HumanError 404. */
  async get(workspaceId: string, id: string): Promise<Run> {
    const rows = await Promise.all(
      [testRuns(workspaceId), loadTests(workspaceId)].map((runs) =>
        this.#filtered(runs, {}).where('id', '=', id).execute(),
      ),
    );
    const [run] = await this.#shown(rows.flat());
    if (!run)
      throw new HumanError("This run doesn't exist. List the runs to find the right one.", {
        status: 404,
        code: 'not_found',
      });
    return run;
  }

  #filtered(
    runs: RawBuilder<RunListRow>,
    { kind, outcome, phoneNumber, configId, startedAfter, startedBefore }: Omit<ListRuns, 'cursor' | 'limit'>,
  ) {
    let query = this.#store.db.selectFrom(runs.as('runs')).selectAll();
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    if (phoneNumber !== undefined) query = query.where('phone_number', '=', phoneNumber);
    if (configId !== undefined) query = query.where('config_id', '=', configId);
    if (startedAfter !== undefined) query = query.where('started_at', '>', new Date(startedAfter));
    if (startedBefore !== undefined) query = query.where('started_at', '<', new Date(startedBefore));
    return query;
  }

  async #shown(rows: readonly RunListRow[]): Promise<Run[]> {
    const isProbe = rows.some(({ catalogue_test_id: id }) => id !== null);
    const probes = new Map(isProbe ? (await this.#catalogue.list()).map(({ id, title }) => [id, title]) : []);
    return rows.map((row) => toRun(row, row.name ?? probes.get(row.catalogue_test_id ?? '')));
  }
}

const newestFirst = (one: RunListRow, other: RunListRow): number =>
  other.started_at.getTime() - one.started_at.getTime() || (one.id < other.id ? 1 : -1);

const toRun = (row: RunListRow, name: string | undefined): Run => ({
  id: row.id,
  kind: row.kind,
  status: row.completed_at ? 'completed' : 'running',
  phoneNumber: row.phone_number,
  startedAt: row.started_at.toISOString(),
  ...(name !== undefined && { name }),
  ...(row.outcome !== null && { outcome: row.outcome }),
  ...(row.config_id !== null && { configId: row.config_id }),
  ...(row.catalogue_test_id !== null && { catalogueTestId: row.catalogue_test_id }),
  ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
  ...(row.ended_by !== null && { endedBy: row.ended_by }),
  ...(row.consented_by !== null && { consentedBy: row.consented_by }),
  ...(row.guided === true && { guided: true }),
  ...(row.load && { load: row.load }),
});
