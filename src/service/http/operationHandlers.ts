import type { OperationArguments, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { Principal } from '../workspaces/principal.ts';

/** Somebody without a key, at this network address. */
export interface Visitor {
  readonly address: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
/** Somebody with a key that has the operation's scope. */
export interface Caller extends Visitor {
  readonly workspaceId: string;
  readonly principal: Principal;
}
type OpenOperation = 'registerWorkspace';

/**
 * What carries out each row of the operations table; REST and MCP call the same. Arguments are validated, the key and
 * its scope are checked.
 */
export type Handlers = {
  readonly [Name in OperationName]: (
    input: OperationArguments<Name>,
    caller: Name extends OpenOperation ? Visitor : Caller,
  ) => Promise<OperationOutput<Name>>;
};
