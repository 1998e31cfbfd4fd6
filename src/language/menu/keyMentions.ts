import { countedList } from './countedList.ts';
import { keyAt, word, type KeyMention } from './keyNames.ts';
import type { MenuLexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

interface KeyRun {
  readonly keys: string[];
  readonly to: number;
}

/**
 * The tokens with every number to call ("dial nine one one", "text 988") and what hangs on it made a sentence end, so that no label is read
 * across it and no key out of it.
 */
export function partNumbers(tokens: readonly Token[], lexicon: MenuLexicon): Token[] {
  const parted = [...tokens];
  const isNumber = (index: number): boolean =>
    /^\d{2,}$/.test(word(tokens, index)) ||
    /^\d+-[\d-]+$/.test(word(tokens, index)) ||
    isDigit(keyAt(tokens, index, lexicon)?.key ?? '');
  for (let index = 0; index < tokens.length; index += 1) {
    if (!/^(?:dial|call|text|calling|dialing|at|ring)$/.test(word(tokens, index))) continue;
    let end = index + 1;
    while (isNumber(end)) end += 1;
    const single = end - index === 2 && isDigit(keyAt(tokens, index + 1, lexicon)?.key ?? '');
    if (end === index + 1 || single) continue;
    // "call 988, then press 1 if …": keys pressed on that other call are none of this menu's.
    const then = tokens[end]?.kind === 'weak' ? end + 1 : end;
    if (word(tokens, then) === 'then') {
      end = then;
      while (end < tokens.length && tokens[end]?.kind !== 'strong') end += 1;
    }
    for (let at = index; at < end; at += 1) parted[at] = { text: '.', kind: 'strong' };
  }
  return parted;
}

export function findKeyMentions(tokens: readonly Token[], lexicon: MenuLexicon): KeyMention[] {
  const mentions: KeyMention[] = [];
  for (let index = 0; index < tokens.length;) {
    const mention = explicitMention(tokens, index, lexicon) ?? elidedMention(tokens, index, lexicon, mentions.at(-1));
    if (mention) mentions.push(mention);
    index = mention ? mention.to : index + 1;
  }
  const kept = dropLonelyLists(mentions, tokens, lexicon);
  return kept.length === 0 ? countedList(tokens, lexicon) : kept;
}

function explicitMention(tokens: readonly Token[], start: number, lexicon: MenuLexicon): KeyMention | undefined {
  let index = start;
  let spoken = false;
  const isSay = (at: number): boolean => lexicon.sayVerbs.has(word(tokens, at));
  const isPress = (at: number): boolean =>
    lexicon.pressVerbs.has(word(tokens, at)) || lexicon.weakVerbs.has(word(tokens, at));
  if (isSay(index) && lexicon.joiners.has(word(tokens, index + 1)) && isPress(index + 2)) {
    spoken = true;
    index += 2;
  }
  const verb = word(tokens, index);
  const strong = lexicon.pressVerbs.has(verb);
  if (!strong && !lexicon.weakVerbs.has(verb)) return undefined;
  if (verb === 'option' && /^(?:selected|chosen|chose|entered|picked)$/.test(word(tokens, start - 1))) return undefined;
  index += 1;
  if (lexicon.joiners.has(word(tokens, index)) && isSay(index + 1)) {
    spoken = true;
    index += 2;
  }
  if (tokens[index]?.kind === 'weak') index += 1;
  while (lexicon.beforeKey.has(word(tokens, index)) && !keyAt(tokens, index, lexicon) && index - start < 7) index += 1;
  const run =
    keyRun(tokens, index, lexicon) ??
    (strong && verb.startsWith('press') ? misheardKey(tokens, index, lexicon) : undefined);
  if (!run) return undefined;
  if (!strong && !weakVerbFits(tokens, run.to, lexicon)) return undefined;
  // "by pressing 1 you agree": the preposition belongs to the verb.
  return {
    keys: run.keys,
    from: word(tokens, start - 1) === 'by' ? start - 1 : start,
    to: run.to,
    elided: false,
    spoken,
  };
}

/** "enter 1 to continue", "use the star key to go back" name keys; "enter 4 digits" does not. */
function weakVerbFits(tokens: readonly Token[], to: number, lexicon: MenuLexicon): boolean {
  const next = tokens[to];
  return (
    !next ||
    next.kind !== 'word' ||
    lexicon.cues.has(next.text) ||
    lexicon.joiners.has(next.text) ||
    lexicon.afterKey.has(word(tokens, to - 1))
  );
}

/** One key, a list ("1 or 2", "1, 2 or 3") or a range ("1 through 5"), with the words that belong to it ("the 4 key now"). */
function keyRun(tokens: readonly Token[], start: number, lexicon: MenuLexicon): KeyRun | undefined {
  const first = keyAt(tokens, start, lexicon);
  if (!first) return undefined;
  const keys = [first.key];
  let to = start + first.width;
  if (isDigitString(tokens, start, to, lexicon)) return undefined;
  to = skipAfterKey(tokens, to, lexicon);

  const last = lexicon.rangeWords.has(word(tokens, to)) ? keyAt(tokens, to + 1, lexicon) : undefined;
  if (
    last &&
    isDigit(first.key) &&
    isDigit(last.key) &&
    Number(first.key) < Number(last.key) &&
    !lexicon.cues.has(word(tokens, to + 1 + last.width - 1))
  ) {
    for (let digit = Number(first.key) + 1; digit <= Number(last.key); digit += 1) keys.push(String(digit));
    return { keys, to: skipAfterKey(tokens, to + 1 + last.width, lexicon) };
  }
  for (;;) {
    let next = to;
    if (tokens[next]?.kind === 'weak') next += 1;
    if (lexicon.joiners.has(word(tokens, next))) next += 1;
    while (next > to && (word(tokens, next) === 'the' || word(tokens, next) === 'press')) next += 1;
    const more = next > to ? keyAt(tokens, next, lexicon) : undefined;
    // "press 1 or 2 to …" is a list; "1 for sales, 2 for service" are two mentions, told apart by what stands between.
    if (!more || keys.includes(more.key) || tokens.slice(to, next).some((token) => token.text === 'press')) break;
    if (!listGoesOn(tokens, next + more.width, lexicon) || isDigitString(tokens, next, next + more.width, lexicon))
      break;
    if (lexicon.notAfterBareKey.has(word(tokens, next + more.width))) break;
    keys.push(more.key);
    to = skipAfterKey(tokens, next + more.width, lexicon);
  }
  return { keys, to };
}

/** A list of keys is followed by its label's cue, a joiner, punctuation or the end, not by another noun ("press 1 or 2 people …"). */
function listGoesOn(tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean {
  const next = tokens[index];
  return (
    !next ||
    next.kind !== 'word' ||
    lexicon.cues.has(next.text) ||
    lexicon.joiners.has(next.text) ||
    lexicon.afterKey.has(next.text) ||
    keyAt(tokens, index, lexicon) !== undefined
  );
}

function skipAfterKey(tokens: readonly Token[], index: number, lexicon: MenuLexicon): number {
  let to = index;
  while (lexicon.afterKey.has(word(tokens, to))) to += 1;
  return to;
}

const isDigit = (key: string): boolean => /^\d$/.test(key);

/** "dial nine one one", "4 1 5 …": a number, not keys. A lone "two" or "four" after a key is a misheard "to" or "for". */
function isDigitString(tokens: readonly Token[], start: number, to: number, lexicon: MenuLexicon): boolean {
  const next = keyAt(tokens, to, lexicon);
  if (!next || !isDigit(next.key) || !isDigit(keyAt(tokens, start, lexicon)?.key ?? '')) return false;
  const after = keyAt(tokens, to + next.width, lexicon);
  return (
    (after !== undefined && isDigit(after.key)) ||
    !['two', 'four', 'to', 'for'].includes(word(tokens, to)) ||
    !word(tokens, to + 1)
  );
}

function misheardKey(tokens: readonly Token[], index: number, lexicon: MenuLexicon): KeyRun | undefined {
  const heard = word(tokens, index);
  const key = Object.hasOwn(lexicon.misheardKeys, heard) ? lexicon.misheardKeys[heard] : undefined;
  if (key === undefined) return undefined;
  const following = word(tokens, index + 1);
  if (heard === 'it' && /^(?:at|again|when|any|until|after|now)$/.test(following)) return undefined;
  return { keys: [key], to: skipAfterKey(tokens, index + 1, lexicon) };
}

/** A key without a verb, in a list that a verb began: ", 2 for service", "or pound to cancel", "billing, 4;". */
function elidedMention(
  tokens: readonly Token[],
  index: number,
  lexicon: MenuLexicon,
  previous: KeyMention | undefined,
): KeyMention | undefined {
  const before = tokens[index - 1];
  const misheard = /^(?:it|pan|start)$/.test(word(tokens, index))
    ? lexicon.misheardKeys[word(tokens, index)]
    : undefined;
  if (
    previous &&
    misheard !== undefined &&
    lexicon.joiners.has(before?.text ?? '') &&
    word(tokens, index + 1) === 'to'
  ) {
    return { keys: [misheard], from: index, to: index + 1, elided: true, spoken: false };
  }
  const found = keyAt(tokens, index, lexicon);
  if (!found) return undefined;
  const run = keyRun(tokens, index, lexicon);
  if (!run) return undefined;
  if (before?.kind === 'word' && lexicon.notBeforeBareKey.has(before.text)) return undefined;
  const next = tokens[run.to];
  if (next?.kind === 'word' && lexicon.notAfterBareKey.has(next.text)) return undefined;
  const elided: KeyMention = { keys: run.keys, from: index, to: run.to, elided: true, spoken: false };
  const cueFollows =
    next?.kind === 'word' &&
    lexicon.cues.has(next.text) &&
    !/^\d/.test(word(tokens, run.to + 1)) &&
    keyAt(tokens, run.to + 1, lexicon) === undefined;
  if (cueFollows && !(isDigit(found.key) && run.to - index > found.width + 2)) {
    const listStart = previous === undefined && (before === undefined || before.kind !== 'word');
    return previous !== undefined || listStart ? elided : undefined;
  }
  const closes = next === undefined || next.kind !== 'word';
  if (previous !== undefined && closes && before?.kind === 'weak' && near(tokens, previous, index)) return elided;
  // "for sales press one service two billing three": the count goes on, each key behind a few words.
  if (
    previous !== undefined &&
    Number(found.key) === Number(previous.keys.at(-1)) + 1 &&
    index > previous.to &&
    index - previous.to <= 6 &&
    near(tokens, previous, index) &&
    (before?.kind === 'weak' ||
      (before?.kind === 'word' && !lexicon.joiners.has(before.text) && !lexicon.cues.has(before.text))) &&
    !lexicon.pressVerbs.has(word(tokens, run.to))
  )
    return elided;
  if (
    previous === undefined &&
    found.key === '1' &&
    before?.kind === 'weak' &&
    index <= 6 &&
    tokens.slice(index + 1, index + 8).some((token) => lexicon.keys[token.text] === '2')
  )
    return elided;
  return undefined;
}

/** At most one sentence end between the last mention and this one. */
const near = (tokens: readonly Token[], previous: KeyMention, index: number): boolean =>
  tokens.slice(previous.to, index).filter((token) => token.kind === 'strong').length <= 1 && index - previous.to <= 14;

/** A list without any verb ("1 for sales, 2 for service") counts from two keys on; a single bare number does not. */
function dropLonelyLists(mentions: KeyMention[], tokens: readonly Token[], lexicon: MenuLexicon): KeyMention[] {
  if (mentions.some((mention) => !mention.elided)) return mentions;
  const labelled = mentions.filter((mention) => lexicon.cues.has(word(tokens, mention.to)));
  return labelled.length >= 2 ? mentions : [];
}
