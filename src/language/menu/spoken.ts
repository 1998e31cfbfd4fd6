import { patternWith } from '../../base/rows.ts';
import type { MenuLexicon } from './lexicon.ts';

/** Phrases that the prompt offers to be said, lower case, in order. */
export function readPhrases(text: string, lexicon: MenuLexicon): string[] {
  const phrases: string[] = [];
  const lower = text
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/(^|[\s(])'([^']{1,60})'(?=[\s,.;?!)]|$)/g, '$1"$2"');
  for (const match of lower.matchAll(
    patternWith('g')`
      \b(?:say|saying)(?:
        [ ](?:things like|something like|phrases like|for example|just|simply|either|one of the following)
      )?[,:]?[ ]
    `,
  )) {
    const rest = lower.slice(match.index + match[0].length);
    if (
      /\b(?:did you|i heard you|you|didn't you)\s*$/.test(lower.slice(Math.max(0, match.index - 20), match.index)) &&
      /\?/.test(/^[^.;!]*/.exec(rest)?.[0] ?? '') &&
      !/\b(?:can|may|could) you\s*$|\bcan\s*$/.test(lower.slice(0, match.index))
    )
      continue;
    if (/^(?:or|and) (?:press|dial|enter|key|type)\b/.test(rest)) continue;
    phrases.push(...listAt(rest, lexicon));
  }
  return [...new Set(phrases)];
}

function listAt(rest: string, lexicon: MenuLexicon): string[] {
  if (rest.startsWith('"')) {
    const quoted = /^(?:"[^"]{1,80}"(?:,? ?(?:or |and )?)?)+/.exec(rest)?.[0] ?? '';
    return [...quoted.matchAll(/"([^"]+)"/g)].map(([, phrase]) => tidy(phrase ?? '')).filter((phrase) => phrase !== '');
  }
  if (lexicon.openPhrase.test(rest)) return [];
  const sentence = /^[^.;?!"]*/.exec(rest)?.[0] ?? '';
  const end = lexicon.phraseEnd.exec(sentence)?.index ?? sentence.length;
  return sentence
    .slice(0, end)
    .split(/,\s*(?:or |and )?|\s+or\s+/)
    .map(tidy)
    .filter((phrase) => phrase !== '' && phrase.split(' ').length <= 6);
}

const tidy = (phrase: string): string =>
  phrase
    .replace(/^(?:or|and|say|either)\s+/, '')
    .replace(/[\s,.:;?!"]+$/g, '')
    .replace(/\s+(?:or|and)$/, '')
    .trim();
