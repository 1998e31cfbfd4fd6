import { pattern, words } from '../../base/rows.ts';
import { areOpposites } from '../../model/heard/rivals.ts';
import { comparableTokens } from '../../model/heard/spokenForms.ts';
import { lightWords } from '../../model/heard/spokenTokens.ts';
import { stem } from '../heard/words.ts';

/** Words that mean the same in any prompt. */
const synonyms = new Map(
  ['agent representative operator advisor adviser', 'hold wait', 'speak talk', 'bill billing invoice', 'help assist']
    .concat('choose select', 'moment shortly soon', 'begin start', 'phone telephone')
    .flatMap((group) => group.split(' ').map((word, _index, [first = '']) => [stem(word), first] as const)),
);
const holds = /\b(?:(?:stay|remain) on|hold) the line\b/gi;
const courtesy = new Set(words`thank thanks welcome hello hi calling good please reached reach through kindly simply`);
/** Light words that decide whether, when or how something happens. */
const moods = new Set(
  words`will was were been had if or and may could would do did has from by than call enter say press`,
);
const persons = new Map([
  ...words`we us our`.map((word) => [word, 'we']),
  ...words`you your`.map((word) => [word, 'you']),
] as [string, string][]);
const legal = pattern`
  ^(?:record(?:ed|ing|ings)?|monitor(?:ed|ing)?|consents?|agree|terms|conditions|privacy|emergency|opt|unsubscribe
  |fees?|charge[ds]?|costs?|free|rates?|legal|law|debt|unable|fail(?:ed|s)?|only|except)$
`;
const notice = new RegExp(`${legal.source}|^(?:not|no|never|without|nor|neither|none|nothing)$`);

/** A value is a number, a name, a negation, a legal notice, or a word that excludes others, such as a weekday. */
interface Word {
  readonly text: string;
  readonly value: boolean;
}
type Sentence = readonly Word[];

export const sentencesIn = (text: string): string[] =>
  text.split(/(?<=[.?!])\s+/).filter((each) => /[\p{L}\p{N}]/u.test(each));

/** Returns words with a capital within a sentence, and those in quotes. */
function namesIn(text: string): string[] {
  const quoted = text.match(/(?<=["“])[^"“”]+(?=["”])/g) ?? [];
  return [
    ...sentencesIn(text).flatMap((each) => comparableTokens(each, true).slice(1)),
    ...comparableTokens(quoted, false).map((token) => ({ ...token, shown: 'Quoted' })),
  ].flatMap(({ shown, text: word }) => (/^\p{Lu}\p{L}/u.test(shown) && !lightWords.has(word) ? [word] : []));
}

function readSentence(sentence: string, names: ReadonlySet<string>): Sentence {
  const tokens = comparableTokens(sentence.replaceAll(holds, 'hold'), true);
  const has = (...all: readonly string[]): boolean =>
    all.every((one) => tokens.some(({ text }) => (persons.get(text) ?? text) === one));
  // "We call you" isn't "you call us", nor is "from A to B" "from B to A".
  const [both, isWay] = [has('we', 'you'), has('from', 'to')];
  return tokens.flatMap(({ text, kind, rivals, weight }, at): Word[] => {
    const person = both && tokens[at - 1]?.text !== 'thank' ? persons.get(text) : undefined;
    if (person !== undefined || (isWay && text === 'to')) return [{ text: person ?? text, value: false }];
    if (kind === 'any' || courtesy.has(text)) return [];
    if (kind !== 'word' || (rivals !== undefined && text !== 'may') || legal.test(text) || names.has(text))
      return [{ text, value: true }];
    return weight < 1 && !moods.has(text) ? [] : [{ text: synonyms.get(stem(text)) ?? stem(text), value: false }];
  });
}

/** Returns the same text for the same words in the same order, whichever clause comes first. */
const rotated = (sentence: Sentence): string =>
  sentence
    .map((_word, at) => [...sentence.slice(at), ...sentence.slice(0, at)].map(({ text }) => text).join(' '))
    .sort()[0] ?? '';

/** Returns the items that another list lacks, as often as they occur. */
function lacking(items: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return items.filter((item) => !rest.includes(item) || rest.splice(rest.indexOf(item), 1).length === 0);
}
const textsOf = (sentences: readonly Sentence[], values: boolean): string[] =>
  sentences.flat().flatMap(({ text, value }) => (value === values ? [text] : []));

interface Wording {
  /** `values`: what must not be adapted differs. `other`: nothing shows that both mean the same. */
  readonly finding: 'same' | 'values' | 'other';
  readonly before: string;
  readonly now: string;
  /** What is said now that has words in common with what was said before. */
  readonly sentences: readonly string[];
}

/** Compares what was said with what is said now. The names in `context` are names in both. */
export function compareWording(before: string, now: string, context = ''): Wording {
  const names = new Set([before, now, context].flatMap(namesIn));
  const old = sentencesIn(before).map((each) => readSentence(each, names));
  const wanted = new Set(old.flat().flatMap(({ text }) => (moods.has(text) ? [] : [text])));
  const all = sentencesIn(now).map((text) => ({ text, read: readSentence(text, names) }));
  const sharing = all.filter(({ read }) => read.some(({ text }) => wanted.has(text)));
  const shared = sharing.map(({ read }) => read);
  const others = textsOf(
    all.filter((each) => !sharing.includes(each)).map(({ read }) => read),
    true,
  );
  const lost = lacking(textsOf(old, true), textsOf(shared, true));
  const come = [...lacking(textsOf(shared, true), textsOf(old, true)), ...others.filter((text) => notice.test(text))];
  const said = { before: lost.join(' '), now: come.join(' '), sentences: sharing.map(({ text }) => text) };
  const isOpposed = textsOf(old, false).some((one) => textsOf(shared, false).some((other) => areOpposites(one, other)));
  if (lost.length + come.length > 0 || isOpposed) return { ...said, finding: 'values' };
  const [clauses, clausesNow] = [old, shared].map((each) =>
    each
      .map(rotated)
      .filter((text) => text !== '')
      .sort()
      .join('. '),
  );
  return { ...said, finding: wanted.size > 0 && others.length === 0 && clauses === clausesNow ? 'same' : 'other' };
}
