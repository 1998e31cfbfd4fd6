import type { Ask, LanguageModel } from '../../src/language/model/languageModel.ts';
import { ModelError } from '../../src/language/model/modelError.ts';

export type AnyAsk = Ask<unknown>;

/**
 * A model that answers as a test says: answers in order, the last one repeatedly, or a function of the question. Errors
 * are thrown; an answer that doesn't match the schema is `nonsense`. `bears`: whether quotes
 * alone show what is asked.
 */
export function scriptedModel(
  answers: readonly (object | Error)[] | ((ask: AnyAsk, index: number) => object | Error | Promise<object>),
  bears = true,
): LanguageModel & { readonly asks: readonly AnyAsk[] } {
  const asks: AnyAsk[] = [];
  return {
    name: 'scripted',
    asks,
    async ask(ask) {
      ask.signal?.throwIfAborted();
      if (ask.name === 'bearing') return ask.schema.parse({ shows: bears });
      asks.push(ask);
      const index = asks.length - 1;
      const answer =
        typeof answers === 'function' ? await answers(ask, index) : answers[Math.min(index, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      const parsed = ask.schema.safeParse(answer);
      if (!parsed.success) throw new ModelError('nonsense', parsed.error.message);
      return parsed.data;
    },
  };
}
