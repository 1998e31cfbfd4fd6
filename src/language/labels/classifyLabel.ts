import { actTable, type Act } from './actTable.ts';
import {
  facts,
  fetching,
  fillers,
  harmlessTable,
  idioms,
  inquiring,
  moving,
  persons,
  places,
  qualities,
} from './harmlessTable.ts';
import { parseEntries, listForms, wordsOfLabel } from './wordForms.ts';

/**
 * - `harmless`: plays something, opens another menu or calls a person
 * - `irreversible`: may do one of `acts`; one such word is enough, whatever surrounds it
 * - `unsure`: neither is plain
 */
type LabelClass =
  { readonly class: 'harmless' | 'unsure' } | { readonly class: 'irreversible'; readonly acts: ReadonlySet<Act> };

/**
 * Decides from its words what pressing the key with this label, or saying this phrase, would do. Never throws; linear
 * in the label's length.
 */
export function classifyLabel(label: string): LabelClass {
  const words = withoutIdioms(
    wordsOfLabel(label.slice(0, longestLabel)).map((text): Word => ({ text, forms: listForms(text) })),
  );
  const acts = actsIn(words);
  if (acts.size > 0) return { class: 'irreversible', acts };
  return { class: isHarmless(words) ? 'harmless' : 'unsure' };
}

const longestLabel = 1000;

interface Word {
  readonly text: string;
  readonly forms: readonly string[];
}

/** Words and phrases, looked up in any inflection. */
class Table {
  readonly #words = new Set<string>();
  readonly #phrases = new Map<string, string[][]>();

  constructor(...texts: readonly string[]) {
    for (const entry of texts.flatMap(parseEntries)) {
      const [first = '', ...rest] = entry.split(' ');
      if (rest.length === 0) this.#words.add(first);
      else this.#phrases.set(first, [...(this.#phrases.get(first) ?? []), [first, ...rest]]);
    }
  }

  hasWord(word: Word | undefined): boolean {
    return word?.forms.some((form) => this.#words.has(form)) === true;
  }

  /** Returns the length of the longest entry that starts at word `at`; 0 if there is none. */
  matchAt(words: readonly Word[], at: number): number {
    const longest = Math.max(
      0,
      ...(words[at]?.forms ?? [])
        .flatMap((form) => this.#phrases.get(form) ?? [])
        .filter((phrase) => phrase.every((part, index) => words[at + index]?.forms.includes(part) === true))
        .map((phrase) => phrase.length),
    );
    return Math.max(longest, this.hasWord(words[at]) ? 1 : 0);
  }
}

const rows = actTable.map(({ act, always, nouns = '', nounsOrVerbs = '', leading = '' }) => ({
  act,
  always: new Table(always),
  nouns: new Table(nouns),
  nounsOrVerbs: new Table(nounsOrVerbs),
  leading: new Set(parseEntries(leading)),
}));
const harmless = new Table(...harmlessTable.map(({ words }) => words));
const fact = new Table(facts);
const place = new Table(places);
const person = new Table(persons);
const inquiry = new Table(inquiring);
const fetch = new Table(fetching);
const move = new Table(moving);
const filler = new Table(fillers);
const quality = new Table(qualities);
const navigation = new Table(harmlessTable.find(({ row }) => row === 'navigation')?.words ?? '');
/** Facts that turn a verb into a noun: "order status", but not "transfer balance". */
const plainlyAsking = new Table(`
  status, history, tracking, inquiry, enquiry, question, information, info, detail, fee, limit, issue, problem, support, help, assistance, department,
  dept, desk, hour, time, date, number, policy`);
/** Before the noun of an act, these say that it has already been done. */
const done = new Table('existing, recent, previous, last, latest, past, current, pending, upcoming, missing');
const asking = new Table(
  'hear, listen, check, track, trace, review, view, know, learn, ask, inquire, enquire, discuss, look',
);
const article = new Set(
  parseEntries(`
  the, a, an, my, your, our, his, her, their, this, that, these, those, me, us, him, it, any, some, another, el, la, los, las, un, una, mi, su, le, les,
  une, mon, ma, votre, der, die, das, den, ein, eine, einen, ihre, ihren, meine, meinen`),
);
const preposition = new Set(parseEntries('about, on, regarding, concerning, with, for, of, in, at, from, to'));
const parts = new Set(['or', 'and', 'y', 'o', 'ou', 'et', 'oder', 'und', ',', ';', ':', '.', '!', '?', '/', '&']);
/** A department or a place can be named with words that are in no table. */
const openHead = new Table(places, 'hour, direction, inquiry, enquiry, question, support, status, helpline, hotline');
const longestName = 5;

const isPart = (word: Word | undefined): boolean => word !== undefined && parts.has(word.text);
const isArticle = (word: Word | undefined): boolean => word !== undefined && article.has(word.text);

function withoutIdioms(words: readonly Word[]): readonly Word[] {
  const remainingWords: Word[] = [];
  for (let at = 0; at < words.length;) {
    const length = lengthOfIdiom(words, at);
    const word = words[at];
    if (length === 0 && word) remainingWords.push(word);
    else if (length > 0) remainingWords.push(idiom);
    at += Math.max(1, length);
  }
  return remainingWords;
}

/** Replaces an idiom; plainly harmless by itself. */
const idiom: Word = { text: 'reach', forms: ['reach'] };
const idiomPhrases = parseEntries(idioms).map((entry) => entry.split(' '));

/** Articles can stand between its words, and `person` is any person who answers. */
function lengthOfIdiom(words: readonly Word[], at: number): number {
  let longest = 0;
  for (const phrase of idiomPhrases) {
    let length = 0;
    const fits = phrase.every((part, index) => {
      while (
        index > 0 &&
        (isArticle(words[at + length]) || (part === 'person' && beforePerson.hasWord(words[at + length])))
      )
        length += 1;
      const word = words[at + length++];
      return part === 'person' ? person.hasWord(word) : word?.forms.includes(part) === true;
    });
    if (fits) longest = Math.max(longest, length);
  }
  return longest;
}

const beforePerson = new Table('live, customer, service, sales, support, available, next');

function actsIn(words: readonly Word[]): Set<Act> {
  const acts = new Set<Act>();
  const spare = words.filter((word) => !isArticle(word));
  for (const row of rows) {
    const isActAt = (at: number): boolean => {
      const [noun, nounOrVerb] = [row.nouns.matchAt(spare, at), row.nounsOrVerbs.matchAt(spare, at)];
      if (nounOrVerb > 0) return !isAskedAbout(spare, at, nounOrVerb, plainlyAsking);
      if (noun > 0) return !isAskedAbout(spare, at, noun, fact);
      return row.always.matchAt(spare, at) > 0;
    };
    if (spare.some((_word, at) => isActAt(at)) || words.some((word, at) => leadsAct(words, word, at, row.leading)))
      acts.add(row.act);
  }
  return acts;
}

/** "payment history", "questions about a payment", "check your payment": a question about it, not the act. */
function isAskedAbout(words: readonly Word[], at: number, length: number, head: Table): boolean {
  const after = words.slice(at + length, at + length + 3);
  const end = after.findIndex((word) => isPart(word) || preposition.has(word.text));
  if (after.slice(0, end === -1 ? after.length : end).some((word) => head.hasWord(word))) return true;
  const start = words.findLastIndex((word, index) => index < at && isPart(word)) + 1;
  const before = words.slice(start, at);
  if (before.some((word) => done.hasWord(word) || asking.hasWord(word))) return true;
  return before.some((word, index) => fact.hasWord(word) && preposition.has(before[index + 1]?.text ?? ''));
}

/** A verb that begins a clause and has an object. */
function leadsAct(words: readonly Word[], word: Word, at: number, leading: ReadonlySet<string>): boolean {
  const gerund = word.text.endsWith('ing') && isArticle(words[at + 1]);
  if (!(gerund ? word.forms : [word.text]).some((form) => leading.has(form))) return false;
  if (!begins(words, at)) return false;
  const object = words.slice(at + 1).find((next) => !isArticle(next));
  if (!object || isPart(object)) return false;
  return isArticle(words[at + 1]) || !(fact.hasWord(object) || person.hasWord(object) || place.hasWord(object));
}

/** Only fillers precede it in its clause: "if you would like to". */
function begins(words: readonly Word[], at: number): boolean {
  const start = words.findLastIndex((word, index) => index < at && isPart(word)) + 1;
  return words.slice(start, at).every((word) => filler.hasWord(word));
}

function isHarmless(words: readonly Word[]): boolean {
  const clauses: Word[][] = [[]];
  for (const word of words) {
    if (isPart(word)) clauses.push([]);
    else clauses.at(-1)?.push(word);
  }
  const meaningfulClauses = clauses.filter((clause) => clause.some((word) => !filler.hasWord(word)));
  return meaningfulClauses.length > 0 && meaningfulClauses.every(isHarmlessClause);
}

function isHarmlessClause(clause: readonly Word[]): boolean {
  return isNamedPlace(clause) || allKnown(clause) || asksOpenly(clause);
}

/** Every word is in one of the tables, and the first isn't a verb, unless it only asks. */
function allKnown(clause: readonly Word[]): boolean {
  let tells = false;
  for (let at = 0; at < clause.length;) {
    const telling = Math.max(harmless.matchAt(clause, at), isNounHere(clause[at]) ? 1 : 0);
    const length = Math.max(
      telling,
      quality.matchAt(clause, at),
      filler.matchAt(clause, at),
      isArticle(clause[at]) ? 1 : 0,
    );
    if (length === 0) return false;
    tells ||= telling > 0;
    at += length;
  }
  return tells && begunWell(clause);
}

/** At this point, nouns of acts are only asked about. */
const isNounHere = (word: Word | undefined): boolean =>
  rows.some(({ nouns, nounsOrVerbs }) => nouns.hasWord(word) || nounsOrVerbs.hasWord(word));

function begunWell(clause: readonly Word[]): boolean {
  const at = clause.findIndex((word) => !filler.hasWord(word));
  const first = clause[at];
  const rest = clause.slice(at + 1);
  if (!first) return false;
  const hasObject = rest.some((word) => !filler.hasWord(word));
  // "Returns" can be a department.
  if (hasObject && move.hasWord(first) && first.text !== 'returns')
    return rest.some((word) => navigation.hasWord(word));
  if (fetch.hasWord(first))
    return rest.some((word) => [fact, place, person, navigation].some((table) => table.hasWord(word)));
  return inquiry.hasWord(first) || navigation.hasWord(first) || !isArticle(clause[at + 1]);
}

/** "information about …", "directions to …", "speak to …": any words can follow, because they contain no act. */
function asksOpenly(clause: readonly Word[]): boolean {
  const at = clause.findIndex(
    (word, index) => preposition.has(word.text) && index > 0 && opens(clause[index - 1], word.text),
  );
  return at > 0 && allKnown(clause.slice(0, at));
}

const speaking = new Table('speak, talk, chat, parler, hablar, sprechen');
const toldOf = new Table(`
  information, info, detail, question, inquiry, enquiry, help, assistance, support, advice, hour, direction, location, address, status, issue, problem,
  news, history, update, instruction`);

function opens(word: Word | undefined, by: string): boolean {
  if (speaking.hasWord(word)) return by === 'to' || by === 'with';
  return toldOf.hasWord(word) && (by !== 'to' || word?.forms.includes('direction') === true);
}

/** "Maple Street branch", "neonatology department". */
function isNamedPlace(clause: readonly Word[]): boolean {
  const name = clause.filter((word, index) => index > 0 || !isArticle(word));
  const start = name.findIndex((word) => !filler.hasWord(word));
  const restOfName = name.slice(start);
  const isName = restOfName.slice(1, -1).every((word) => !isArticle(word) && !preposition.has(word.text));
  return isName && restOfName.length > 1 && restOfName.length <= longestName && openHead.hasWord(restOfName.at(-1));
}
