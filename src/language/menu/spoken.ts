import { englishLexicon } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';

const mostWords = 6;
/** How many characters after "say" are read: no list of phrases is longer. */
const reach = 600;
/** How many characters before "say" show who says it. */
const reachBefore = 40;

/** Returns the phrases that the prompt offers, in lower case, in order. */
export function readPhrases(text: string, lexicon: MenuLexicon): string[] {
  const quoted = text.replace(/[“”]/g, '"').replace(/(^|[\s(])'([^']{1,60})'(?=[\s,.;?!)]|$)/g, '$1"$2"');
  let [at, quotes] = [0, 0];
  /** Inside a phrase: "I'd *like* to cancel". The positions are in order, so each mark is counted once. */
  const isQuoted = (index: number): boolean => {
    for (; at < index; at += 1) if (quoted[at] === '"') quotes += 1;
    return quotes % 2 === 1;
  };
  const isHeard = (intro: string, index: number): boolean =>
    lexicon.sayVerbs.has(/^\w*/.exec(intro)?.[0] ?? '') &&
    lexicon.phraseHeard.test(quoted.slice(Math.max(0, index - reachBefore), index));
  return [...quoted.matchAll(lexicon.phraseIntro)]
    .filter(({ 0: intro, index }) => !isQuoted(index) && !isHeard(intro, index))
    .flatMap(({ 0: intro, index }) => {
      const from = index + intro.length;
      return listAt(quoted.slice(from, from + reach), /[:.] $/.test(intro), lexicon);
    });
}

function listAt(rest: string, marked: boolean, lexicon: MenuLexicon): string[] {
  const tidy = (phrase: string): string => phrase.replace(lexicon.phraseEdges, '').trim();
  const mixed = withoutQuotes(rest, lexicon);
  if (mixed !== undefined) return listAt(mixed, marked, lexicon);
  if (rest.startsWith('"')) {
    const quoted = /^(?:"[^"]{1,80}"(?:[.;?!] ?(?:or[:,]? )?(?=")|,? ?(?:[^".;?!]{0,30} )?)?)+/.exec(rest)?.[0] ?? '';
    return [...quoted.matchAll(/"([^"]+)"/g)].map(([, phrase]) => tidy(phrase ?? '')).filter((phrase) => phrase !== '');
  }
  const [first = '', ...later] = (/^[^"]*/.exec(rest)?.[0] ?? '').split(/[.;?!]+\s*/);
  const end = lexicon.phraseEnd.exec(first)?.index ?? first.length;
  const isCut = end < first.length;
  const list = [first.slice(0, end), ...(isCut ? [] : listedSentences(first, later, marked, lexicon))].join(', ');
  const isSeparated = list.includes(',') || first.includes(',');
  return list
    .split(new RegExp(`,\\s*|\\s+[-–—]\\s+|\\s+(?:${[...lexicon.alternatives].join('|')})\\s+`))
    .map(tidy)
    .filter((phrase) => phrase !== '')
    .flatMap((phrase, index, all) => {
      const isOpen = index < all.length - 1 || (isCut && wordCount(phrase) > mostWords);
      return (isOpen && !isSeparated) || lexicon.twoPhrases.test(phrase)
        ? unlisted(phrase, all, lexicon)
        : parted(phrase, lexicon);
    })
    .filter((phrase) => wordCount(phrase) <= mostWords)
    .map((phrase) => keyName(phrase, lexicon) ?? phrase);
}

/**
 * Returns the list without its quotes if they are around some of its phrases only, because then they are a guess of the
 * recogniser: '"Visitor." Exhibitor, press or sponsor'.
 */
function withoutQuotes(rest: string, lexicon: MenuLexicon): string | undefined {
  if (!rest.includes('"')) return undefined;
  const plain = rest
    .replace(/[.,]?"[.,]?\s*/g, ', ')
    .replace(/^[\s,]+/, '')
    .replace(/(?:,\s*)+/g, ', ')
    .replace(/([.;?!])[\s,]+/g, '$1 ');
  // Up to the sentence with "or".
  const sentences = plain.slice(0, lexicon.phraseEnd.exec(plain)?.index).split(/[.;?!]/);
  const list = sentences.slice(0, sentences.findIndex((part) => lexicon.closesList.test(part)) + 1).join(',');
  const isList = list.split(/,\s*|\s+or\s+/).every((phrase) => wordCount(phrase.trim()) <= mostWords);
  const unquoted =
    rest
      .replace(/"[^"]*"/g, '')
      .split(/[.;?!]/)
      .find((part) => /\w/.test(part)) ?? '';
  const isInside = /"[^".]*\. [^"]*"/.test(rest);
  const isOffer = unquoted
    .slice(0, lexicon.phraseEnd.exec(unquoted)?.index)
    .split(/\W+/)
    .some((part) => lexicon.cues.has(part));
  const isMixed = !isOffer && /\w{3}/.test(unquoted.replace(/\b(?:or|and)\b/g, '')) && lexicon.closesList.test(list);
  return (isMixed || isInside) && isList && !lexicon.notListed.test(list) ? plain : undefined;
}

const wordCount = (phrase: string): number => phrase.split(' ').length;

/**
 * Returns the sentences after the first that belong to its list: a pause between two phrases is heard as the end of a
 * sentence. They are short, and "or" before the last one closes the list.
 *
 * @param marked the list is announced ("one of the following:"), so that its second phrase can be its last
 */
function listedSentences(first: string, later: readonly string[], marked: boolean, lexicon: MenuLexicon): string[] {
  const listed: string[] = [];
  let isClosed = lexicon.closesList.test(first);
  const wasClosed = isClosed;
  for (const sentence of later) {
    const isAlternative = lexicon.beginsAlternative.test(sentence);
    const isPhrase =
      !lexicon.notListed.test(sentence) &&
      sentence.split(/,\s*|\s+or\s+/).every((phrase) => wordCount(phrase.trim()) <= mostWords);
    if (sentence === '' || !isPhrase || (isClosed && !isAlternative)) break;
    listed.push(sentence);
    isClosed ||= lexicon.closesList.test(sentence);
  }
  const isList = isClosed || marked || listed.length > 1 || first.includes(',');
  return wasClosed || isList ? listed : [];
}

/**
 * Splits the phrases before "or support", because a recogniser drops their commas: nouns in a row, phrases that end
 * alike ("new patient existing patient"), begin with a verb ("pay a bill report a fault") or with the last word of the
 * one before ("change a flight flight status").
 */
function unlisted(phrase: string, all: readonly string[], lexicon: MenuLexicon): string[] {
  const words = phrase.split(' ');
  const isHead = (word = ''): boolean => lexicon.compoundHead.test(word);
  const isList = words.every((word, index) => lexicon.listedNoun.test(word) || (index > 0 && isHead(word)));
  const last = words.at(-1) ?? '';
  const repeats = words.indexOf(last) < words.length - 1;
  const isShared = all.some((other) => other !== phrase && other.endsWith(` ${last}`));
  // "a claim a policy"
  const isNamed = lexicon.phraseDeterminer.test(`, ${words[0] ?? ''}`);
  const beginsPhrase = isNamed ? lexicon.phraseDeterminer : lexicon.phraseVerb;
  return words
    .reduce((text, word, index) => {
      const begins = repeats
        ? words[index - 1] === last
        : isList
          ? !isShared && !isHead(word)
          : words[index - 1] === word || beginsPhrase.test(words.slice(index - 1, index + 2).join(' '));
      return `${text}${index === 0 ? '' : begins ? ',' : ' '}${word}`;
    }, '')
    .split(',');
}

/** Splits "billing technical support": a noun that can stand alone before another label. */
const parted = (phrase: string, lexicon: MenuLexicon): string[] => phrase.split(lexicon.labelBoundary);

/** "1 for yes" offers "one". */
function keyName(phrase: string, lexicon: MenuLexicon): string | undefined {
  const [first = '', second = ''] = phrase.split(' ');
  const isKey = Object.hasOwn(lexicon.keys, first) && (second === '' || lexicon.cues.has(second));
  return isKey ? lexicon.keyNames[lexicon.keys[first] ?? ''] : undefined;
}

/**
 * Returns the two phrases in this one if what was heard after it repeats only the first ("Billing. You can say …" after
 * "billing technical support"); otherwise nothing.
 */
export function partedByEcho(phrase: string, heard: string, lexicon: MenuLexicon = englishLexicon): readonly string[] {
  const words = phrase.split(' ');
  const echo = heard.toLowerCase().replace(lexicon.beforeEcho, '');
  for (let count = words.length - 1; count > 0; count -= 1) {
    const [first, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    const isEcho = echo.startsWith(first) && lexicon.afterEcho.test(echo.slice(first.length));
    if (isEcho) return echo.includes(rest) ? [] : [first, rest];
  }
  return [];
}
