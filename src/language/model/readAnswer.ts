import { patternWith } from '../../base/rows.ts';
import * as z from 'zod';
import { describeIssues } from '../../contract/errors.ts';

type ReadAnswer<Answer> = { readonly value: Answer } | { readonly fault: string };

/** The thoughts that some models write before their answer. Without an end, there is no answer. */
const thoughts = /<(think|thinking|reasoning)>[^]*?(?:<\/\1>|$)/gi;

/**
 * Returns the validated object in a model's answer, or what is wrong with it, in words for the model. A fence,
 * thoughts, and words before or after it are ignored.
 */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  const results = objectsIn(text.replace(thoughts, '').trim() === '' ? text : text.replace(thoughts, '')).map(
    (object) => schema.safeParse(object),
  );
  const right = results.find(({ success }) => success);
  if (right?.success === true) return { value: right.data };
  const [first] = results;
  if (first?.success === false)
    return { fault: `The JSON object does not fit the schema: ${describeIssues(first.error)}` };
  return { fault: text.trim() === '' ? 'The answer was empty.' : 'The answer held no whole JSON object.' };
}

const refusal = patternWith('i')`
  \b(?:
    i(?:'m| am) (?:(?:very|so|really) )?(?:sorry|afraid|unable|not able|not allowed|not permitted)
    |i (?:
      can(?:not|'t)|can not|won't|will not|must (?:decline|refuse)|have to (?:decline|refuse)
      |am going to (?:decline|refuse)
    )
    |i (?:decline|refuse)
  )\b
`;
/** A refusal is short, and is at the beginning of an answer. */
const refusalWithin = 160,
  longestRefusal = 1500;

/** Returns true if an answer declines in words: "I'm sorry, I can't help with that." */
export const isRefusal = (text: string): boolean => {
  const said = text.replace(thoughts, '').replace(/[’]/g, "'").trim();
  return said.length <= longestRefusal && !said.includes('{') && refusal.test(said.slice(0, refusalWithin));
};

/** A text with more braces than this isn't an answer. */
const maxObjects = 20;

/** Returns all objects in a text, in order: the whole text, the content of fences, and matching braces. */
function objectsIn(text: string): unknown[] {
  const fenced = [...text.matchAll(/```(?:json)?\s*([^]*?)```/g)].slice(0, maxObjects).map(([, inner]) => inner ?? '');
  return [text, ...fenced, ...bracedIn(text), text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)].flatMap(
    (candidate) => {
      try {
        const value: unknown = JSON.parse(candidate);
        return typeof value === 'object' && value !== null ? [value] : [];
      } catch {
        return [];
      }
    },
  );
}

/** Returns the spans from each opening brace to its closing one, ignoring braces in strings. Linear. */
function bracedIn(text: string): string[] {
  const found: string[] = [];
  let depth = 0,
    from = 0,
    quoted = false;
  for (let at = 0; at < text.length && found.length < maxObjects; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = depth > 0;
    else if (letter === '{') {
      if (depth === 0) from = at;
      depth += 1;
    } else if (letter === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(from, at + 1));
    }
  }
  return found;
}
