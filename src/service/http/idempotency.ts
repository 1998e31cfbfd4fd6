import { createHash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { ZodError } from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import { returnsSecret } from '../../contract/operation.ts';
import { operations, type OperationName } from '../../contract/operations.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { lockWorkspace } from '../workspaces/keys.ts';
import { assertQuota } from '../workspaces/meters.ts';

/** A workspace's request with a key, so that it can be sent again without being carried out again. */
export interface NamedRequest {
  readonly workspaceId: string;
  readonly key: string;
  readonly operation: OperationName;
  readonly input: unknown;
}

const shownOnce = new Map<OperationName, boolean>();
/**
 * Returns true if the response contains a secret, which is never stored. Found out when it is first asked, because the
 * schemas of all responses would take a tenth of the service's start.
 */
function isShownOnce(name: OperationName): boolean {
  const known = shownOnce.get(name) ?? returnsSecret(operations[name]);
  shownOnce.set(name, known);
  return known;
}

/** Rejects with HumanError 400 `idempotency_key` if the response can't be stored for a repeated request. */
export function assertRepeatable(operation: OperationName): void {
  if (isShownOnce(operation))
    throw new HumanError(
      "The response to this request contains a secret, so it isn't stored and can't be repeated. Send the request without Idempotency-Key.",
      { status: 400, code: 'idempotency_key' },
    );
}

/**
 * Runs `work` once for each `Idempotency-Key` of a workspace within a day. A repeated request gets the first response.
 * A failed request wasn't carried out, and can be sent again.
 * @throws HumanError 400 `idempotency_key`; 409 `idempotency_mismatch` for a different request with the key,
 *   `idempotency_unfinished` while the first is in progress or if it was interrupted, `quota_exceeded`
 */
export async function doOnce(
  store: Store,
  now: () => Date,
  { workspaceId, key, operation, input }: NamedRequest,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new HumanError(
      "This Idempotency-Key isn't valid. Use 1 to 255 printable ASCII characters without spaces, such as a UUID.",
      {
        status: 400,
        code: 'idempotency_key',
      },
    );
  // A hash would reveal a secret of a few digits. A column or variable of this name isn't one.
  const { secrets: _secrets, ...open } = input as { readonly secrets?: unknown };
  const hash = createHash('sha256')
    .update(`${operation}\n${JSON.stringify(open)}`)
    .digest('hex');
  const row = { workspace_id: workspaceId, key };
  const isRow = (names: ExpressionBuilder<Database, 'idempotency_keys'>) => names.and(row);
  const first = await store.write(async (transaction) => {
    await transaction
      .deleteFrom('idempotency_keys')
      .where('at', '<=', new Date(now().getTime() - serverLimits.idempotencySeconds * 1000))
      .execute();
    const workspace = await lockWorkspace(transaction, workspaceId);
    const inserted = await transaction
      .insertInto('idempotency_keys')
      .values({ ...row, request_sha256: hash, at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst();
    if (inserted) await assertQuota(transaction, workspace, { answers: 1, answerBytes: 0 });
    return inserted;
  });
  if (!first) {
    const before = await store.db.selectFrom('idempotency_keys').selectAll().where(isRow).executeTakeFirst();
    if (before && before.request_sha256 !== hash)
      throw new HumanError(
        'This Idempotency-Key was already used for a different request. Use a new one for each request.',
        {
          status: 409,
          code: 'idempotency_mismatch',
        },
      );
    if (!before?.answer)
      throw new HumanError(
        'The first request with this Idempotency-Key is still running, or was interrupted. Check whether that request took effect before you send it again with another key.',
        { status: 409, code: 'idempotency_unfinished' },
      );
    return before.answer.result;
  }
  try {
    const result = await work();
    await store.db
      .updateTable('idempotency_keys')
      .set({ answer: JSON.stringify({ result }) })
      .where(isRow)
      .execute();
    await store.sync();
    return result;
  } catch (error) {
    // An internal error can occur after the work was done, so that key stays unfinished.
    if (error instanceof ZodError || (error instanceof HumanError && error.status < 500))
      await store.db.deleteFrom('idempotency_keys').where(isRow).execute();
    throw error;
  }
}
