import { sql } from 'kysely';
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Signer } from '../basics/signing.ts';
import type { Database } from './schema.ts';
import { readCursor, writeCursor } from './cursor.ts';

interface Keyset<Row> {
  readonly signer: Signer;
  /** Identifies the list and its sorting. Other lists' cursors are refused. */
  readonly scope: string;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly key: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly type: 'time' | 'text';
  /** If rows can lack the key: they come last in either direction. The database, because a page takes two queries. */
  readonly nullableIn?: Kysely<Database>;
  readonly keyOf: (row: Row) => string | null;
}

/** The part of a query builder that a page needs, for any table. */
interface Query<Row> {
  where(expression: Expression<SqlBool>): Query<Row>;
  orderBy(expression: RawBuilder<unknown>): Query<Row>;
  limit(count: number): Query<Row>;
  execute(): Promise<Row[]>;
}

/**
 * Reads a page by keyset: the rows after the last row of the previous page, in the order of key and id. Inserted rows
 * move no other row to another page.
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
  // Each half is a range of an index; the combination isn't. One statement, so that a run that ends in the meantime is
  // in one of them.
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
