import type { Ask, LanguageModel } from '../../src/language/model/languageModel.ts';
import { ModelError } from '../../src/language/model/modelError.ts';

export type AnyAsk = Ask<unknown>;

/**
 * A model that answers as a test says: answers in order, the last one repeatedly, or a function of the question. Errors
 * are thrown; an answer that doesn't match the schema is `nonsense`. Answers in order agree that quotes bear on a
 * criterion.
 */
export function scriptedModel(
  answers: readonly (object | Error)[] | ((ask: AnyAsk, index: number) => object | Error | Promise<object>),
): LanguageModel & { readonly asks: readonly AnyAsk[] } {
  const asks: AnyAsk[] = [];
  return {
    name: 'scripted',
    asks,
    async ask(ask) {
      ask.signal?.throwIfAborted();
      asks.push(ask);
      const index = asks.length - 1;
      const isBearing = ask.name === 'bearing' && typeof answers !== 'function';
      if (isBearing) return ask.schema.parse({ shows: true });
      const answer =
        typeof answers === 'function' ? await answers(ask, index) : answers[Math.min(index, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      const parsed = ask.schema.safeParse(answer);
      if (!parsed.success) throw new ModelError('nonsense', parsed.error.message);
      return parsed.data;
    },
  };
}
