import { sql } from 'kysely';
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Signer } from '../basics/signing.ts';
import type { Database } from '../store/schema.ts';
import { readCursor, writeCursor } from './cursor.ts';

export interface Keyset<Row> {
  readonly signer: Signer;
  /** Names the list and its sorting: a cursor of another is refused. */
  readonly scope: string;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly key: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly type: 'time' | 'text';
  /**
   * Rows may lack the key; they come last in either direction. The database to ask, since such a page is more than one
   * query.
   */
  readonly nullableIn?: Kysely<Database>;
  readonly keyOf: (row: Row) => string | null;
}

/** What a page needs of a query builder, whatever its table. */
interface Query<Row> {
  where(expression: Expression<SqlBool>): Query<Row>;
  orderBy(expression: RawBuilder<unknown>): Query<Row>;
  limit(count: number): Query<Row>;
  execute(): Promise<Row[]>;
}

/**
 * A page by keyset: what comes after the last row of the page before, in the order of key and id. Rows that are
 * inserted meanwhile move no other row to another page.
 */
export async function readPage<Row extends { readonly id: string }>(
  query: unknown,
  keyset: Keyset<Row>,
): Promise<{ readonly rows: Row[]; readonly nextCursor?: string }> {
  const { signer, direction, limit, cursor, key, id, type } = keyset;
  const scope = `${keyset.scope} ${direction}`;
  const order = sql.raw(direction);
  const all = query as Query<Row>;
  const after = cursor === undefined ? undefined : readCursor(signer, scope, cursor);
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  const value = type === 'time' ? sql`${after?.key}::timestamptz` : sql`${after?.key}::text`;
  const cut = (from: Query<Row>): Query<Row> =>
    from
      .orderBy(sql`${key} ${order}`)
      .orderBy(sql`${id} ${order}`)
      .limit(limit + 1);

  const withKey = (): Query<Row> =>
    after === undefined ? all : all.where(sql<SqlBool>`(${key}, ${id}) ${beyond} (${value}, ${after.id}::uuid)`);
  const withoutKey = (): Query<Row> =>
    all.where(
      after?.key === null
        ? sql<SqlBool>`(${key} IS NULL AND ${id} ${beyond} ${after.id}::uuid)`
        : sql<SqlBool>`${key} IS NULL`,
    );
  // Each half is a range of an index, which the two together are not. One statement, so that a run that ends meanwhile
  // is in one of them.
  const halves = async (db: Kysely<Database>): Promise<Row[]> => {
    const keyed = cut(withKey().where(sql<SqlBool>`${key} IS NOT NULL`));
    const { rows } =
      await sql<Row>`SELECT * FROM ${keyed} AS keyed UNION ALL SELECT * FROM ${cut(withoutKey())} AS unkeyed ORDER BY ${key} ${order} NULLS LAST, ${id} ${order} LIMIT ${limit + 1}`.execute(
        db,
      );
    return rows;
  };
  const found =
    after?.key === null
      ? await cut(withoutKey()).execute()
      : keyset.nullableIn
        ? await halves(keyset.nullableIn)
        : await cut(withKey()).execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > limit &&
      last && { nextCursor: writeCursor(signer, scope, { key: keyset.keyOf(last), id: last.id }) }),
  };
}
