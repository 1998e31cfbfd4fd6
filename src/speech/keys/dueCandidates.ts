import type { Candidate } from './candidates.ts';
import { namesHeard } from '../../base/mishearings.ts';
import { words } from '../../base/rows.ts';
import { bare, isMenuVerb, keyNamed, keyWords, noOfferBefore, keyOffersIn } from './keyWords.ts';
import {
  clausesOf,
  isMenuSoFar,
  isVerbOfVoice,
  keyHeardAs,
  maybeOffers,
  offeredAfter,
  clauseWordsOf,
  type MenuSoFar,
} from './menuSoFar.ts';
import type { WordSlot } from './slots.ts';
import { weights } from './weights.ts';

/** A verb and a key are heard as up to four words. */
const maxTail = 4;
/** A verb that was misheard each time can be any of these. */
const usualVerbs = words`press dial choose select`;

/**
 * In a menu, an offer ends with a verb and a key. If it ends with a word that can be a key ("to" for "two") after other
 * words, its last words may be the menu's verb and that key.
 */
export function dueCandidates(slots: readonly WordSlot[], before: MenuSoFar): Candidate[] {
  const clauses = clausesOf(slots);
  const texts = clauses.map(clauseWordsOf);
  const menu = offeredAfter(texts, before);
  if (menu.keysFirst) return [];
  const maybe = maybeOffers(texts);
  let { keys } = before;
  let from = 0;
  return clauses.flatMap((clause, at) => {
    const text = texts[at] ?? '';
    keys = [...keys, ...keyOffersIn(text).map(({ key }) => key)];
    from += clause.length;
    if (maybe[at] !== true) return [];
    const { dueOutsideMenu, dueAfterSameVerb, due, dueAgain } = weights;
    const isKnown = keys.length > 0 || isMenuSoFar(menu);
    const logOdds = !isKnown ? dueOutsideMenu : isVerbOfVoice(text, menu) ? dueAfterSameVerb : due;
    const verbs = keys.length === 0 && isVerbOfVoice(text, menu) ? usualVerbs : [menu.verb];
    return dueIn(clause, verbs, (key) => (keys.includes(key) ? dueAgain : logOdds)).map((one) => ({
      ...one,
      atWord: from - one.width,
    }));
  });
}

const soundsOfStar = new Set([...Object.keys(namesHeard('pressed')), 'or']);

/**
 * A menu that counts its keys often ends with star. If the key after the last verb was offered before or breaks the
 * count, or is a word that sounds like star, it may be star.
 */
export function lastKeyCandidates(slots: readonly WordSlot[], before: MenuSoFar): Candidate[] {
  const atWord = slots.findLastIndex(({ shown }) => isMenuVerb(bare(shown))) + 1;
  const keys = [...before.keys, ...keyOffersIn(clauseWordsOf(slots.slice(0, atWord))).map(({ key }) => key)];
  if (keys.length < 2 || keys.includes('star') || (slots[atWord]?.others.length ?? 0) > 0) return [];
  const word = bare(slots[atWord]?.shown);
  const key = keyNamed(word);
  const breaksCount = keyWords.slice(keyWords.indexOf(keys.at(-1) ?? '') + 2, 10).includes(key ?? '');
  const mayBeStar = key === undefined ? soundsOfStar.has(word) : breaksCount || keys.includes(key);
  return mayBeStar ? [{ atWord, width: 1, said: ['star'], by: 'count', logOdds: weights.even }] : [];
}

function dueIn(clause: readonly WordSlot[], verbs: readonly string[], logOddsOf: (key: string) => number): Candidate[] {
  const longest = Math.min(maxTail, clause.length - 1);
  const tail = clause.slice(-longest);
  // Other sources decide about keys after a clear verb.
  if (longest < 1 || tail.some(({ shown, others }) => others.length > 0 || isMenuVerb(bare(shown).replace(/ed$/, ''))))
    return [];
  const key = keyHeardAs(bare(tail.at(-1)?.shown));
  if (key === undefined) return [];
  return tail.flatMap((_, cut): Candidate[] => {
    const width = cut + 1;
    if (noOfferBefore.has(bare(clause.at(-1 - width)?.shown))) return [];
    return verbs.map((verb) => ({ atWord: 0, width, said: [verb, key], by: 'count', logOdds: logOddsOf(key) }));
  });
}
