import { sql } from 'kysely';
import type { Store } from '../../src/service/store/store.ts';

export interface FilledRuns {
  readonly count: number;
  /** One run in this many is still running; none if absent. */
  readonly runningOneIn?: number;
}

/**
 * Writes runs over two years, up to November 2026: four types, four outcomes, 40 tests, 30 numbers, 60 probes, results
 * of 2.5 kB.
 */
export async function fillRuns(
  store: Store,
  workspaceId: string,
  { count, runningOneIn = count + 1 }: FilledRuns,
): Promise<void> {
  const batch = Math.ceil(count / 10);
  await store.write(async (transaction) => {
    for (let first = 0; first < count; first += batch) {
      await sql`
        INSERT INTO test_runs (id, workspace_id, run_type, outcome, phone_number, config_id, catalogue_test_id, config_name, started_at, completed_at, result)
        SELECT gen_random_uuid(), ${workspaceId}::uuid, type, CASE WHEN (n + 1) % ${runningOneIn}::int > 0 THEN (ARRAY['PASS', 'PASS', 'PASS', 'FAIL', 'FAIL', 'ERROR', 'INCONCLUSIVE'])[1 + n * 7919 % 7] END,
          '+120255501' || lpad((n * 31 % 30)::text, 2, '0'),
          CASE WHEN type <> 'compliance' THEN ('00000000-0000-4000-8000-' || lpad((n * 17 % 40)::text, 12, '0'))::uuid END,
          CASE WHEN type = 'compliance' THEN 'probe-' || n * 13 % 60 END,
          CASE WHEN type IN ('standard', 'param') THEN 'Billing ' || n * 17 % 40 END,
          began, CASE WHEN (n + 1) % ${runningOneIn}::int > 0 THEN began + make_interval(secs => 20 + n % 100) END,
          jsonb_build_object('steps', (SELECT jsonb_agg(jsonb_build_object('name', 'step ' || step, 'outcome', 'PASS', 'similarity', 0.9 + step / 100.0, 'transcript', md5((n + step)::text) || ' press one for ' || md5((n * step)::text),
            'words', jsonb_build_array(jsonb_build_object('word', 'press', 'startMs', n % 1000, 'endMs', n % 1000 + 80), jsonb_build_object('word', 'one', 'startMs', n % 1000 + 90, 'endMs', n % 1000 + 150)))) FROM generate_series(1, 8) AS step))
        FROM (SELECT n, (ARRAY['mission', 'compliance', 'standard', 'param'])[1 + n / 3 % 4] AS type, timestamptz '2024-11-21Z' + make_interval(secs => n::float8 * 2 * 365 * 86400 / ${count}::int) AS began
          FROM generate_series(${first}::int, ${Math.min(count, first + batch) - 1}::int) AS n) AS made`.execute(
        transaction,
      );
    }
  });
}
