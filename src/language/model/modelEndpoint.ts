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
  readonly temperature?: number;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** `cut`: at the most tokens. `refused`: the model declines to answer. */
  readonly ended: 'whole' | 'cut' | 'refused';
  /** Absent where the endpoint does not count. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** One way to reach a model: one request, one answer. Repeats, repairs and budgets are the asking model's. */
export interface ModelEndpoint {
  readonly name: string;
  /** @throws ModelError; an AbortError where the signal was aborted */
  complete(request: CompletionRequest): Promise<Completion>;
}
