import type * as z from 'zod';
import type { ModelBudget } from './modelBudget.ts';

/** Dialtree's own words, or words from others, which the model sees as material, never as instructions. */
export type AskPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly title: string; readonly text: string };

export interface Ask<Answer> {
  /** The name of the answer's schema for the endpoint: letters, digits, `_`. */
  readonly name: string;
  /** The role and the task of the model. Trusted text only. */
  readonly system: string;
  readonly parts: readonly AskPart[];
  /** An object. Values that can be missing are nullable, because strict endpoints require every property. */
  readonly schema: z.ZodType<Answer>;
  /** Maximum tokens of one answer; default 2,000. */
  readonly tokens?: number;
  /** For the whole ask, including its repair and retries; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** 0 for reproducible answers. Endpoints without this setting are asked without it. */
  readonly temperature?: number;
  readonly budget?: ModelBudget | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before each request, with the maximum tokens that it may use. Rejects if they can't be paid. The resulting
   * function is called once, with the tokens that the request used.
   */
  readonly charge?: (tokens: number) => Promise<(spent: number) => Promise<void>>;
}

export interface LanguageModel {
  /** Model and host, for reports: "gpt-5-mini at api.openai.com". */
  readonly name: string;
  /** Resolves with an object that matches the schema. @throws ModelError; the signal's reason if it was aborted */
  ask<Answer>(ask: Ask<Answer>): Promise<Answer>;
}
