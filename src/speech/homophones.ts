import { wordPartsOf } from './keys/keyWords.ts';
import type { MenuLanguage } from './menuLanguage.ts';
import { numberInWords } from './numberInWords.ts';

/** Words that sound alike. The first is chosen if nothing favours another. */
const soundAlike: readonly (readonly string[])[] = [
  ['for', 'four'],
  ['to', 'two', 'too'],
  ['one', 'won'],
  ['eight', 'ate'],
  ['hear', 'here'],
  ['there', 'their', "they're"],
  ['your', "you're"],
  ['its', "it's"],
  ['by', 'buy', 'bye'],
  ['right', 'write'],
  ['wait', 'weight'],
  ['mail', 'male'],
  ['fare', 'fair'],
  ['hour', 'our'],
  ['sale', 'sail'],
  ['week', 'weak'],
  ['new', 'knew'],
  ['no', 'know'],
  ['whole', 'hole'],
  ['do', 'due'],
  ['hire', 'higher'],
  ['plain', 'plane'],
  ['way', 'weigh'],
  ['piece', 'peace'],
  ['seller', 'cellar'],
  ['council', 'counsel'],
  ['cash', 'cache'],
  ['fines', 'finds'],
  ['brake', 'break'],
  ['sign', 'sine'],
  ['site', 'sight'],
  ['patients', 'patience'],
];
const alternatives = new Map(soundAlike.flatMap((words) => words.map((word) => [word, words] as const)));

/** What is heard for two words that are spoken as one. */
const joined: readonly (readonly [RegExp, string])[] = [
  [/\b(a)n? other\b/gi, '$1nother'],
  [/\b(good)[ -]bye?\b/gi, '$1bye'],
];

/** Natural log: how much likelier another spelling must be. */
const trust = 1.2;
/** "For for" and "to to" are never right. */
const costOfRepetition = 4;
const paths = 24;

interface Path {
  readonly older: number;
  readonly newer: number;
  readonly score: number;
  readonly words: readonly string[];
}

/**
 * Spells words that sound alike by what makes sense in a menu: "press to four hours" becomes "press two for hours". No
 * ear can hear the difference, so the language decides alone.
 */
export function spellBySense(text: string, language: MenuLanguage): string {
  const written = joined
    .reduce((so, [pattern, word]) => so.replace(pattern, word), text)
    .split(/\s+/)
    .filter(Boolean);
  let best: readonly Path[] = [{ older: 0, newer: 0, score: 0, words: [] }];
  for (const word of written) {
    const [, core, trail] = wordPartsOf(word);
    const said = spokenAs(core);
    const choices = said.length === 1 ? (alternatives.get(said[0] ?? '') ?? said) : [said.join(' ')];
    best = best
      .flatMap((path) => choices.map((choice) => extend(path, choice, said.join(' '), trail, language)))
      .sort((a, b) => b.score - a.score)
      .slice(0, paths);
  }
  return written.map((word, index) => respelled(word, best[0]?.words[index])).join(' ');
}

/** Returns the word in lower case; a number in words. */
const spokenAs = (core: string): readonly string[] =>
  /^\d{1,4}$/.test(core) ? numberInWords(core) : [core.toLowerCase().replace(/’/g, "'")];

function extend(path: Path, choice: string, said: string, trail: string, language: MenuLanguage): Path {
  let { older, newer, score } = path;
  for (const word of choice.split(/[^a-z']+/).filter(Boolean)) {
    const id = language.id(word);
    // A name says nothing about the word before it.
    if (id !== 0 || alternatives.has(word)) score += language.logProbability(older, newer, id);
    [older, newer] = [newer, id];
  }
  if (choice !== said) score -= trust;
  if (choice === path.words.at(-1) && alternatives.has(choice)) score -= costOfRepetition;
  if (/[.!?]/.test(trail)) score += language.logEnd(older, newer);
  if (/[.,;:!?]/.test(trail)) [older, newer] = [0, 0];
  return { older, newer, score, words: [...path.words, choice] };
}

function respelled(written: string, chosen: string | undefined): string {
  const [lead, core, trail] = wordPartsOf(written);
  if (chosen === undefined || chosen === spokenAs(core).join(' ')) return written;
  const capital = /^\p{Lu}/u.test(core) ? chosen.charAt(0).toUpperCase() + chosen.slice(1) : chosen;
  return `${lead}${capital}${trail}`;
}
