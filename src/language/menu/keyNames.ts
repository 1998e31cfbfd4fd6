import type { MenuLexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** A mention of keys in a prompt: the keys, and the tokens `from` … `to` (exclusive) that name them. */
export interface KeyMention {
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Without its own verb ("press 1 for sales, *2* for service"). */
  readonly elided: boolean;
  /** "say or press 1": the caller can also say the key's name. */
  readonly spoken: boolean;
  /** The key was read from a word that sounds like it ("press start"). */
  readonly misheard?: boolean;
  /** The label of its last key might be a separate one ("for sales press 1 or 0 for an agent"). */
  readonly doubtful?: boolean;
}

/** Returns the word at an index; empty for punctuation, or outside the text. */
export const word = (tokens: readonly Token[], index: number): string =>
  tokens[index]?.kind === 'word' ? tokens[index].text : '';

/** Its purpose follows: "for service", "gets you service". */
export const beginsLabel = (tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean =>
  lexicon.cues.has(word(tokens, index)) || isPredicate(tokens, index, lexicon);

/** "gets you service", "will get you service" */
export const isPredicate = (tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean =>
  lexicon.leads.test(`${word(tokens, index)} ${word(tokens, index + 1)}`);

/** Returns the key that the tokens at an index name, and the number of these tokens. */
export function keyAt(
  tokens: readonly Token[],
  index: number,
  lexicon: MenuLexicon,
): { key: string; width: number } | undefined {
  const first = word(tokens, index);
  const pair = lexicon.keyPairs[`${first} ${word(tokens, index + 1)}`];
  if (pair !== undefined) return { key: pair, width: 2 };
  const key = Object.hasOwn(lexicon.keys, first) ? lexicon.keys[first] : undefined;
  return key === undefined ? undefined : { key, width: 1 };
}
