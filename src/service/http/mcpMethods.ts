import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { HumanError } from '../../contract/errors.ts';

type Members = Readonly<Record<string, unknown>>;
/** Methods of MCP by name. They reject with HumanErrors. */
export type McpMethods = Readonly<Record<string, (params: Members) => Promise<Record<string, unknown>>>>;

export const notFound = (message: string): HumanError => new HumanError(message, { status: 404, code: 'not_found' });
export const invalidParams = (message: string): HumanError =>
  new HumanError(message, { status: 400, code: 'invalid_request' });

/** Returns the error for a failure with this HTTP status (MCP 2025-11-25, "Resources", section "Error Handling"). */
export function protocolError(status: number, message: string): Error {
  const refusal = status === 404 ? -32002 : ErrorCode.InvalidParams;
  return Object.assign(new Error(message), { code: status < 500 ? refusal : ErrorCode.InternalError });
}
