import { pattern, words } from '../../base/rows.ts';
import { areOpposites } from '../../model/heard/rivals.ts';
import { spelledTokens } from '../../model/heard/spokenForms.ts';
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
/** Words that change nothing. Every other light word decides who, whether, when or how: "we will", "you have to". */
const fillers = new Set(words`a an the so well ok okay then now just this that it in of at here there key`);
const persons = new Map([
  ...words`we us our`.map((word) => [word, 'we']),
  ...words`you your`.map((word) => [word, 'you']),
] as [string, string][]);
const legal = pattern`
  ^(?:record(?:ed|ing|ings)?|monitor(?:ed|ing)?|consents?|agree|terms|conditions|privacy|emergency|opt|unsubscribe
  |fees?|charge[ds]?|costs?|free|rates?|legal|law|debt|unable|fail(?:ed|s)?|only|except)$
`;
const common = (text: string): string => synonyms.get(stem(text)) ?? stem(text);
/** Words of announcements about waiting, the menu and other channels. Any other announcement can matter. */
const harmless = [
  words`all other help line lines agent agents caller callers busy call volume volumes high higher expect experience usual
    than longer wait time times patience appreciate important next available while connect transfer find look moment`,
  words`listen carefully careful because menu menus option options choice choices change recently following new`,
  words`online app apps website web site visit try download discover know also new apply manage store`,
].map((group) => new Set(group.map(common)));
/** Asks for something that the caller needs next. */
const readies = /^(?:please )?have [^,;]* ready\W*$/i;
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
    ...sentencesIn(text).flatMap((each) => spelledTokens(each).slice(1)),
    ...spelledTokens(quoted, false).map((token) => ({ ...token, shown: 'Quoted' })),
  ].flatMap(({ shown, text: word }) => (/^\p{Lu}\p{L}/u.test(shown) && !lightWords.has(word) ? [word] : []));
}

function readSentence(sentence: string, names: ReadonlySet<string>): Sentence {
  const tokens = spelledTokens(sentence.replaceAll(holds, 'hold'));
  return tokens.flatMap(({ text, kind, rivals }, at): Word[] => {
    if (kind === 'any' || courtesy.has(text) || (text === 'you' && tokens[at - 1]?.text === 'thank')) return [];
    if (kind !== 'word' || (rivals !== undefined && text !== 'may') || legal.test(text) || names.has(text))
      return [{ text, value: true }];
    if (lightWords.has(text)) return fillers.has(text) ? [] : [{ text: persons.get(text) ?? text, value: false }];
    return [{ text: common(text), value: false }];
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
  /** `values`: what must not be adapted differs. `new`: more is said that can matter. `other`: the rest may differ. */
  readonly finding: 'same' | 'values' | 'new' | 'other';
  readonly before: string;
  readonly now: string;
  /** What is said now that has words in common with what was said before. */
  readonly sentences: readonly string[];
}

/** Compares what was said with what is said now. The names in `context` are names in both. */
export function compareWording(before: string, now: string, context = ''): Wording {
  const names = new Set([before, now, context].flatMap(namesIn));
  const old = sentencesIn(before).map((each) => readSentence(each, names));
  const wanted = new Set(old.flat().flatMap(({ text }) => (lightWords.has(text) ? [] : [text])));
  const all = sentencesIn(now).map((text) => ({ text, read: readSentence(text, names) }));
  const sharing = all.filter(({ read }) => read.some(({ text }) => wanted.has(text)));
  const shared = sharing.map(({ read }) => read);
  const apart = all.filter((each) => !sharing.includes(each));
  const others = apart.flatMap(({ read }) => textsOf([read], true));
  const isNew = apart.some(({ text, read }) => {
    const isHarmless = harmless.some((group) =>
      read.every((word) => lightWords.has(word.text) || group.has(word.text)),
    );
    return !isHarmless && !readies.test(text) && !context.includes(text);
  });
  const lost = lacking(textsOf(old, true), textsOf(shared, true));
  // A value that `*` stands for is expected.
  const come = before.includes('*') ? [] : lacking(textsOf(shared, true), textsOf(old, true));
  come.push(...others.filter((text) => notice.test(text)));
  const said = { before: lost.join(' '), now: come.join(' '), sentences: sharing.map(({ text }) => text) };
  const isOpposed = textsOf(old, false).some((one) => textsOf(shared, false).some((other) => areOpposites(one, other)));
  if (lost.length + come.length > 0 || isOpposed) return { ...said, finding: 'values' };
  if (isNew) return { ...said, finding: 'new' };
  const [clauses, clausesNow] = [old, shared].map((each) =>
    each
      .filter((read) => read.some(({ text }) => wanted.has(text)))
      .map(rotated)
      .sort()
      .join('. '),
  );
  return { ...said, finding: wanted.size > 0 && others.length === 0 && clauses === clausesNow ? 'same' : 'other' };
}
