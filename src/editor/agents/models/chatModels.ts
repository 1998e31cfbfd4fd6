/** A language model of the editor: from GitHub Copilot, another extension, or the user. */
export interface ChatModel {
  /** Vendor and id, such as `copilot/gpt-4.1`, as settings and requests name the model. */
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/**
 * - `notAllowed`: the user hasn't allowed this extension to use it, or has withdrawn the permission
 * - `missing`: the editor doesn't have the model
 * - `blocked`: its vendor declines, because of a quota or a policy
 * - `failed`: anything else
 */
export type ChatRefusal = 'notAllowed' | 'missing' | 'blocked' | 'failed';

export class ChatModelError extends Error {
  override readonly name = 'ChatModelError';
  readonly refusal: ChatRefusal;

  constructor(refusal: ChatRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}

export interface ChatModels {
  list(): Promise<readonly ChatModel[]>;
  /**
   * Yields the response as it arrives. If the user hasn't been asked before, the editor asks, which works only during a
   * command.
   * @throws ChatModelError
   */
  ask(id: string, messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string>;
  /** Returns true if a request would be allowed without asking the user. */
  isAllowed(id: string): Promise<boolean>;
}
