import * as z from 'zod';
import type { Scope } from './scopes.ts';
import { secretKeyword } from './untrusted.ts';

/**
 * One operation of the service. The MCP tool, the REST route, the OpenAPI document and the client's method are all
 * derived from this row. Arguments go into the path at `{name}`, into the query for GET and DELETE, or into the JSON
 * body.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Returns what the text of a tool's result shows. Absent: the whole output. A method, so that rows share a type. */
  brief?(output: z.output<Output>): unknown;
  readonly rest: {
    readonly method: 'get' | 'post' | 'patch' | 'delete';
    readonly path: string;
    readonly status: 200 | 201 | 202;
  };
  /** Its own error statuses, in addition to those that `errorsOf` adds for all operations of its kind. */
  readonly errors?: readonly RefusalStatus[];
  /** `open`: doesn't need a key. */
  readonly scope: Scope | 'open';
  /** Absent: not available as an MCP tool. */
  readonly tool?: ToolHints;
}

type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 409 | 429 | 502 | 503;

/**
 * Returns every error status that an operation can return, except failures of the server and of the request as such
 * (408, 413, 415, 421, 431, 500, 503).
 */
export function errorsOf({ rest, scope, errors = [] }: Operation): RefusalStatus[] {
  const named = rest.path.includes('{') ? [404 as const] : [];
  // A POST can use an Idempotency-Key that belongs to another request.
  const named409 = rest.method === 'post' && scope !== 'open' ? [409 as const] : [];
  const keyed = scope === 'open' ? [] : [403 as const];
  // 429: a workspace or network that keeps the server too busy.
  const all = new Set<RefusalStatus>([400, 401, ...keyed, ...named, ...named409, 429, ...errors]);
  return [...all].sort((one, other) => one - other);
}

/** Returns true if a response contains text that is marked as `secret`, so it can't be stored and repeated. */
export const returnsSecret = ({ output }: Operation): boolean =>
  JSON.stringify(z.toJSONSchema(output, { io: 'output' })).includes(`"${secretKeyword}":true`);

export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly openWorld: boolean;
  /** A second call with the same arguments changes nothing further. */
  readonly idempotent?: true;
}

export const operation = <Input extends z.ZodType, Output extends z.ZodType>(
  row: Operation<Input, Output>,
): Operation<Input, Output> => row;
export const reads: ToolHints = { readOnly: true, destructive: false, openWorld: false };
export const writes: ToolHints = { readOnly: false, destructive: false, openWorld: false };
/** Brings something into a named state. */
export const sets: ToolHints = { ...writes, idempotent: true };
/** Places calls, or sends messages to people. */
export const calls: ToolHints = { readOnly: false, destructive: true, openWorld: true };

type RowOfKind<Input extends z.ZodType, Output extends z.ZodType> = Omit<Operation<Input, Output>, 'rest' | 'tool'>;

/** A tool that reads what is at a path. */
export const reading = <Input extends z.ZodType, Output extends z.ZodType>(
  path: string,
  row: RowOfKind<Input, Output>,
): Operation<Input, Output> => ({ ...row, rest: { method: 'get', path, status: 200 }, tool: reads });

/** A tool that begins calls. The response comes before they end. */
export const calling = <Input extends z.ZodType, Output extends z.ZodType>(
  path: string,
  row: RowOfKind<Input, Output>,
): Operation<Input, Output> => ({ ...row, rest: { method: 'post', path, status: 202 }, tool: calls });
