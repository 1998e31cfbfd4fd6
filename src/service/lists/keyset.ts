import { sql } from 'kysely';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { Signer } from '../signing.ts';
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
  /** Rows may lack the key; they come last in either direction. */
  readonly nullable?: boolean;
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
 * A page by keyset: what comes after the last row of the page before, in the order of key and id. Rows that are inserted meanwhile move
 * no other row to another page.
 */
export async function readPage<Row extends { readonly id: string }>(query: unknown, keyset: Keyset<Row>): Promise<{ readonly rows: Row[]; readonly nextCursor?: string }> {
  const { signer, direction, limit, cursor, key, id, type } = keyset;
  const scope = `${keyset.scope} ${direction}`;
  const order = sql.raw(direction);
  let page = query as Query<Row>;
  if (cursor !== undefined) {
    const after = readCursor(signer, scope, cursor);
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    const value = type === 'time' ? sql`${after.key}::timestamptz` : sql`${after.key}::text`;
    const behind = after.key === null ? sql<SqlBool>`(${key} IS NULL AND ${id} ${beyond} ${after.id}::uuid)`
      : keyset.nullable === true ? sql<SqlBool>`((${key}, ${id}) ${beyond} (${value}, ${after.id}::uuid) OR ${key} IS NULL)`
        : sql<SqlBool>`(${key}, ${id}) ${beyond} (${value}, ${after.id}::uuid)`;
    page = page.where(behind);
  }
  const found = await page.orderBy(keyset.nullable === true ? sql`${key} ${order} NULLS LAST` : sql`${key} ${order}`).orderBy(sql`${id} ${order}`).limit(limit + 1).execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, ...(found.length > limit && last && { nextCursor: writeCursor(signer, scope, { key: keyset.keyOf(last), id: last.id }) }) };
}
