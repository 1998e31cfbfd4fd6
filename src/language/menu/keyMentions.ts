import { beginsLabel, isPredicate, keyAt, word, type KeyMention } from './keyNames.ts';
import { verbAt, verbGroupStart, type KeyVerb } from './keyVerb.ts';
import type { MenuLexicon } from './lexicon.ts';
import { sentenceEnd, sentenceStart, tokenWordsOf, type Token } from './tokens.ts';

export interface KeyRun {
  readonly keys: readonly string[];
  readonly to: number;
  /** Its last key might begin another item. */
  readonly doubtful?: boolean;
}

/**
 * Replaces every phone number ("dial nine one one", "text 988") and the words that belong to it by a sentence end, so
 * that no label crosses it and no key comes from it.
 */
export function partNumbers(tokens: readonly Token[], lexicon: MenuLexicon): Token[] {
  const parted = [...tokens];
  const isNumber = (index: number): boolean =>
    /^\d{3,}$/.test(word(tokens, index)) ||
    /^\d+-[\d-]+$/.test(word(tokens, index)) ||
    isDigit(keyAt(tokens, index, lexicon)?.key ?? '');
  for (let index = 0; index < tokens.length; index += 1) {
    if (!lexicon.callVerbs.has(word(tokens, index))) continue;
    let end = index + 1;
    while (isNumber(end)) end += 1;
    end = spacedNumber(tokens, index + 1, end, lexicon);
    // "dial 1", "dial 1 2 for hours"
    const isShort =
      end - index <= 3 && tokens.slice(index + 1, end).every((_, at) => keyAt(tokens, index + 1 + at, lexicon));
    if (isShort) continue;
    // "call 988, then press 1 if …": keys for that other call don't belong to this menu.
    const then = tokens[end]?.kind === 'weak' ? end + 1 : end;
    if (lexicon.thenWords.has(word(tokens, then))) {
      end = then;
      while (end < tokens.length && tokens[end]?.kind !== 'strong') end += 1;
    }
    parted.fill(sentenceEnd, index, end);
  }
  return parted;
}

/**
 * Returns the end of a number of three digits or more that the recogniser wrote with commas: "six zero, zero", "one, to,
 * three, for, …". A list of keys has a joiner before its last key, or a label after it. `firstEnd`: the end before the
 * first comma.
 */
function spacedNumber(tokens: readonly Token[], start: number, firstEnd: number, lexicon: MenuLexicon): number {
  let end = firstEnd;
  while (tokens[end]?.kind === 'weak') {
    const heard = word(tokens, end + 1);
    const isSound = Object.hasOwn(lexicon.misheardKeys, heard) && tokens[end + 2]?.kind === 'weak';
    if (!isSound && !isDigit(keyAt(tokens, end + 1, lexicon)?.key ?? '')) break;
    end += 2;
    while (isDigit(keyAt(tokens, end, lexicon)?.key ?? '')) end += 1;
  }
  const next = tokens[end]?.kind === 'weak' ? end + 1 : end;
  const isList = lexicon.joiners.has(word(tokens, next)) || beginsLabel(tokens, next, lexicon);
  return isList || tokens.slice(start, end).filter(({ kind }) => kind === 'word').length < 3 ? firstEnd : end;
}

/** "when you hear the main menu, you can press 0": this many tokens before the verb say when. */
const laterReach = 12;

export function explicitMention(
  tokens: readonly Token[],
  start: number,
  lexicon: MenuLexicon,
  previous: KeyMention | undefined,
): KeyMention | undefined {
  const verb = verbAt(tokens, start, lexicon);
  if (!verb) return undefined;
  let index = word(tokens, verb.to) ? verb.to : verb.to + 1;
  while (lexicon.beforeKey.has(word(tokens, index)) && !keyAt(tokens, index, lexicon) && index - start < 7) index += 1;
  // "press S or 7" names the letter of a key.
  if (
    /^\p{L}$/u.test(word(tokens, index)) &&
    lexicon.alternatives.has(word(tokens, index + 1)) &&
    keyAt(tokens, index + 2, lexicon)
  )
    index += 2;
  const clear =
    (verb.strong ? keySequence(tokens, index, lexicon, previous) : undefined) ??
    (verb.strong ? longNumber(tokens, index, lexicon, !lexicon.callVerbs.has(verb.text), verb.text) : undefined) ??
    keyRun(tokens, index, lexicon);
  const run = clear ?? (verb.strong ? misheardKey(tokens, index, verb, lexicon, previous) : undefined);
  if (!run || (!verb.strong && !labelGoesOn(tokens, run.to, lexicon))) return undefined;
  const before = tokenWordsOf(tokens.slice(Math.max(0, start - laterReach), start));
  if (
    lexicon.offeredLater.test(tokenWordsOf(tokens.slice(run.to, run.to + 5))) ||
    lexicon.offeredLaterBefore.test(before)
  )
    return undefined;
  // "press a 4 digit code"
  if (lexicon.determiners.has(word(tokens, index - 1)) && lexicon.notAfterBareKey.has(word(tokens, run.to)))
    return undefined;
  return {
    ...run,
    from: verbGroupStart(tokens, start, lexicon),
    elided: false,
    spoken: verb.spoken,
    ...(!clear && { misheard: true }),
  };
}

/**
 * After the last key of a mention: the cue of its label, a joiner, punctuation or the end, and no other noun ("enter 4
 * digits", "press 1 or 2 people").
 */
function labelGoesOn(tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean {
  const next = tokens[index];
  return (
    next?.kind !== 'word' ||
    lexicon.cues.has(next.text) ||
    lexicon.joiners.has(next.text) ||
    lexicon.afterKey.has(next.text) ||
    lexicon.afterKey.has(word(tokens, index - 1)) ||
    keyAt(tokens, index, lexicon) !== undefined
  );
}

/** Reads a key, a list ("1, 2 or 3") or a range ("1 through 5"), with the words that belong to it ("the 4 key now"). */
export function keyRun(tokens: readonly Token[], start: number, lexicon: MenuLexicon): KeyRun | undefined {
  const first = keyAt(tokens, start, lexicon);
  if (!first || isDigitString(tokens, start, start + first.width, lexicon)) return undefined;
  const to = skipAfterKey(tokens, start + first.width, lexicon);
  const cue = misheardCue(tokens, to, lexicon);
  if (cue !== undefined) return { keys: [first.key], to: cue };
  const range = keyRange(tokens, first.key, to, lexicon);
  if (range) return range;
  const run = { keys: [first.key], to };
  const ends = [to];
  for (let more = nextOfList(tokens, run, lexicon); more; more = nextOfList(tokens, run, lexicon)) {
    run.keys.push(more.key);
    run.to = more.to;
    ends.push(more.to);
  }
  if (run.keys.length === 1 || !beginsLabel(tokens, run.to, lexicon)) return run;
  return partedRun(tokens, { ...run, ends, from: start }, lexicon);
}

/** Returns the end of "for" that was heard as a key between two pauses, with a name after it: "press 3, four, sales". */
function misheardCue(tokens: readonly Token[], index: number, lexicon: MenuLexicon): number | undefined {
  const isApart = tokens[index]?.kind === 'weak' && tokens[index + 2]?.kind === 'weak';
  const isCue = lexicon.cueSounds.has(word(tokens, index + 1)) && beginsName(tokens, index + 3, lexicon);
  return isApart && isCue ? index + 3 : undefined;
}

/** A list of keys with a label after it, and the token after each key. */
interface LabelledRun extends KeyRun {
  readonly from: number;
  readonly ends: readonly number[];
}

/**
 * "press 1, 2 for hours": the last key begins another item, because only a joiner ends a list. With one, and labels on
 * both sides ("for sales press 1 or 0 for an agent"), both readings are possible, unless there is also a comma.
 */
function partedRun(tokens: readonly Token[], run: LabelledRun, lexicon: MenuLexicon): KeyRun {
  const { keys, ends, from, to } = run;
  const joint = ends.at(-2) ?? to;
  const hasComma = tokens[joint]?.kind === 'weak';
  const joiner = word(tokens, hasComma ? joint + 1 : joint);
  const first = { keys: keys.slice(0, -1), to: joint };
  const isJoined = lexicon.joiners.has(joiner);
  if (!isJoined) return keys.length === 2 ? first : { keys, to, doubtful: true };
  const labelled = labelledBefore(tokens, from, lexicon);
  if (labelled === 'maybe') return { keys, to, doubtful: true };
  if (!labelled) return { keys, to };
  if (hasComma && keys.length === 2) return first;
  const counts = Number(keys.at(-1)) === Number(keys.at(-2)) + 1;
  return counts && lexicon.alternatives.has(joiner) ? { keys, to, doubtful: true } : { ...first, doubtful: true };
}

/**
 * Returns whether a label precedes a key: `maybe` if the words can also be the label of the key before it ("press 1 for
 * sales press 2 or …").
 */
function labelledBefore(tokens: readonly Token[], key: number, lexicon: MenuLexicon): boolean | 'maybe' {
  const first = sentenceStart(tokens, key, longestLabel);
  let start = key;
  while (start > first && !keyAt(tokens, start - 1, lexicon)) start -= 1;
  const follows = keyAt(tokens, start - 1, lexicon) !== undefined;
  const cues = tokens.slice(start, key).flatMap(({ text }, offset) => (lexicon.cues.has(text) ? [offset] : []));
  if (cues.some((offset) => offset > 0 || !follows)) return true;
  return cues.length > 0 && tokens.slice(start, key).every(({ kind }) => kind === 'word') ? 'maybe' : false;
}

/** The maximum number of tokens before a key that are read for its label. */
const longestLabel = 20;

/** "10", "eleven", "101": several keys for one option. "10 to 14" is a range of entries. */
export function longNumber(
  tokens: readonly Token[],
  index: number,
  lexicon: MenuLexicon,
  allowsLong: boolean,
  verb = '',
): KeyRun | undefined {
  const { keys, width } = spokenNumberAt(tokens, index, lexicon);
  const to = skipAfterKey(tokens, index + width, lexicon);
  const isRange = lexicon.rangeWords.has(word(tokens, to)) && /^\d/.test(spokenNumberAt(tokens, to + 1, lexicon).keys);
  // "sauna dial 21 pool dial 22"
  const near = tokenWordsOf(tokens.slice(Math.max(0, index - longestLabel), to + longestLabel));
  const isShared = verb !== '' && new RegExp(`\\b${verb} \\d\\d .*\\b${verb} \\d\\d\\b`).test(near);
  const fits =
    (allowsLong ? /^\d{2,4}$/ : /^\d\d$/).test(keys) &&
    !isRange &&
    !lexicon.emergencyNumbers.has(keys) &&
    (labelGoesOn(tokens, to, lexicon) || isPredicate(tokens, to, lexicon) || isShared);
  return fits ? { keys: [keys], to } : undefined;
}

/** Returns the number at an index in digits, or its word: "12", "twenty two", "one hundred and two". */
export function spokenNumberAt(
  tokens: readonly Token[],
  index: number,
  lexicon: MenuLexicon,
): { readonly keys: string; readonly width: number } {
  const valueOf = (at: number): number => lexicon.numberWords[word(tokens, at)] ?? NaN;
  const belowHundred = (at: number): { readonly value: number; readonly width: number } => {
    const [value, ones] = [valueOf(at), valueOf(at + 1)];
    const isPair = value >= 20 && value % 10 === 0 && ones > 0 && ones < 10;
    return isPair ? { value: value + ones, width: 2 } : { value, width: 1 };
  };
  const { value, width } = belowHundred(index);
  if (value > 0 && value < 10 && lexicon.multiples.has(word(tokens, index + 1))) {
    const start = lexicon.joiners.has(word(tokens, index + 2)) ? index + 3 : index + 2;
    const rest = belowHundred(start);
    return Number.isNaN(rest.value)
      ? { keys: String(value * 100), width: 2 }
      : { keys: String(value * 100 + rest.value), width: start - index + rest.width };
  }
  return { keys: Number.isNaN(value) ? word(tokens, index) : String(value), width };
}

/** The maximum number of keys that are one choice. */
const longestChoice = 4;

/**
 * "one one", "star nine", "one twice": several keys for one option. If a label follows, two of them can also be two
 * items without the comma ("press 1 3 for hours"), unless the keys are the same, or the option before has as many.
 */
export function keySequence(
  tokens: readonly Token[],
  start: number,
  lexicon: MenuLexicon,
  previous: KeyMention | undefined,
): KeyRun | undefined {
  const keys: string[] = [];
  let end = start;
  for (let at = keyAt(tokens, end, lexicon); at && keys.length <= longestChoice; at = keyAt(tokens, end, lexicon)) {
    keys.push(at.key);
    end += at.width;
  }
  // "star 67"
  if (keys.length === 1 && !isDigit(keys[0] ?? '') && /^\d{2,3}$/.test(word(tokens, end))) {
    keys.push(...word(tokens, end));
    end += 1;
  }
  const [first = ''] = keys;
  if (keys.length === 1 && lexicon.doublings.has(word(tokens, end))) {
    keys.push(first);
    end += 1;
  }
  const choice = keys.join('');
  const isSame = keys.every((key) => key === first);
  const continues = previous?.keys[0]?.length === keys.length;
  const isCount = keys.every(isDigit) && Number(keys[1]) === Number(first) + 1;
  const last = word(tokens, end - 1);
  if (
    keys.length < 2 ||
    keys.length > longestChoice ||
    lexicon.emergencyNumbers.has(choice) ||
    (isCount && !continues) ||
    // "press 1 for sales press 1 to speak": the last word can be a misheard cue.
    (lexicon.cueSounds.has(last) && word(tokens, end) !== '' && !beginsLabel(tokens, end, lexicon)) ||
    (lexicon.rangeWords.has(word(tokens, end)) && keyAt(tokens, end + 1, lexicon))
  )
    return undefined;
  const to = skipAfterKey(tokens, end, lexicon);
  if (!labelGoesOn(tokens, to, lexicon) && !isPredicate(tokens, to, lexicon)) return undefined;
  const isClear = isSame || continues || !beginsLabel(tokens, to, lexicon);
  return { keys: [choice], to, ...(!isClear && { doubtful: true }) };
}

/** "through 5", after a key */
function keyRange(tokens: readonly Token[], first: string, to: number, lexicon: MenuLexicon): KeyRun | undefined {
  const last = lexicon.rangeWords.has(word(tokens, to)) ? keyAt(tokens, to + 1, lexicon) : undefined;
  const isRange =
    last &&
    isDigit(first) &&
    isDigit(last.key) &&
    Number(first) < Number(last.key) &&
    !lexicon.cues.has(word(tokens, to + last.width));
  if (!isRange) return undefined;
  // "for sales press 1 to 4 hours": "two for"
  const isNextItem =
    lexicon.misheardKeys[word(tokens, to)] === String(Number(first) + 1) &&
    isCueSound(tokens, to + 1, lexicon) &&
    beginsName(tokens, to + 1 + last.width, lexicon) &&
    labelledBefore(tokens, to - 1, lexicon) !== false;
  if (isNextItem) return undefined;
  const keys = [...'0123456789'.slice(Number(first), Number(last.key) + 1)];
  const end = skipAfterKey(tokens, to + 1 + last.width, lexicon);
  // "press 1 to 2 …": a range of two is more likely "one, two".
  return { keys, to: end, ...(keys.length === 2 && word(tokens, end) !== '' && { doubtful: true }) };
}

/** ", 2" or "or 3" after the keys of a list */
function nextOfList(
  tokens: readonly Token[],
  { keys, to }: KeyRun,
  lexicon: MenuLexicon,
): { key: string; to: number } | undefined {
  let next = to;
  if (tokens[next]?.kind === 'weak') next += 1;
  if (lexicon.joiners.has(word(tokens, next))) next += 1;
  while (next > to && lexicon.determiners.has(word(tokens, next))) next += 1;
  const more = next > to ? keyAt(tokens, next, lexicon) : undefined;
  if (!more || keys.includes(more.key)) return undefined;
  // "press 1 or 2 to …" is a list; "1 for sales, 2 for service" are two mentions. The words in between distinguish
  // them.
  const end = next + more.width;
  const goesOn =
    (!isDigit(more.key) || labelGoesOn(tokens, end, lexicon)) &&
    !isDigitString(tokens, next, end, lexicon) &&
    !lexicon.notAfterBareKey.has(word(tokens, end));
  const past = skipAfterKey(tokens, end, lexicon);
  return goesOn && !lexicon.keyActs.test(word(tokens, past)) ? { key: more.key, to: past } : undefined;
}

/** Skips the words that belong to a key: "the 4 key now", "1 is for sales". */
function skipAfterKey(tokens: readonly Token[], index: number, lexicon: MenuLexicon): number {
  let to = index;
  while (lexicon.afterKey.has(word(tokens, to))) to += 1;
  if (lexicon.anyTime.has(tokenWordsOf(tokens.slice(to, to + 3)))) to += 3;
  return lexicon.copulas.has(word(tokens, to)) && lexicon.cues.has(word(tokens, to + 1)) ? to + 1 : to;
}

export const isDigit = (key: string): boolean => /^\d$/.test(key);

/** "dial nine one one", "4 1 5 …": a number, not keys. One "two" or "four" after a key is a misheard "to" or "for". */
function isDigitString(tokens: readonly Token[], start: number, to: number, lexicon: MenuLexicon): boolean {
  const next = keyAt(tokens, to, lexicon);
  if (!next || !isDigit(next.key) || !isDigit(keyAt(tokens, start, lexicon)?.key ?? '')) return false;
  const end = to + next.width;
  const after = keyAt(tokens, end, lexicon);
  // "press 1 2 for hours": the next item.
  if (
    !after &&
    Number(next.key) === Number(keyAt(tokens, start, lexicon)?.key) + 1 &&
    beginsLabel(tokens, end, lexicon)
  )
    return false;
  return (
    (after !== undefined && isDigit(after.key)) || !lexicon.cueSounds.has(word(tokens, to)) || !word(tokens, to + 1)
  );
}

/** "press to", "choose start to go back": after verbs other than "press", only star, pound, or two cues in a row. */
function misheardKey(
  tokens: readonly Token[],
  index: number,
  verb: KeyVerb,
  lexicon: MenuLexicon,
  previous: KeyMention | undefined,
): KeyRun | undefined {
  const heard = word(tokens, index);
  const key = Object.hasOwn(lexicon.misheardKeys, heard) ? lexicon.misheardKeys[heard] : undefined;
  // "press a for sales" names a letter.
  if (key === undefined || (lexicon.cues.has(heard) && word(tokens, index - 1) === 'a')) return undefined;
  const isDue = Number(key) > Number(previous?.keys.at(-1)) && !lexicon.misheardInLists.has(heard);
  const fits = lexicon.mishearingVerbs.has(verb.text)
    ? key !== '8' || !lexicon.notAfterMisheard.has(word(tokens, index + 1))
    : isDigit(key) && (!isDue || lexicon.cues.has(heard))
      ? lexicon.cues.has(heard) && lexicon.cues.has(word(tokens, index + 1))
      : labelGoesOn(tokens, index + 1, lexicon);
  return fits ? { keys: [key], to: skipAfterKey(tokens, index + 1, lexicon) } : undefined;
}

/** "for", "four", "4" */
export function isCueSound(tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean {
  const key = keyAt(tokens, index, lexicon)?.key ?? '';
  return lexicon.cues.has(word(tokens, index)) || lexicon.cueSounds.has(lexicon.keyNames[key] ?? '');
}

/** A word that can begin a label without a cue. */
export function beginsName(tokens: readonly Token[], index: number, lexicon: MenuLexicon): boolean {
  const text = word(tokens, index);
  return (
    text !== '' &&
    !keyAt(tokens, index, lexicon) &&
    ![
      lexicon.cues,
      lexicon.joiners,
      lexicon.afterKey,
      lexicon.copulas,
      lexicon.notAfterBareKey,
      lexicon.notNames,
      lexicon.pressVerbs,
    ].some((words) => words.has(text))
  );
}
