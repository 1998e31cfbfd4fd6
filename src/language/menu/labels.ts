import { pattern } from '../../base/rows.ts';
import type { Direction } from './directions.ts';
import type { MenuLexicon } from './lexicon.ts';
import { wordsOf, type Token } from './tokens.ts';

/**
 * The shortest faithful phrase of the prompt's own words: without "for", "to", "if you would like to", "please" and the
 * like.
 */
export function cleanLabel(tokens: readonly Token[], direction: Direction, lexicon: MenuLexicon): string {
  const clause = direction === 'before' ? lastClause(tokens, lexicon) : firstClause(tokens, lexicon);
  let label = wordsOf(clause);
  for (const preamble of lexicon.preambles) {
    const rest = label.replace(preamble, '').trim();
    if (rest !== '' && direction === 'before') label = rest;
  }
  for (let changed = true; changed;) {
    const before = label;
    for (const prefix of lexicon.labelPrefixes) {
      const rest = label.replace(prefix, '').trim();
      if (rest !== '' && rest !== label) {
        label = rest;
        break;
      }
    }
    for (const suffix of lexicon.labelSuffixes) {
      const rest = label.replace(suffix, '').trim();
      if (rest !== '') label = rest;
    }
    changed = label !== before;
  }
  return label;
}

/**
 * "Thanks for calling, for billing" → "for billing": talk before the clause that a cue begins after a comma is no
 * label.
 */
function lastClause(tokens: readonly Token[], lexicon: MenuLexicon): readonly Token[] {
  const isCue = (index: number): boolean => lexicon.cues.has(tokens[index]?.text ?? '');
  let start = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const previous = tokens[index - 1];
    if (previous?.kind === 'weak' && isCue(index) && !isCueClause(tokens.slice(start, index), lexicon)) start = index;
  }
  if (start === 0 && tokens.length > 0 && !isCueClause(tokens, lexicon)) {
    const late = greetingEnd(tokens, lexicon);
    if (late > 0) start = late;
  }
  const clause = tokens.slice(start);
  return clause.length > longClause ? clause.slice(lastCue(clause, lexicon)) : clause;
}

/** A clause this long, without punctuation, holds talk before its label. */
const longClause = 13;

function lastCue(tokens: readonly Token[], lexicon: MenuLexicon): number {
  for (let index = tokens.length - 2; index > 0; index -= 1) {
    const token = tokens[index];
    if (token?.kind !== 'word' || !lexicon.cues.has(token.text) || notClauseStart.test(tokens[index - 1]?.text ?? ''))
      continue;
    const ifBefore = tokens.findLastIndex((other, at) => at < index && at > index - 7 && other.text === 'if');
    return ifBefore > 0 && token.text === 'to' ? ifBefore : index;
  }
  return 0;
}

const notClauseStart = pattern`
  ^(?:
    thank|thanks|calling|welcome|like|want|wish|need|open|from|back|listen|go|going|you|listening|hours
    |available|waiting|due|how|asking|continue|looking|pay|wait|ready|able|or|and|where|attend|apply|up
    |next|responsible
  )$
`;

/**
 * Without punctuation a greeting runs into the first label: "thank you for calling acme for billing press one". The
 * last "for" or "if" begins it.
 */
function greetingEnd(tokens: readonly Token[], lexicon: MenuLexicon): number {
  const text = wordsOf(tokens);
  if (
    !pattern`
      \b(?:
        thank you|thanks|welcome|you have reached|you've reached|hello|listen|calling|options|hours|open
        |located|visit|busy|911|nine one one|emergency|recorded|changed|press
      )\b
    `.test(text) &&
    !statement.test(text)
  )
    return 0;
  return lastCue(tokens, lexicon);
}

/** "your order number is four four one nine to hear this again": what is told before the label. */
const statement = /^(?:your|the|this|our|we|you|there|it|all|i) .*\b(?:is|are|was|were|has|have|will|can)\b/;

const isCueClause = (tokens: readonly Token[], lexicon: MenuLexicon): boolean => {
  const first = tokens.find(
    (token) =>
      token.kind === 'word' &&
      !lexicon.joiners.has(token.text) &&
      token.text !== 'otherwise' &&
      token.text !== 'please',
  );
  return first !== undefined && lexicon.cues.has(first.text);
};

/** "for sales, or stay on the line" → "for sales": after the key the label ends where another offer begins. */
function firstClause(tokens: readonly Token[], lexicon: MenuLexicon): readonly Token[] {
  let start = 0;
  while (tokens[start] && tokens[start]?.kind !== 'word') start += 1;
  const rest = tokens.slice(start);
  const end = rest.findIndex((token, index) => {
    if (index === 0) return false;
    const next = wordsOf(rest.slice(index, index + 5));
    if (token.kind === 'weak') {
      const after = wordsOf(rest.slice(index + 1, index + 6));
      return (
        pattern`
          ^(?:(?:or|and|otherwise|please|then|otherwise please|or please|or just|or simply|but) )?(?:
            (?:stay|hold|wait|remain|continue to hold|hang up|say|press|dial|visit)\b|otherwise|thank|please
            |you can|you may|if|for|to\b
          )
        `.test(after) && lexicon.language === 'en'
      );
    }
    return (
      token.kind === 'strong' ||
      pattern`
        ^(?:
          (?:or|otherwise|and) (?:please )?(?:stay|hold|wait|remain|hang up|say|simply|just|continue to hold)\b
          |otherwise\b
          |please (?:hold|stay|remain|wait|listen)\b
        )
      `.test(next)
    );
  });
  return end === -1 ? rest : rest.slice(0, end);
}
