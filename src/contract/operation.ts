import type * as z from 'zod';
import type { Scope } from './scopes.ts';

/**
 * One thing the service does. The MCP tool, the REST route, the OpenAPI document and the client's method are all made from this row.
 * Arguments travel in the path where `{name}` stands, in the query of GET and DELETE, else in the JSON body.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly rest: {
    readonly method: 'get' | 'post' | 'patch' | 'delete';
    readonly path: string;
    readonly status: 200 | 201 | 202;
  };
  /** `open`: needs no key. */
  readonly scope: Scope | 'open';
  /** Absent: not offered as an MCP tool. */
  readonly tool?: ToolHints;
}

export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly openWorld: boolean;
}

export const operation = <Input extends z.ZodType, Output extends z.ZodType>(
  row: Operation<Input, Output>,
): Operation<Input, Output> => row;
export const reads: ToolHints = { readOnly: true, destructive: false, openWorld: false };
export const writes: ToolHints = { readOnly: false, destructive: false, openWorld: false };
/** Places calls, or sends messages to people. */
export const calls: ToolHints = { readOnly: false, destructive: true, openWorld: true };
