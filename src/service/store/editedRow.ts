import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { HumanError } from '../../contract/errors.ts';

/** Rejects an edit or launch of a test whose version isn't the current one (compare RFC 9110, section 13.1.4). */
export function assertVersion(what: string, updatedAt: Date, expected: string | undefined): void {
  if (expected === undefined || Date.parse(expected) === updatedAt.getTime()) return;
  throw new HumanError(`This ${what} has changed since you read it. Read it again before you continue.`, {
    status: 409,
    code: 'edited_since',
    details: { updatedAt: updatedAt.toISOString() },
  });
}

/** Returns the part of an edit that differs from the stored row. Undefined properties aren't edited. */
export function differing<Row extends object, Column extends keyof Row>(
  held: Row,
  edit: { readonly [Key in Column]: Row[Key] | undefined },
): Partial<Pick<Row, Column>> {
  const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(edit).filter(
      ([column, value]) => value !== undefined && !isDeepStrictEqual(stored(held[column as Column]), stored(value)),
    ),
  ) as Partial<Pick<Row, Column>>;
}

/** Each edit has a unique time, even if two happen within one millisecond. */
export const editedAt = (now: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`;
