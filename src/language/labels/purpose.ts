import type { Act } from './actTable.ts';
import { findActs } from './announced.ts';
import { fillers } from './harmlessTable.ts';
import { spelled } from './liveChoice.ts';
import { parseEntries, listForms, labelSentencesOf } from './wordForms.ts';

/** What a text forbids. Without objects, everything that the text doesn't ask for. */
interface Ban {
  readonly acts: ReadonlySet<Act>;
  readonly objects: readonly string[];
}

/** What a user asked for in their own words, and what they forbade. A ban takes precedence for its object. */
export class Wishes {
  readonly acts: ReadonlySet<Act>;
  readonly #words: ReadonlySet<string>;
  readonly #bans: readonly Ban[];

  constructor(...texts: readonly string[]) {
    const clauses = texts.flatMap(labelSentencesOf).flatMap((sentence) => sentence.split(clauseStart));
    const wishes = clauses.filter((clause) => !ruledOut.test(clause));
    this.acts = new Set(wishes.flatMap(findActs));
    this.#words = formsIn(wishes.join(' '));
    this.#bans = clauses.filter((clause) => ruledOut.test(clause)).map((clause) => this.#banOf(clause));
  }

  /** Returns true if a word is one of the wishes, except words that every sentence has. */
  names(word: string): boolean {
    return !fillerWords.has(word) && listForms(word).some((form) => this.#words.has(form));
  }

  /**
   * Returns the acts that go beyond the request. A confirmation does nothing by itself.
   * @param about Names the object of the acts,
   * @param context otherwise this does.
   */
  beyond(acts: Iterable<Act>, about: string, context = ''): ReadonlySet<Act> {
    const bans = this.#bans.filter((ban) => {
      const isWanted = this.#namesObject(about, ban);
      const words = formsIn(isWanted ? about : `${about} ${context}`);
      return ban.objects.length === 0 ? !isWanted : ban.objects.some((object) => words.has(object));
    });
    return new Set(
      [...acts].filter((act) => act !== 'confirms' && (!this.acts.has(act) || bans.some((ban) => ban.acts.has(act)))),
    );
  }

  /** Returns true if a text names the object of a request, not just the act. */
  #namesObject(text: string, { acts }: Ban): boolean {
    return spelled(text)
      .split(' ')
      .some((word) => this.names(word) && !findActs(word).some((act) => acts.has(act)));
  }

  #banOf(clause: string): Ban {
    const [before = '', ...after] = clause.split(ruledOut);
    const acts = findActs(clause);
    const objects = objectsOf(after.join(' '), acts.length > 0);
    return {
      acts: acts.length > 0 ? new Set(acts) : this.acts,
      objects: objects.length > 0 || pronoun.test(clause) ? objects : objectsOf(before, false),
    };
  }
}

const fillerWords: ReadonlySet<string> = new Set(parseEntries(fillers));
const ruledOut = /\b(?:not|never|without|avoid|except|nothing|none|neither|nor|instead of|rather than)\b|n['’]t\b/i;
const clauseStart = /\b(?=(?:but|without|instead of|rather than|except|(?:and )?(?:do not|don['’]t|never))\b)/i;
const pronoun = /\b(?:anything|everything|something|nothing|else|other|more)\b/i;

const formsIn = (text: string): ReadonlySet<string> => new Set(spelled(text).split(' ').flatMap(listForms));

/** Returns the nouns after "cancel or change", in any form. */
function objectsOf(text: string, startsWithVerb: boolean): string[] {
  const words = spelled(text)
    .split(' ')
    .filter((word) => word !== '' && (word === 'or' || word === 'and' || !fillerWords.has(word)));
  return words
    .filter(
      (word, at) =>
        !(startsWithVerb && (at === 0 || (/^(?:or|and)$/.test(words[at - 1] ?? '') && findActs(word).length > 0))),
    )
    .filter((word) => !/^(?:or|and|but)$/.test(word) && !pronoun.test(word))
    .flatMap(listForms);
}
