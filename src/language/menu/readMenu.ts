import { distance } from 'fastest-levenshtein';
import { labelSeparator, type MenuOption, type MenuReading } from '../../contract/menu.ts';
import { attributeLabels, type Attribution } from './directions.ts';
import { englishLexicon } from './english.ts';
import { readInput } from './input.ts';
import { findKeyMentions } from './keyList.ts';
import { partNumbers } from './keyMentions.ts';
import { keyAt, word, type KeyMention } from './keyNames.ts';
import { cleanLabel, cueOf } from './labels.ts';
import type { MenuLexicon } from './lexicon.ts';
import { readScale } from './scale.ts';
import { readPhrases } from './spoken.ts';
import { sentenceEnd, sentenceStart, sentenceStop, tokenise, tokenWordsOf, type Token } from './tokens.ts';

/** Longer text is cut here: no prompt is that long, and hostile input must not cost time. */
const maxCharacters = 8000;

/** Reads what a menu prompt offers and asks, from clean text or as recognised. Never throws. */
export function readMenu(prompt: string, lexicon: MenuLexicon = englishLexicon): MenuReading {
  const text = respell(prompt.slice(0, maxCharacters), lexicon);
  const tokens = partNumbers(tokenise(text), lexicon);
  const input = readInput(text, lexicon);
  const enters = input !== null || lexicon.recording.test(text);
  const spells = input !== null && lexicon.asksForLetters.test(text);
  const [mentions, entryKeys] = parted(findKeyMentions(tokens, lexicon), (mention) =>
    isEntryKey(tokens, mention, { enters, spells }, lexicon),
  );
  // A key that belongs to an entry separates the labels around it.
  for (const { from, to } of entryKeys) tokens.fill(sentenceEnd, from, to);
  const { attributions, isClose } = attributeLabels(tokens, mentions, lexicon);
  const leads = attributions
    .slice(1)
    .map(({ direction, label }) => (direction === 'before' ? cueOf(tokens.slice(label.from, label.to), lexicon) : ''));
  const phrases = readPhrases(text, lexicon);
  const options = new Map<string, MenuOption>();
  let differs = false;
  const offer = (key: string, label: string): void => {
    const known = options.get(key)?.label ?? '';
    // A menu that is repeated within a prompt can be heard a little differently.
    const isOther = !holdsWords(known, label) && !holdsWords(label, known) && !isAlike(known, label);
    differs ||= isOther;
    const longer = holdsWords(known, label) ? known : label;
    options.set(key, { key, label: isOther ? known + labelSeparator + label : longer });
  };
  for (const [index, { keys, spoken, from, to }] of mentions.entries()) {
    const attribution = attributions[index];
    const label = labelOf(tokens, from, attribution, lexicon, index === 0 && !leads.includes('') ? leads : []);
    const statesEffect =
      attribution?.direction === 'after' && lexicon.effect.test(tokenWordsOf(tokens.slice(Math.max(0, from - 3), to)));
    // "say sales or service, or press 1 or 2", "for sales or service, press 1 or 2"
    const names = label === '' ? phrases : alternativesOf(label, lexicon);
    const isNamed = names.length === keys.length && (label === '' || attribution?.direction === 'before');
    const named = isNamed ? names : [];
    for (const [place, key] of keys.entries())
      if (!statesEffect || !options.has(key)) offer(key, named[place] ?? label);
    if (spoken) phrases.push(...keys.map((key) => lexicon.keyNames[key] ?? key));
  }
  const scale = readScale(text, lexicon);
  for (const { key, label } of scale) offer(key, label);
  const isRepeat = ({ label }: MenuOption): boolean =>
    lexicon.repeatLabel.test(label) &&
    !lexicon.notRepeatLabel.test(label) &&
    !(lexicon.messageLabel.test(label) && lexicon.messageMenu.test(text));
  const all = [...options.values()];
  const unsure = [
    ...(isClose || differs || mentions.some(({ doubtful }) => doubtful) || joinsKeys(tokens, mentions, lexicon)
      ? (['labels'] as const)
      : []),
    ...(mentions.some(({ misheard }) => misheard) ? (['keys'] as const) : []),
  ];
  return {
    options: all,
    speech: [...new Set(phrases)],
    input,
    repeatKey: all.find((option) => !scale.includes(option) && isRepeat(option))?.key ?? null,
    stayOnLine: lexicon.stay.test(text.replace(lexicon.staysByKey, ' ')),
    ...(unsure.length > 0 && { unsure }),
  };
}

/** Returns true if a prompt offers any key. If it names none, this is faster than reading it. */
export function offersKeys(prompt: string, lexicon: MenuLexicon = englishLexicon): boolean {
  const text = respell(prompt.slice(0, maxCharacters), lexicon);
  const mentions = findKeyMentions(partNumbers(tokenise(text), lexicon), lexicon);
  return mentions.length > 0 ? readMenu(prompt, lexicon).options.length > 0 : readScale(text, lexicon).length > 0;
}

/** The share of their letters in which two hearings of one label can differ. */
const maxLetterErrorShare = 0.35;
const isAlike = (label: string, other: string): boolean =>
  distance(label, other) <= Math.max(label.length, other.length) * maxLetterErrorShare;

/** Returns true if one label adds no word to another one. */
function holdsWords(label: string, other: string): boolean {
  const words = new Set(label.split(' '));
  return other.split(' ').every((each) => each === '' || words.has(each));
}

/** Returns lower case, with corrected spellings and verbs separated from their keys ("press-9"). */
function respell(prompt: string, lexicon: MenuLexicon): string {
  const plain = prompt.toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, ' ').trim();
  const apart = withoutListMarks(plain).replace(
    /(?<!\p{L})(\p{L}+)-(?=(\p{L}+|[\d*#]))/gu,
    (joined, verb: string, key: string) =>
      lexicon.pressVerbs.has(verb) && (Object.hasOwn(lexicon.keys, key) || Object.hasOwn(lexicon.misheardKeys, key))
        ? `${verb} `
        : joined,
  );
  return lexicon.respellings.reduce((text, [heard, said]) => text.replace(heard, said), apart);
}

/** "the following options: 1. sales, 2. parking" → "…: 1 sales, 2 parking", because these full stops end no sentence. */
function withoutListMarks(text: string): string {
  const marks = [...text.matchAll(/(?<=^|[.:,;?!] )(\d)\. (?=\p{L})/gu)];
  const isList =
    marks.length > 1 &&
    marks.every(([, digit], index) => Number(digit) === index + 1) &&
    /(?:^|[.:;?!] )$/.test(text.slice(0, marks[0]?.index)) &&
    !/\b\d\W*$/.test(text);
  return isList ? text.replace(/(?<=^|[.:,;?!] )(\d)\. (?=\p{L})/gu, '$1 ') : text;
}

/**
 * "press 12 for hours, 3 for parking": 12 can be 1 and 2, heard as one number. "press star 1", "press 1 then pound": two
 * keys can be one choice.
 */
const joinsKeys = (tokens: readonly Token[], mentions: readonly KeyMention[], lexicon: MenuLexicon): boolean =>
  mentions.some(({ keys: [key = ''], to }, index) => {
    const next = mentions[index + 1];
    const [tens, ones] = [Number(key.charAt(0)), Number(key.charAt(1))];
    if (key.length === 2 && ones === tens + 1 && next?.keys[0] === String(ones + 1)) return true;
    const isAdjacent =
      next?.elided === true &&
      tokens.slice(to, next.from).every(({ kind, text }) => kind === 'word' && lexicon.fillers.has(text));
    // "press one. Hundred two."
    if (lexicon.multiples.has(word(tokens, tokens[to]?.kind === 'word' ? to : to + 1))) return true;
    if (isAdjacent && [key, next.keys[0]].some((name) => name === '*' || name === '#')) return true;
    // "press star. Nine for the office, press star. Eight.", "Press one, one for sales. Press one two for support."
    const following = mentions
      .filter(({ keys, elided }) => !elided && keys.length === 1 && keys[0] === key)
      .map(({ to: end }) => keyAt(tokens, word(tokens, end) ? end : end + 1, lexicon)?.key);
    return following.length > 1 && !following.includes(undefined) && new Set(following).size > 1;
  });

/** Splits items into those that fail a test, and those that pass it. */
function parted<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => !test(item)), items.filter(test)];
}

const alternativesOf = (label: string, lexicon: MenuLexicon): string[] =>
  label.split(new RegExp(` (?:${[...lexicon.alternatives].join('|')}) `));

/** Returns the label of the key at an index. "if so" refers to the sentence before both. */
function labelOf(
  tokens: readonly Token[],
  key: number,
  attribution: Attribution | undefined,
  lexicon: MenuLexicon,
  leads: readonly string[],
): string {
  if (!attribution) return '';
  const { direction, label } = attribution;
  const own = cleanLabel(tokens.slice(label.from, label.to), direction, lexicon, leads);
  if (!lexicon.backReference.test(own)) return own;
  let end = Math.min(key, label.from);
  while (end > 0 && tokens[end - 1]?.kind !== 'word') end -= 1;
  return cleanLabel(tokens.slice(sentenceStart(tokens, end, entryReach), end), 'before', lexicon) || own;
}

/** How many tokens of a sentence are read on each side of a key, because prompts without punctuation can be long. */
const entryReach = 60;

/** Terminators, letters on the keypad and decimal points belong to an entry. */
function isEntryKey(
  tokens: readonly Token[],
  mention: KeyMention,
  { enters, spells }: { readonly enters: boolean; readonly spells: boolean },
  lexicon: MenuLexicon,
): boolean {
  const { keys, from, to } = mention;
  const start = sentenceStart(tokens, from, entryReach);
  if (lexicon.keypadSpelling.test(tokenWordsOf(tokens.slice(to, to + 5)))) return true;
  if (lexicon.keypadSpellingBefore.test(tokenWordsOf(tokens.slice(Math.max(start, from - 6), from)))) return true;
  const before = tokenWordsOf(tokens.slice(start, from));
  if (enters && lexicon.keypadLetter.test(before)) return true;
  if (spells && lexicon.letterKey.test(tokenWordsOf(tokens.slice(to, sentenceStop(tokens, to, entryReach)))))
    return true;
  if (!keys.every((key) => key === '#' || key === '*')) return false;
  const after = tokenWordsOf(tokens.slice(to, sentenceStop(tokens, to, entryReach)));
  if (lexicon.terminatorAlways.test(before)) return true;
  if (!enters) return false;
  return lexicon.terminatorAfter.test(after) || (lexicon.terminatorBefore.test(before) && !isCued(after, lexicon));
}

const isCued = (words: string, lexicon: MenuLexicon): boolean => lexicon.cues.has(words.split(' ')[0] ?? '');
