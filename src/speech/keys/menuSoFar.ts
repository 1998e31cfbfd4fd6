import { namesHeard } from '../../base/mishearings.ts';
import { words } from '../../base/rows.ts';
import { bare, endsSentence, keyNamed, offerPattern, keyOffersIn } from './keyWords.ts';

/** What the prompts of a call have offered. */
export interface MenuSoFar {
  /** The verb before the last key. */
  readonly verb: string;
  /** The keys of the current prompt, in the order in which they were offered. If there are none, it may be no menu. */
  readonly keys: readonly string[];
  /** What may be a verb and a key at the end of an offer, each once: "us one" for "for us one". */
  readonly verbsHeard: readonly string[];
  /** Its offers begin with the key ("press one to mute"), so that none is due at their ends. */
  readonly keysFirst?: true;
}

export const noMenu: MenuSoFar = { verb: 'press', keys: [], verbsHeard: [] };

/** Words that begin an offer, and what is heard for them. */
const openers = new Set(words`for to if four full fore or till too`);
const atEnd = namesHeard('end');
/** Returns the name of the key that may have been said, if an offer ends with this word. */
export const keyHeardAs = (word: string): string | undefined => keyNamed(word) ?? atEnd[word];
/** A menu's key that wasn't recognised. */
const unknownKey = '?';

/** Returns what is offered once these clauses have followed `before`. `raw`: the same as the recogniser heard them. */
export const offeredAfter = (clauses: readonly string[], before: MenuSoFar, raw = clauses): MenuSoFar => {
  const offers = clauses.flatMap(keyOffersIn);
  return {
    verb: offers.at(-1)?.verb ?? before.verb,
    keys: [...before.keys, ...offers.map(({ key }) => key)],
    // An utterance can be recognised twice, early and finally.
    verbsHeard: [...new Set([...before.verbsHeard, ...raw.filter(maybeOffer).map(endOf)])],
    ...((before.keysFirst || beginWithKeys(clauses)) && { keysFirst: true }),
  };
};

/** Returns what is offered once a text has followed `before`. `rawText`: the same as the recogniser heard it. */
export const learnMenu = (text: string, rawText: string, before: MenuSoFar): MenuSoFar =>
  offeredAfter(clausesIn(text), before, clausesIn(rawText));

/** Another prompt offers its own keys, with the same verb. */
export const nextPrompt = ({ verb, verbsHeard }: MenuSoFar): MenuSoFar => ({
  verb,
  keys: [],
  verbsHeard: [...new Set(verbsHeard.map((heard) => `${firstOf(heard)} ${unknownKey}`))],
});

/** Returns true if keys were offered, or the same word stood before several words that can be keys. */
export const isMenuSoFar = ({ keys, verbsHeard, keysFirst }: MenuSoFar): boolean =>
  keysFirst !== true && (keys.length > 0 || new Set(verbsHeard.map(firstOf)).size < verbsHeard.length);

/** Returns true if a clause may be an offer whose verb wasn't recognised. */
const maybeOffer = (text: string): boolean =>
  text.split(' ').length > 2 &&
  openers.has(firstOf(text)) &&
  keyHeardAs(text.split(' ').at(-1) ?? '') !== undefined &&
  keyOffersIn(text).length === 0;

export const hasMaybeOffer = (text: string): boolean => clausesIn(text).some(maybeOffer);

/** Returns which clauses may be offers whose verb wasn't recognised; none in "For billing. Press four." */
export const maybeOffers = (clauses: readonly string[]): boolean[] =>
  clauses.map((text, at) => maybeOffer(text) && !beginsWithOffer.test(clauses[at + 1] ?? ''));

const firstOf = (text: string): string => text.split(' ')[0] ?? '';
const endOf = (text: string): string => text.split(' ').slice(-2).join(' ');
/** Returns true if the word before the key stood before other words that can be keys, too. */
export const isVerbOfVoice = (text: string, { verbsHeard }: MenuSoFar): boolean =>
  verbsHeard.filter((heard) => firstOf(heard) === firstOf(endOf(text))).length > 1;

const beginsWithOffer = new RegExp(`^(?:(?:please|or|and|also|then|you|may|can) )*${offerPattern}`);
/** Returns true if an offer begins with its key, and isn't the end of the clause before it ("For billing. Press four."). */
const beginWithKeys = (clauses: readonly string[]): boolean =>
  clauses.some((text, at) => beginsWithOffer.test(text) && !isOpen(clauses[at - 1] ?? ''));
const isOpen = (text: string): boolean => openers.has(firstOf(text)) && keyOffersIn(text).length === 0;

/** Parts words at the ends of sentences, and where an offer begins after a word that can be a key. */
export function clausesOf<Word extends { readonly shown: string }>(said: readonly Word[]): Word[][] {
  const clauses: Word[][] = [];
  for (const [at, word] of said.entries()) {
    const previous = said[at - 1]?.shown;
    const begins =
      previous === undefined ||
      endsSentence(previous) ||
      (openers.has(bare(word.shown)) && keyHeardAs(bare(previous)) !== undefined && at > 1);
    if (begins) clauses.push([word]);
    else clauses.at(-1)?.push(word);
  }
  return clauses;
}

/** Returns the words of a clause without punctuation. */
export const clauseWordsOf = (clause: readonly { readonly shown: string }[]): string =>
  clause.map(({ shown }) => bare(shown)).join(' ');
const clausesIn = (text: string): string[] =>
  clausesOf(text.split(/\s+/).map((shown) => ({ shown }))).map(clauseWordsOf);
