import { escapeRegExp } from '../../base/escape.ts';

/** A shorter value occurs in text by chance. */
const shortest = 4;
/** Up to this length it can be part of a longer word by chance. */
const whole = 12;

/** Returns a value as it is, in JSON, and in an address. */
export const spellingsOf = (value: string): string[] => [
  ...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]),
];

/**
 * Returns a function that removes these values, such as passwords, from a log line, in any spelling. JSON stays JSON:
 * property names and bare numbers stay.
 */
export function hideValues(values: Iterable<string>): (text: string) => string {
  const spelled = [...new Set([...values].filter((value) => value.length >= shortest).flatMap(spellingsOf))].toSorted(
    (one, other) => other.length - one.length,
  );
  if (spelled.length === 0) return (text) => text;
  const form = new RegExp(spelled.map(formOf).join('|'), 'g');
  return (text) => text.replace(form, '[redacted]');
}

function formOf(value: string): string {
  const isWord = value.length < whole;
  // In JSON, a line break before it is written as a letter.
  const before = `${isWord && /^\w/.test(value) ? String.raw`(?<=^|\W|\\[bfnrt])` : ''}${/^\d+$/.test(value) ? String.raw`(?<!"\w{1,40}":)` : ''}`;
  return `${before}${escapeRegExp(value)}${isWord && /\w$/.test(value) ? String.raw`(?!\w)` : ''}(?!":)`;
}
