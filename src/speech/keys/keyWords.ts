import { keysByName } from '../../base/mishearings.ts';
import { words } from '../../base/rows.ts';

/** The keys by their names in menus, digits at their index. The recogniser's grammar accepts only these. */
export const keyWords: readonly string[] = Object.keys(keysByName).filter((name) => name !== 'hash');
/** Verbs that offer a key. */
const menuVerbs: readonly string[] = words`press dial choose select push hit enter`;
export const isMenuVerb = (word: string): boolean => menuVerbs.includes(word);
/** An offer's verb doesn't follow these. */
export const noOfferBefore: ReadonlySet<string> = new Set(words`a an the at by in on from of and or with until till`);
/** Words that can follow a verb although they aren't a key. */
export const plainAfterVerb: ReadonlySet<string> = new Set(words`
  the a an any this that your you now again and or by button buttons key keys number numbers extension extensions enter
  return send if when after followed either both another hash asterisk oh o pound star ten eleven twelve thirteen
  fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
`);

/** A word as shown: the punctuation around it, and the word. */
export function wordPartsOf(shown: string): readonly [lead: string, core: string, trail: string] {
  const match = /^([^\p{L}\p{N}#*]*)(.*?)([^\p{L}\p{N}#*]*)$/u.exec(shown);
  return [match?.[1] ?? '', match?.[2] ?? shown, match?.[3] ?? ''];
}
/** Returns a word in lower case, without the punctuation around it. */
export const bare = (shown = ''): string => wordPartsOf(shown)[1].toLowerCase().replace(/’/g, "'");
export const endsClause = (shown = ''): boolean => /[.?!;,]["”]?$/.test(shown);
export const endsSentence = (shown = ''): boolean => /[.?!;]["”]?$/.test(shown);

/** Returns the name of the key that this word is. */
export const keyNamed = (word: string): string | undefined =>
  word === '*' ? 'star' : word === '#' ? 'pound' : /^\d$/.test(word) ? keyWords[Number(word)] : nameOf(word);
const nameOf = (word: string): string | undefined => (keysByName[word] === undefined ? undefined : word);

export interface Offer {
  readonly verb: string;
  readonly key: string;
}
/** Matches a clear offer in a text in lower case: "press two". */
export const offerPattern: string = `\\b(${menuVerbs.join('|')}) (\\d|(?:${Object.keys(keysByName).join('|')})\\b)`;
const offer = new RegExp(offerPattern, 'g');
export const keyOffersIn = (text: string): Offer[] =>
  [...text.toLowerCase().matchAll(offer)].map(([, verb = '', key = '']) => ({ verb, key: keyNamed(key) ?? key }));
