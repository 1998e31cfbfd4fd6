import { HumanError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Caller, Handlers, Visitor } from '../handlers.ts';
import type { Principal } from '../workspaces/principal.ts';

/** Handlers become available with the store. */
export type OpenHandlers = () => Promise<Handlers>;

export interface Asking { readonly address: string; readonly principal: Principal | undefined }

export const unauthorized = (): HumanError => new HumanError('The API key is missing or not valid. Send it in the header x-api-key.', { status: 401, code: 'unauthorized' });

/** One way in for REST and MCP: key, scope, then arguments, then the store. Rejects with HumanError or ZodError. */
export async function invoke(name: OperationName, input: unknown, { principal, address }: Asking, open: OpenHandlers): Promise<unknown> {
  const { scope, input: schema }: Operation = operations[name];
  if (scope !== 'open') {
    if (!principal) throw unauthorized();
    if (!principal.scopes.has(scope)) throw new HumanError(`This API key lacks the scope ${scope}. Use a key that has it.`, { status: 403, code: 'missing_scope', details: { scope } });
  }
  const parsed: unknown = schema.parse(input);
  const handlers = await open();
  // The table pairs each schema with its handler; the compiler cannot follow that pairing through a union of names.
  const handler = handlers[name] as (input: unknown, caller: Caller | Visitor) => Promise<unknown>;
  return await handler(parsed, principal ? { address, principal, workspaceId: principal.workspaceId } : { address });
}
