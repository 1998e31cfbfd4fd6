import type { MenuLexicon } from './lexicon.ts';

const mostWords = 6;

/** Phrases that the prompt offers to be said, lower case, in order. */
export function readPhrases(text: string, lexicon: MenuLexicon): string[] {
  const quoted = text.replace(/[“”]/g, '"').replace(/(^|[\s(])'([^']{1,60})'(?=[\s,.;?!)]|$)/g, '$1"$2"');
  return [...quoted.matchAll(lexicon.phraseIntro)]
    .filter(
      ({ index }) =>
        !isQuoted(quoted, index) && !lexicon.phraseHeard.test(quoted.slice(Math.max(0, index - 20), index)),
    )
    .flatMap(({ 0: intro, index }) => listAt(quoted.slice(index + intro.length), lexicon));
}

/** Inside a phrase: "I'd *like* to cancel". */
const isQuoted = (text: string, index: number): boolean => text.slice(0, index).split('"').length % 2 === 0;

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
    .filter((phrase) => phrase !== '' && phrase.split(' ').length <= mostWords)
    .flatMap((phrase, index, all) =>
      index < all.length - 1 && !sentence.includes(',') ? listedNouns(phrase, lexicon) : [phrase],
    )
    .map((phrase) => keyName(phrase, lexicon) ?? phrase);
}

/** "billing payments", before "or support": a recogniser drops the comma. */
function listedNouns(phrase: string, lexicon: MenuLexicon): string[] {
  const nouns = phrase.split(' ');
  return nouns.every((noun) => lexicon.listedNoun.test(noun)) ? nouns : [phrase];
}

/** "1 for yes" offers "one". */
function keyName(phrase: string, lexicon: MenuLexicon): string | undefined {
  const [first = '', second = ''] = phrase.split(' ');
  const isKey = Object.hasOwn(lexicon.keys, first) && (second === '' || lexicon.cues.has(second));
  return isKey ? lexicon.keyNames[lexicon.keys[first] ?? ''] : undefined;
}
