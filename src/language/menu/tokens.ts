import { patternWith } from '../../base/rows.ts';

export interface Token {
  /** As written, lower case. */
  readonly text: string;
  readonly kind: 'word' | 'strong' | 'weak';
}

/** What stands in place of words that part labels. */
export const sentenceEnd: Token = { text: '.', kind: 'strong' };

const pattern = patternWith('gu')`
  (?:\p{L}\.){2,}|\d+(?:[.:,]\d+)+
  |[\p{L}\p{N}$£€][\p{L}\p{N}$£€'’\-–]*(?:&[\p{L}]+)?|[*#]|\.{2,}|…|[.;?!]|[,:—–-]|["“”]
`;
/** "1-800", "4-digit" and "re-enter" stay one word; "1-" at the end of a chunk does not keep its hyphen. */
const clean = (text: string): string => text.replace(/[’]/g, "'").replace(/['\-–]+$/, '');

/** Words and the punctuation that parts clauses (`weak`) and sentences (`strong`). Linear in the text's length. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [raw] of text.toLowerCase().matchAll(pattern)) {
    if (/^[.;?!]$/.test(raw)) tokens.push({ text: raw, kind: 'strong' });
    else if (/^(?:\.{2,}|…|[,:—–-]|["“”])$/.test(raw)) {
      if (!/["“”]/.test(raw)) tokens.push({ text: raw, kind: 'weak' });
    } else tokens.push({ text: clean(raw), kind: 'word' });
  }
  return tokens;
}

export const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .filter((token) => token.kind === 'word')
    .map((token) => token.text)
    .join(' ');
