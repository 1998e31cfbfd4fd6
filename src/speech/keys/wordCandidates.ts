import { namesHeard } from '../../base/mishearings.ts';
import { words } from '../../base/rows.ts';
import { wordTable } from '../../base/wordTable.ts';
import type { Candidate } from './candidates.ts';
import { bare, endsClause, keyNamed, keyWords, wordPartsOf, plainAfterVerb } from './keyWords.ts';
import type { SaidWords, WordSlot } from './slots.ts';
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

const anyKey = keyWords.map((key) => [key]);

/**
 * Words that can only be a key ("press start"), or the verb before one ("pressed our"), `by` the table of mishearings;
 * and words that may be a key, of which only the ear knows which one ("press mumble"), by the grammar.
 */
export function wordCandidates(
  slots: readonly WordSlot[],
  isMenuWord: (word: string) => boolean,
  by: 'table' | 'grammar',
): Candidate[] {
  return slots.flatMap(({ shown, own, others }, atWord): Candidate[] => {
    // "press 10" isn't a misheard key.
    if (own.length === 0 || others.length > 0 || keyNamed(bare(shown)) !== undefined || /^\d{2,}$/.test(bare(shown)))
      return [];
    const { said = [], logOdds = weights.even } = confusionAt(slots, atWord, isMenuWord) ?? {};
    const isSure = said.length === 1 && logOdds === weights.certain;
    return isSure === (by === 'table') ? said.map((one) => ({ atWord, width: 1, said: one, by, logOdds })) : [];
  });
}

interface Confusion {
  readonly said: readonly SaidWords[];
  readonly logOdds: number;
}
/** The words can't be right. */
const certainly = (...keys: readonly string[]): Confusion => ({
  said: keys.map((key) => [key]),
  logOdds: weights.certain,
});
const maybe = (...said: readonly SaidWords[]): Confusion => ({ said, logOdds: weights.even });

/** Returns what may have been said instead of a word. The first match counts. */
function confusionAt(
  slots: readonly WordSlot[],
  at: number,
  isMenuWord: (word: string) => boolean,
): Confusion | undefined {
  const [before = '', shown = ''] = [slots[at - 1]?.shown, slots[at]?.shown];
  const [previous, word, next] = [bare(before), bare(shown), bare(slots[at + 1]?.shown)];
  const isLast = at === slots.length - 1 || endsClause(shown);
  const isAfter = (some: ReadonlySet<string>): boolean => some.has(previous) && wordPartsOf(before)[2] !== '.';
  const [verb, key] = [verbHeard[word], afterVerb[word]];
  // "preserve" for "press zero"
  if (word === 'preserve' || word === 'preserved') return maybe(['press', 'zero'], ['press', 'four']);
  // "dao two" for "dial two", "pressed our" for "press star"
  const isOffer = keyNamed(next) ?? afterVerb[next] ?? (word === 'pressed' ? afterPressed[next] : undefined);
  if (verb !== undefined && isOffer !== undefined && !beforePast.has(previous)) return certainly(verb);
  // "press you", "press a for help" for "press eight for help"
  if (verbs.has(previous) && ['you', 'u', 'ew'].includes(word) && (isLast || labelWords.has(next)))
    return certainly('two');
  if (verbs.has(previous) && word === 'a' && labelWords.has(next)) return certainly('eight');
  // "for to reach us" for "four to reach us"
  if (word === 'for' && next === 'to' && (before === '' || /[,.;]$/.test(before))) return certainly('four');
  // "press a to" for "press eight to"
  if (word === 'a' && ['two', 'to', '2', 'two-exit'].includes(next) && ['or', 'press', 'dial'].includes(previous))
    return maybe(['eight']);
  // "press dar" for "press star": a word that no menu uses is a key.
  if (isAfter(keyVerbs) && !isMenuWord(word) && key === undefined) return certainly(...keyWords);
  // "choose free" for "choose three": these verbs have other objects, too, so only a word that sounds like a key counts.
  if (otherVerbs.has(previous) && (isLast ? key !== undefined || word === 'you' : next === 'for' && word === 'free'))
    return certainly(key ?? 'two');
  // "press start" for "press star"
  const sure = key ?? (previous === 'pressed' ? afterPressed[word] : undefined);
  if (isAfter(verbs) && sure !== undefined) return certainly(sure);
  // "press it" for "press eight", "press mumble" for any key
  if (isAfter(verbs) && word === 'it') return previous === 'press' ? maybe(['eight']) : undefined;
  if (isAfter(verbs) && !plainAfterVerb.has(word)) return maybe(...anyKey);
  // "the pan key" for "the pound key", "the mumble key" for any key
  if ((next === 'key' || next === 'sign') && beforeKey[word] !== undefined) return certainly('pound');
  return next === 'key' && !plainBeforeKey.has(word) && slots[at]?.own.flat().length === 1
    ? maybe(...anyKey)
    : undefined;
}
