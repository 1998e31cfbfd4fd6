import { HumanError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations, type OperationName } from '../../contract/operations.ts';
import type { Caller, OperationHandlers, AnonymousCaller } from './operationHandlers.ts';
import { assertScope, type Principal } from '../workspaces/principal.ts';
import { parseArguments } from './issueWords.ts';
import type { Progress, Waits } from '../runs/waits.ts';

/** Handlers become available when the store is open. */
export type OpenHandlers = () => Promise<OperationHandlers>;

export interface RequestContext extends AnonymousCaller {
  readonly principal: Principal | undefined;
  readonly waits: Waits;
  /** Gets the progress of the run while the request waits. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Postgres can store all other text. */
function isStorable(input: unknown): boolean {
  const open = [input];
  for (const value of open) {
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) return false;
    if (typeof value === 'object' && value !== null) for (const entry of Object.entries(value)) open.push(...entry);
  }
  return true;
}

/** The one way in for REST and MCP: key, scope, arguments, then the store. Rejects with HumanError or ZodError. */
export async function invoke(
  name: OperationName,
  input: unknown,
  { principal, waits, onProgress, address, signal }: RequestContext,
  open: OpenHandlers,
): Promise<unknown> {
  assertScope(name, principal);
  const { input: schema }: Operation = operations[name];
  const parsed = parseArguments(schema, input);
  if (!isStorable(parsed))
    throw new HumanError("Text can't contain the character U+0000 or an unpaired surrogate. Remove it.", {
      status: 400,
      code: 'invalid_request',
    });
  const handlers = await open();
  // The table pairs each schema with its handler; the compiler can't follow that pairing through a union of names.
  const handler = handlers[name] as (input: unknown, caller: Caller | AnonymousCaller) => Promise<unknown>;
  // No handler, and nothing that is stored, has to know about it.
  const { waitSeconds: seconds = 0, ...rest } = parsed as { readonly waitSeconds?: number };
  if (!principal) return await handler(rest, { address, signal });
  const caller = { address, signal, principal, workspaceId: principal.workspaceId };
  if (seconds === 0)
    return await handler(rest, { ...caller, waitFor: async ({ launched, read }) => launched ?? (await read()) });
  return await waits.during({ principal, seconds, signal, onProgress }, (waitFor) =>
    handler(rest, { ...caller, waitFor }),
  );
}
