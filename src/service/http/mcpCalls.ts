import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * The tool calls in progress in this process. The server keeps no sessions, so `notifications/cancelled` arrives as a
 * separate request, which finds the call here (MCP 2025-11-25, "Cancellation").
 */
export class McpCalls {
  readonly #calls = new Map<string, AbortController>();

  /**
   * Does the work of a call. Its signal also aborts if the client cancels the call. `client` is undefined if the client
   * sent no session id: request ids of such clients aren't unique.
   */
  async during<Result>(
    client: string | undefined,
    id: RequestId,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (client === undefined) return await work(signal);
    const controller = new AbortController();
    const name = nameOf(client, id);
    this.#calls.set(name, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      // A client that repeats an id has replaced the call.
      if (this.#calls.get(name) === controller) this.#calls.delete(name);
    }
  }

  /** Has no effect if the call has ended, or never ran. */
  cancel(client: string, id: RequestId): void {
    this.#calls.get(nameOf(client, id))?.abort();
  }
}

const nameOf = (client: string, id: RequestId): string => JSON.stringify([client, id]);
