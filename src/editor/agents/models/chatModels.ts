/** A language model of the editor: GitHub Copilot's, or one that another extension or the person brings. */
export interface ChatModel {
  /** Vendor and id, such as `copilot/gpt-4.1`: what settings and requests name it by. */
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
 * - `notAllowed`: the person has not let this extension use it, or has taken that back
 * - `missing`: the editor has no such model
 * - `blocked`: its vendor declines: a quota, or a policy
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

/** The port to the editor's models. */
export interface ChatModels {
  list(): Promise<readonly ChatModel[]>;
  /**
   * The answer, as it comes. Where nobody was asked before, the editor asks the person; in the middle of a command
   * only.
   * @throws ChatModelError
   */
  ask(id: string, messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string>;
  /** Whether a request would be let through without anybody being asked. */
  isAllowed(id: string): Promise<boolean>;
}
