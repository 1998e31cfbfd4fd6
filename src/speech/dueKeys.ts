import { words } from '../base/rows.ts';
import { keyWords, noOfferBefore } from './keySlots.ts';
import type { Slot } from './keySlots.ts';

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

export const menuVerbs: readonly string[] = words`press dial choose select push hit enter`;
const keyAfterVerb = new RegExp(`\\b(${menuVerbs.join('|')}) (\\d|(?:${keyWords.join('|')}|hash)\\b)`, 'g');

function offersIn(text: string): { readonly verb: string; readonly key: string }[] {
  return [...text.toLowerCase().matchAll(keyAfterVerb)].map(([, verb = '', key = '']) => ({
    verb,
    key: keyWords[Number(key)] ?? key,
  }));
}

/** Words that begin an offer, and what is heard for them. */
const openers = new Set(words`for to if four full fore or till too`);
/** Heard for a key at the end of an offer, by key. */
const heardFor: Readonly<Record<string, readonly string[]>> = {
  zero: words`0 zero`,
  one: words`1 one won`,
  two: words`2 two to too do`,
  three: words`3 three tree free`,
  four: words`4 four for fore our`,
  five: words`5 five`,
  six: words`6 six sex`,
  seven: words`7 seven`,
  eight: words`8 eight ate`,
  nine: words`9 nine line`,
  star: words`* star start stars store stark`,
  pound: words`# pound pounds pond found`,
  hash: words`hash hush ash`,
};
const allKeys = Object.keys(heardFor);
/** Returns the key's name for which this word can be heard at the end of an offer. */
export const heardAs = (heard: string): string | undefined => allKeys.find((key) => heardFor[key]?.includes(heard));
const keyEndings = new Set(Object.values(heardFor).flat());
const maxTail = 4;
/** A menu's key that wasn't recognised. */
const unknownKey = '?';
/** How much likelier than the words that were heard, before both are compared by ear. */
const priors = {
  /** The same words stood before other keys, so they are this voice's verb. */
  sameVerb: 1e20,
  menu: 1e12,
  /** Nothing was offered before. */
  noMenu: 1e6,
  /** The key was offered before. */
  again: 1e3,
};

const bare = (shown: string): string =>
  shown
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[^\p{L}\p{N}*#]+|[^\p{L}\p{N}*#]+$/gu, '');
const endsSentence = ({ shown }: Slot): boolean => /[.?!;]["”]?$/.test(shown);

/**
 * In a menu, an offer ends with a verb and a key. If it ends with a word that can be a key ("to" for "two") after other
 * words, its last words are put in one slot with the menu's verb and that key, for the ear to choose.
 */
export function withLikelyKeys(slots: readonly Slot[], before: MenuSoFar): readonly Slot[] {
  const clauses = clausesOf(slots);
  const texts = clauses.map(wordsOf);
  const whole = offeredAfter(texts, before);
  if (whole.keysFirst) return slots;
  const isMenu = isMenuSoFar(whole);
  let { keys } = before;
  return clauses.flatMap((clause, at) => {
    const text = texts[at] ?? '';
    const offered = offersIn(text);
    keys = [...keys, ...offered.map(({ key }) => key)];
    // "For billing. Press four."
    if (beginsWithOffer.test(texts[at + 1] ?? '') || !maybeOffer(text)) return clause;
    const known = isMenu && keys.length === 0 ? [unknownKey] : keys;
    return withDueKey(clause, { ...whole, keys: known });
  });
}

/** Returns true if an offer begins with its key, and isn't the end of the clause before it ("For billing. Press four."). */
const beginWithKeys = (clauses: readonly string[]): boolean =>
  clauses.some((text, at) => beginsWithOffer.test(text) && !isOpen(clauses[at - 1] ?? ''));
const isOpen = (text: string): boolean => openers.has(firstOf(text)) && offersIn(text).length === 0;

/** Returns what is offered once these clauses have followed `before`. `raw`: the same as the recogniser heard them. */
const offeredAfter = (clauses: readonly string[], before: MenuSoFar, raw = clauses): MenuSoFar => {
  const offers = clauses.flatMap(offersIn);
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

const clausesIn = (text: string): string[] =>
  clausesOf(text.split(/\s+/).map((shown) => ({ shown, readings: [] }))).map(wordsOf);

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
  keyEndings.has(lastOf(text)) &&
  offersIn(text).length === 0;

export const hasMaybeOffer = (text: string): boolean => clausesIn(text).some(maybeOffer);

const wordsOf = (clause: readonly Slot[]): string => clause.map(({ shown }) => bare(shown)).join(' ');
const firstOf = (text: string): string => text.split(' ')[0] ?? '';
const lastOf = (text: string): string => text.split(' ').at(-1) ?? '';
const endOf = (text: string): string => text.split(' ').slice(-2).join(' ');
const clearVerb = new RegExp(`^(?:${menuVerbs.join('|')})(?:ed)?$`);
const beginsWithOffer = new RegExp(`^(?:(?:please|or|and|also|then|you|may|can) )*${keyAfterVerb.source}`);

/** Parts the words at the ends of sentences, and where an offer begins after a word that can be a key. */
function clausesOf(slots: readonly Slot[]): Slot[][] {
  const clauses: Slot[][] = [];
  for (const [at, slot] of slots.entries()) {
    const previous = slots[at - 1];
    const begins =
      !previous ||
      endsSentence(previous) ||
      (openers.has(bare(slot.shown)) && keyEndings.has(bare(previous.shown)) && at > 1);
    if (begins) clauses.push([slot]);
    else clauses.at(-1)?.push(slot);
  }
  return clauses;
}

function withDueKey(clause: readonly Slot[], menu: MenuSoFar): readonly Slot[] {
  const width = Math.min(maxTail, clause.length - 1);
  if (width < 1) return clause;
  const tail = clause.slice(-width);
  // Other rules decide about keys after a clear verb.
  if (tail.some(({ shown, readings }) => readings.length > 1 || clearVerb.test(bare(shown)))) return clause;
  const readings = tail.map((slot) => slot.readings[0] ?? []);
  const own = readings.flat();
  const choices: { reading: readonly string[]; weight: number }[] = [{ reading: own, weight: 1 }];
  const heard = bare(tail.at(-1)?.shown ?? '');
  const like = allKeys.filter((key) => heardFor[key]?.includes(heard));
  const verb = firstOf(endOf(wordsOf(clause)));
  const isSameVerb = menu.verbsHeard.filter((each) => firstOf(each) === verb).length > 1;
  const prior = menu.keys.length === 0 ? priors.noMenu : isSameVerb ? priors.sameVerb : priors.menu;
  for (let cut = 1; cut <= width; cut += 1) {
    if (noOfferBefore.has(bare(clause.at(-1 - cut)?.shown ?? ''))) continue;
    for (const key of like)
      choices.push({
        reading: [...readings.slice(0, width - cut).flat(), menu.verb, key],
        weight: menu.keys.includes(key) ? priors.again : prior,
      });
  }
  if (choices.length === 1) return clause;
  return [
    ...clause.slice(0, -width),
    {
      shown: tail.map(({ shown }) => shown).join(' '),
      own,
      readings: choices.map(({ reading }) => reading),
      weights: choices.map(({ weight }) => weight),
    },
  ];
}
