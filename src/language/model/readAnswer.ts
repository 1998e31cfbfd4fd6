import * as z from 'zod';
import { describeIssues } from '../../contract/errors.ts';

export type ReadAnswer<Answer> = { readonly value: Answer } | { readonly fault: string };

/** The object in a model's answer, validated; or what is wrong with it, in words for the model. A fence around it, and words in front of it or behind, are forgiven. */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  const parsed = parseObject(text);
  if (parsed === undefined) return { fault: text.trim() === '' ? 'The answer was empty.' : 'The answer held no whole JSON object.' };
  const result = schema.safeParse(parsed);
  return result.success ? { value: result.data } : { fault: `The JSON object does not fit the schema: ${describeIssues(result.error)}` };
}

function parseObject(text: string): unknown {
  const fenced = /```(?:json)?\s*([^]*?)```/.exec(text)?.[1];
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced, braces]) {
    if (candidate === undefined) continue;
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === 'object' && value !== null) return value;
    } catch { /* the next candidate may hold it */ }
  }
  return undefined;
}
