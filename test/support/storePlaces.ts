import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { DataFolder } from '../../src/service/store/folder.ts';
import type { Store } from '../../src/service/store/store.ts';
import { useOperatorStore } from '../../src/service/transfer/operatorStore.ts';
import { serviceAssets } from './serviceAssets.ts';
import type { ServiceFixture } from './serviceFixture.ts';
import { JsonProcess } from './serviceProcess.ts';
import { onPostgres } from './testStore.ts';

/** A store and its folder of recordings. */
export interface Place {
  readonly path: string;
  readonly databaseUrl: string | undefined;
}

export const program = new URL('../../src/cli/dialtree.ts', import.meta.url);

/**
 * Stores on either engine, used like an operator uses them and served by the command line. They are removed with the
 * fixture.
 */
export class StorePlaces {
  readonly #fixture: ServiceFixture;
  readonly #children: JsonProcess[] = [];

  constructor(fixture: ServiceFixture) {
    this.#fixture = fixture;
  }

  async make(shared = onPostgres()): Promise<Place> {
    const path = await this.#fixture.folder();
    return { path, databaseUrl: shared ? (await this.#fixture.databaseOf(path)).url : undefined };
  }

  /** Writes no export, because the place is removed with its test. Commands in separate processes write theirs. */
  async use<Result>(
    { path, databaseUrl }: Place,
    work: (store: Store, folder: DataFolder) => Promise<Result>,
  ): Promise<Result> {
    const folder = new DataFolder(path);
    return await useOperatorStore(
      { folder, databaseUrl, create: true, assetsDir: (await serviceAssets()).assetsDir, isLate: () => true },
      (store) => work(store, folder),
    );
  }

  /** Returns the options of a command that uses this place. */
  async options({ path, databaseUrl }: Place): Promise<string[]> {
    return [
      '--data',
      path,
      '--assets',
      (await serviceAssets()).assetsDir,
      ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
    ];
  }

  /** Runs `dialtree serve` on it until `work` is done. */
  async serve<Result>(place: Place, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
    const child = new JsonProcess(program, ['serve', ...(await this.options(place))]);
    this.#children.push(child);
    const result = await work(String((await child.line('ready'))['baseUrl']));
    const code = await child.kill('SIGTERM');
    if (code !== 0) throw new Error(`serve ended with ${String(code)}: ${child.errors}`);
    return result;
  }

  /** Returns the columns of each table. */
  async columns(db: Store['db']): Promise<Record<string, string[]>> {
    const { rows } = await sql<{ name: string; columns: string[] }>`
      SELECT table_name AS name, json_agg(column_name ORDER BY column_name) AS columns FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%' GROUP BY table_name ORDER BY table_name`.execute(
      db,
    );
    return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
  }

  /** Counts the rows of each table. */
  async count({ db }: Store): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of Object.keys(await this.columns(db)))
      counts[table] = Number(
        (await sql<{ n: unknown }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(db)).rows[0]?.n,
      );
    return counts;
  }

  /** Returns row counts, recordings, and files that an import left behind. */
  async contents(place: Place): Promise<{ readonly rows: Record<string, number>; readonly files: string[] }> {
    return { rows: await this.use(place, (store) => this.count(store)), files: await this.files(place) };
  }

  async files({ path }: Place): Promise<string[]> {
    const names = await readdir(path, { recursive: true });
    return names.filter((name) => name.endsWith('.wav') || name.startsWith('import-')).sort();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.splice(0).map((child) => child.kill()));
  }
}
