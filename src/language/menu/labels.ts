import { classifyLabel } from '../labels/classifyLabel.ts';
import type { MenuLexicon } from './lexicon.ts';
import { tokenWordsOf, type Token } from './tokens.ts';

/** On which side of its key a label is: "for sales, press 1" (before) or "press 1 for sales" (after). */
export type LabelSide = 'before' | 'after';

/** Returns the shortest faithful phrase from the prompt, without "for", "if you would like to", "please" and so on. */
export function cleanLabel(
  tokens: readonly Token[],
  direction: LabelSide,
  lexicon: MenuLexicon,
  leads: readonly string[] = [],
): string {
  const clause = direction === 'before' ? lastClause(tokens, lexicon, leads) : firstClause(tokens, lexicon);
  const strip = (label: string, pattern: RegExp): string => label.replace(pattern, '').trim() || label;
  let label = tokenWordsOf(clause);
  for (let before = ''; before !== label;) {
    before = label;
    const prefix = lexicon.labelPrefixes.find((pattern) => strip(label, pattern) !== label);
    label = lexicon.labelSuffixes.reduce(strip, prefix ? strip(label, prefix) : label);
  }
  return label;
}

/** "Thanks for calling, for billing" → "for billing": words before a comma and a cue aren't part of the label. */
function lastClause(all: readonly Token[], lexicon: MenuLexicon, leads: readonly string[]): readonly Token[] {
  const tokens = all.slice(talkEnd(all, lexicon));
  let start = 0;
  for (let index = 1; index < tokens.length; index += 1) {
    // "… squash or to speak to an agent"
    const isNext = tokens[index - 1]?.kind === 'weak' || lexicon.alternatives.has(tokens[index - 1]?.text ?? '');
    if (!isNext || !lexicon.cues.has(tokens[index]?.text ?? '')) continue;
    const past = tokens.slice(start, index);
    if (!cueOf(past, lexicon) || lexicon.aim.test(tokenWordsOf(past))) start = index;
  }
  // Without punctuation, a greeting runs into the first label: "thank you for calling acme for billing press one".
  const words = tokenWordsOf(tokens);
  const isOffer = cueOf(tokens, lexicon) !== '';
  const isLong = tokens.length > (isOffer ? longOffer : longClause);
  const isTalk = (isOffer ? lexicon.aim : lexicon.call).test(words) || lexicon.step.test(`, ${words}`);
  if (start === 0 && (isTalk || (isOffer ? isLong && leads.length > 0 : isLong || leads.length > 0))) {
    const cue = lastCue(tokens, lexicon, leads);
    // "cancel your order for delivery press one for hours press two" has no greeting.
    if (isTalk || isLong || classifyLabel(tokenWordsOf(tokens.slice(0, cue))).class !== 'irreversible') start = cue;
  }
  // "if the line is down, leave the area and press 1": the other instruction isn't part of the label.
  const isSteps = tokens[start]?.text === lexicon.conditionCue && lexicon.joiners.has(tokens.at(-1)?.text ?? '');
  const step = tokens.findIndex(
    ({ kind }, index) =>
      index > start &&
      (lexicon.step.test(textAt(tokens, index)) ||
        (isSteps && kind === 'weak' && !lexicon.joiners.has(tokens[index + 1]?.text ?? ''))),
  );
  return tokens.slice(start, step > start && cueOf(tokens.slice(start), lexicon) ? step + 1 : tokens.length);
}

/** Returns the end of the clauses of talk before a label ("hello, this is acme, parking"), or 0 if all is talk. */
function talkEnd(tokens: readonly Token[], lexicon: MenuLexicon): number {
  let end = 0;
  for (let comma = tokens.findIndex(({ kind }) => kind === 'weak'); comma !== -1;) {
    const clause = tokens.slice(end, comma);
    if (cueOf(clause, lexicon) || !lexicon.call.test(tokenWordsOf(clause))) break;
    if (tokens.slice(comma).some(({ kind, text }) => kind === 'word' && !lexicon.joiners.has(text))) end = comma + 1;
    comma = tokens.findIndex(({ kind }, index) => kind === 'weak' && index > comma);
  }
  return end;
}

/** Returns seven tokens from an index, padded with commas. */
const textAt = (tokens: readonly Token[], start: number): string =>
  Array.from({ length: 7 }, (_, offset) => tokens[start + offset]?.text ?? ',').join(' ');

/** A clause of this length, without punctuation, contains other words before its label. */
const longClause = 13;
/** The same for a clause that begins like an offer. */
const longOffer = 20;
/** Most labels have fewer words. */
const usualLabel = 9;

/** Returns where the last cue begins a clause, preferably a cue that leads the list's other labels, or 0. */
function lastCue(tokens: readonly Token[], lexicon: MenuLexicon, leads: readonly string[]): number {
  const textAfter = (index: number, offset: number): string => tokens[index + offset]?.text ?? '';
  const isCue = ({ text }: Token, index: number): boolean =>
    index > 0 &&
    index < tokens.length - 1 &&
    lexicon.cues.has(text) &&
    !Object.hasOwn(lexicon.keys, textAfter(index, 1)) &&
    // "add money to your account"
    !(text === lexicon.purposeCue && lexicon.determiners.has(textAfter(index, 1))) &&
    !lexicon.notCueAfter[text]?.has(textAfter(index, -1));
  const end = tokens.findLastIndex(isCue);
  const lead = tokens.findLastIndex((cue, at) => [...leads, lexicon.conditionCue].includes(cue.text) && isCue(cue, at));
  // In "acme for tickets to london", the last cue is inside the label, but not in "care for kids to hear a balance".
  const isInside = lead >= 0 && end - lead < usualLabel && !lexicon.determiners.has(textAfter(end, 2));
  const last = isInside ? lead : end;
  const condition = tokens.findLastIndex(
    ({ text }, index) => index < last && index > last - 10 && text === lexicon.conditionCue,
  );
  return condition >= 0 && !lexicon.aim.test(tokenWordsOf(tokens.slice(condition, last)))
    ? condition
    : Math.max(0, last);
}

/** Returns the cue that begins a clause, or an empty string. */
export function cueOf(tokens: readonly Token[], lexicon: MenuLexicon): string {
  const first = tokens.find(
    ({ kind, text }) => kind === 'word' && !lexicon.joiners.has(text) && !lexicon.fillers.has(text),
  );
  return first && lexicon.cues.has(first.text) ? first.text : '';
}

/** "for sales, or stay on the line" → "for sales": after the key, the label ends where another offer begins. */
function firstClause(tokens: readonly Token[], lexicon: MenuLexicon): readonly Token[] {
  const rest = tokens.slice(
    Math.max(
      0,
      tokens.findIndex(({ kind }) => kind === 'word'),
    ),
  );
  const end = rest.findIndex(({ kind }, index) => {
    if (index === 0) return false;
    if (kind === 'weak') return lexicon.offerAfterComma.test(tokenWordsOf(rest.slice(index + 1, index + 6)));
    return (
      kind === 'strong' ||
      lexicon.offerAfterLabel.test(tokenWordsOf(rest.slice(index, index + 5))) ||
      lexicon.statement.test(textAt(rest, index - 2))
    );
  });
  return end === -1 ? rest : rest.slice(0, end);
}
