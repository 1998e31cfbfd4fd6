import type { AnswerSchema } from './answerSchema.ts';

export interface EndpointMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface CompletionRequest {
  readonly system: string;
  readonly messages: readonly EndpointMessage[];
  readonly name: string;
  readonly schema: AnswerSchema;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** `cut`: at the token limit. `refused`: the model declines to answer. */
  readonly ended: 'whole' | 'cut' | 'refused';
  /** Absent if the endpoint doesn't count. */
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** A connection to a model: one request, one response. Retries, repairs and budgets belong to the asking model. */
export interface ModelEndpoint {
  readonly name: string;
  /** @throws ModelError; an AbortError if the signal was aborted */
  complete(request: CompletionRequest): Promise<Completion>;
}
