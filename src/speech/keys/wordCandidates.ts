import { namesHeard } from '../../base/mishearings.ts';
import { words } from '../../base/rows.ts';
import { wordTable } from '../../base/wordTable.ts';
import type { Candidate } from './candidates.ts';
import { bare, endsClause, keyNamed, keyWords, partsOf, plainAfterVerb } from './keyWords.ts';
import type { Said, Slot } from './slots.ts';
import { weights } from './weights.ts';

const keyVerbs = new Set(words`press pressed push hit`);
const verbs = new Set([...keyVerbs, 'dial', 'dialed']);
const otherVerbs = new Set(words`choose select enter`);
/** What is heard for "dial" and "press" before a key. */
const verbHeard = wordTable<string>({
  ...Object.fromEntries(words`dao dow dull doll daio dile dale dell dialed`.map((heard) => [heard, 'dial'])),
  ...Object.fromEntries(words`pressed prest pres`.map((heard) => [heard, 'press'])),
});
/** "you pressed two" is in the past. */
const beforePast = new Set(words`you have you've was is be`);
const labelWords = new Set(words`for to if`);
const plainBeforeKey = new Set(words`
  the a an any that this each every no which your enter return hash asterisk star pound and or phone
`);
const afterVerb = namesHeard('verb');
const afterPressed = namesHeard('pressed');
const beforeKey = namesHeard('key');

/** A word of the text between its neighbours, in lower case, empty beyond either end. */
interface WordInPlace {
  readonly word: string;
  readonly previous: string;
  readonly next: string;
  readonly beginsClause: boolean;
  /** A full stop separates it from the previous word. */
  readonly beginsSentence: boolean;
  readonly endsClause: boolean;
  /** It is read as one word. */
  readonly isOneWord: boolean;
  /** Menus use this word. */
  readonly isMenuWord: boolean;
}

/** Words that may stand for a key, or for the verb before one, with what was said instead. */
interface Confusion {
  readonly fits: (place: WordInPlace) => boolean;
  readonly said: (place: WordInPlace) => readonly Said[];
  /** Otherwise `even`: the ear decides. */
  readonly logOdds?: number;
}

const anyKey = keyWords.map((key) => [key]);

/** The first match counts. */
const confusions: readonly Confusion[] = [
  // "preserve" for "press zero".
  {
    fits: ({ word }) => word === 'preserve' || word === 'preserved',
    said: () => [
      ['press', 'zero'],
      ['press', 'four'],
    ],
  },
  // "dao two" for "dial two", "pressed our" for "press star".
  {
    fits: ({ word, previous, next }) =>
      verbHeard[word] !== undefined &&
      !beforePast.has(previous) &&
      (keyNamed(next) ?? afterVerb[next] ?? (word === 'pressed' ? afterPressed[next] : undefined)) !== undefined,
    said: ({ word }) => [[verbHeard[word] ?? word]],
    logOdds: weights.certain,
  },
  // "press you" for "press two", "press a for" for "press eight for".
  {
    fits: ({ word, previous, next, endsClause: isLast }) =>
      verbs.has(previous) &&
      ((['you', 'u', 'ew'].includes(word) && (isLast || labelWords.has(next))) ||
        (word === 'a' && labelWords.has(next))),
    said: ({ word }) => [[word === 'a' ? 'eight' : 'two']],
    logOdds: weights.certain,
  },
  // "for to reach" for "four to reach".
  {
    fits: ({ word, next, beginsClause }) => word === 'for' && next === 'to' && beginsClause,
    said: () => [['four']],
    logOdds: weights.certain,
  },
  // "press a to" for "press eight to".
  {
    fits: ({ word, previous, next }) =>
      word === 'a' && ['two', 'to', '2', 'two-exit'].includes(next) && ['or', 'press', 'dial'].includes(previous),
    said: () => [['eight']],
  },
  // "press dar" for "press star": a word that no menu uses is a key.
  {
    fits: ({ word, previous, beginsSentence, isMenuWord }) =>
      keyVerbs.has(previous) && !beginsSentence && !isMenuWord && afterVerb[word] === undefined,
    said: () => anyKey,
    logOdds: weights.certain,
  },
  // "choose free" for "choose three": these verbs have other objects, too, so only a word that sounds like a key counts.
  {
    fits: ({ word, previous, next, endsClause: isLast }) =>
      otherVerbs.has(previous) &&
      (isLast ? afterVerb[word] !== undefined || word === 'you' : next === 'for' && word === 'free'),
    said: ({ word }) => [[afterVerb[word] ?? 'two']],
    logOdds: weights.certain,
  },
  // "press start" for "press star".
  {
    fits: ({ word, previous, beginsSentence }) =>
      verbs.has(previous) && !beginsSentence && keyHeardAfter(previous, word) !== undefined,
    said: ({ word, previous }) => [[keyHeardAfter(previous, word) ?? word]],
    logOdds: weights.certain,
  },
  // "press it" for "press eight", "press mumble" for any key.
  {
    fits: ({ word, previous, beginsSentence }) =>
      verbs.has(previous) && !beginsSentence && !plainAfterVerb.has(word) && !(word === 'it' && previous !== 'press'),
    said: ({ word }) => (word === 'it' ? [['eight']] : anyKey),
  },
  // "the pan key" for "the pound key".
  {
    fits: ({ word, next }) => (next === 'key' || next === 'sign') && beforeKey[word] !== undefined,
    said: () => [['pound']],
    logOdds: weights.certain,
  },
  // "the mumble key": any key.
  {
    fits: ({ word, next, isOneWord }) => next === 'key' && !plainBeforeKey.has(word) && isOneWord,
    said: () => anyKey,
  },
];
const keyHeardAfter = (verb: string, word: string): string | undefined =>
  afterVerb[word] ?? (verb === 'pressed' ? afterPressed[word] : undefined);

/** Words that can only be a key: "press start". */
export const tableCandidates = (slots: readonly Slot[], isMenuWord: (word: string) => boolean): Candidate[] =>
  candidatesIn(slots, isMenuWord).filter(({ by }) => by === 'table');

/** Words that may be a key, or are one, but which one only the ear knows: "press mumble". */
export const grammarCandidates = (slots: readonly Slot[], isMenuWord: (word: string) => boolean): Candidate[] =>
  candidatesIn(slots, isMenuWord).filter(({ by }) => by === 'grammar');

function candidatesIn(slots: readonly Slot[], isMenuWord: (word: string) => boolean): Candidate[] {
  return slots.flatMap(({ shown, own, others }, atWord): Candidate[] => {
    const word = bare(shown);
    // "press 10" isn't a misheard key.
    if (own.length === 0 || others.length > 0 || keyNamed(word) !== undefined || /^\d{2,}$/.test(word)) return [];
    const before = slots[atWord - 1]?.shown ?? '';
    const place: WordInPlace = {
      word,
      previous: bare(before),
      next: bare(slots[atWord + 1]?.shown),
      beginsClause: before === '' || /[,.;]$/.test(before),
      beginsSentence: partsOf(before)[2] === '.',
      endsClause: atWord === slots.length - 1 || endsClause(shown),
      isOneWord: own.flat().length === 1,
      isMenuWord: isMenuWord(word),
    };
    const confusion = confusions.find(({ fits }) => fits(place));
    if (!confusion) return [];
    const { said, logOdds = weights.even } = confusion;
    const readings = said(place);
    const by = logOdds === weights.certain && readings.length === 1 ? 'table' : 'grammar';
    return readings.map((reading) => ({ atWord, width: 1, said: reading, by, logOdds }));
  });
}
