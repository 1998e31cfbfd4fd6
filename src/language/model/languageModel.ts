import type * as z from 'zod';
import type { ModelBudget } from './modelBudget.ts';

/** Our own words, or words of others: those are shown to the model as material, never as instructions. */
export type AskPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly title: string; readonly text: string };

export interface Ask<Answer> {
  /** Names the answer's schema to the endpoint: letters, digits, `_`. */
  readonly name: string;
  /** Who the model is and what it has to do. Trusted text only. */
  readonly system: string;
  readonly parts: readonly AskPart[];
  /** An object schema; values that may be missing are nullable, not optional: strict endpoints want every property. */
  readonly schema: z.ZodType<Answer>;
  /** Most tokens of one answer; 2,000. */
  readonly tokens?: number;
  /** For the whole ask, with its repair and repeats; 60,000. */
  readonly timeoutMs?: number;
  /** 0 where the same question shall get the same answer. Endpoints that know none are asked without. */
  readonly temperature?: number;
  /** Of the run. */
  readonly budget?: ModelBudget;
  readonly signal?: AbortSignal;
  /**
   * Called with the most tokens that a request may take, before each request is sent. It rejects if nobody pays for
   * them. What it resolves with is called once, with the tokens that the request took.
   */
  readonly charge?: (tokens: number) => Promise<(spent: number) => Promise<void>>;
}

export interface LanguageModel {
  /** Model and host, for reports: "gpt-5-mini at api.openai.com". */
  readonly name: string;
  /** Resolves with an object that the schema holds for. @throws ModelError; the signal's reason where it was aborted */
  ask<Answer>(ask: Ask<Answer>): Promise<Answer>;
}
