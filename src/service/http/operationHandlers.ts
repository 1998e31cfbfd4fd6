import type { OperationArguments, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { WaitFor } from '../runs/waits.ts';
import type { Principal } from '../workspaces/principal.ts';

/** A client without a key, at this network address. */
export interface AnonymousCaller {
  readonly address: string;
  /** Aborts when the response isn't awaited any more. */
  readonly signal: AbortSignal;
}
/** A client with a key that has the operation's scope. */
export interface Caller extends AnonymousCaller {
  readonly workspaceId: string;
  readonly principal: Principal;
  /** Reads, and with `waitSeconds` waits for the end. */
  readonly waitFor: WaitFor;
}
type OpenOperation = 'registerWorkspace';

/**
 * A handler for each row of the operations table; REST and MCP call the same ones. Arguments are validated; the key and
 * its scope are checked.
 */
export type OperationHandlers = {
  readonly [Name in OperationName]: (
    input: Omit<OperationArguments<Name>, 'waitSeconds'>,
    caller: Name extends OpenOperation ? AnonymousCaller : Caller,
  ) => Promise<OperationOutput<Name>>;
};
