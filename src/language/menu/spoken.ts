import { english } from './english.ts';
import type { MenuLexicon } from './lexicon.ts';

const mostWords = 6;
/** How many characters after "say" are read: no list of phrases is longer. */
const reach = 600;

/** Returns the phrases that the prompt offers, in lower case, in order. */
export function readPhrases(text: string, lexicon: MenuLexicon): string[] {
  const quoted = text.replace(/[“”]/g, '"').replace(/(^|[\s(])'([^']{1,60})'(?=[\s,.;?!)]|$)/g, '$1"$2"');
  let [at, quotes] = [0, 0];
  /** Inside a phrase: "I'd *like* to cancel". The positions are in order, so each mark is counted once. */
  const isQuoted = (index: number): boolean => {
    for (; at < index; at += 1) if (quoted[at] === '"') quotes += 1;
    return quotes % 2 === 1;
  };
  return [...quoted.matchAll(lexicon.phraseIntro)]
    .filter(({ index }) => !isQuoted(index) && !lexicon.phraseHeard.test(quoted.slice(Math.max(0, index - 20), index)))
    .flatMap(({ 0: intro, index }) =>
      listAt(quoted.slice(index + intro.length, index + intro.length + reach), lexicon),
    );
}

function listAt(rest: string, lexicon: MenuLexicon): string[] {
  const tidy = (phrase: string): string => phrase.replace(lexicon.phraseEdges, '').trim();
  if (rest.startsWith('"')) {
    const quoted = /^(?:"[^"]{1,80}"(?:,? ?(?:[^".;?!]{0,30} )?)?)+/.exec(rest)?.[0] ?? '';
    return [...quoted.matchAll(/"([^"]+)"/g)].map(([, phrase]) => tidy(phrase ?? '')).filter((phrase) => phrase !== '');
  }
  const sentence = /^[^.;?!"]*/.exec(rest)?.[0] ?? '';
  return sentence
    .slice(0, lexicon.phraseEnd.exec(sentence)?.index)
    .split(new RegExp(`,\\s*|\\s+(?:${[...lexicon.alternatives].join('|')})\\s+`))
    .map(tidy)
    .filter((phrase) => phrase !== '')
    .flatMap((phrase, index, all) =>
      index < all.length - 1 && !sentence.includes(',') ? unlisted(phrase, all, lexicon) : parted(phrase, lexicon),
    )
    .filter((phrase) => phrase.split(' ').length <= mostWords)
    .map((phrase) => keyName(phrase, lexicon) ?? phrase);
}

/**
 * Splits the phrases before "or support", because a recogniser drops their commas: nouns in a row, phrases that end
 * alike ("new patient existing patient") or begin with a verb ("pay a bill report a fault").
 */
function unlisted(phrase: string, all: readonly string[], lexicon: MenuLexicon): string[] {
  const words = phrase.split(' ');
  const isHead = (word = ''): boolean => lexicon.compoundHead.test(word);
  const isList = words.every((word, index) => lexicon.listedNoun.test(word) || (index > 0 && isHead(word)));
  const last = words.at(-1) ?? '';
  const repeats = words.indexOf(last) < words.length - 1;
  const isShared = all.some((other) => other !== phrase && other.endsWith(` ${last}`));
  return words
    .reduce((text, word, index) => {
      const begins = repeats
        ? words[index - 1] === last
        : isList
          ? !isShared && !isHead(word)
          : lexicon.phraseVerb.test(words.slice(index - 1, index + 2).join(' '));
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
export function partedByEcho(phrase: string, heard: string, lexicon: MenuLexicon = english): readonly string[] {
  const words = phrase.split(' ');
  const echo = heard.toLowerCase().replace(lexicon.beforeEcho, '');
  for (let count = words.length - 1; count > 0; count -= 1) {
    const [first, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    const isEcho = echo.startsWith(first) && lexicon.afterEcho.test(echo.slice(first.length));
    if (isEcho) return echo.includes(rest) ? [] : [first, rest];
  }
  return [];
}
