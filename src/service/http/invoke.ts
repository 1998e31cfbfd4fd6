import { HumanError } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Principal } from '../apiKeys.ts';
import type { Handlers } from '../mapping/handlers.ts';

/** Handlers become available with the store. */
export type OpenHandlers = () => Promise<Handlers>;

/** One way in for REST and MCP: scope, then arguments, then the store. Rejects with HumanError or ZodError. */
export async function invoke(name: OperationName, input: unknown, principal: Principal, open: OpenHandlers): Promise<unknown> {
  const { scope, input: schema } = operations[name];
  if (!principal.scopes.has(scope)) {
    throw new HumanError(`This API key lacks the scope ${scope}. Use a key that has it.`, { status: 403, code: 'missing_scope', details: { scope } });
  }
  const parsed: unknown = schema.parse(input);
  const handlers = await open();
  // The table pairs each schema with its handler; the compiler cannot follow that pairing through a union of names.
  const handler = handlers[name] as (input: unknown, workspaceId: string) => Promise<unknown>;
  return await handler(parsed, principal.workspaceId);
}
