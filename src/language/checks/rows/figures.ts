import { sentence } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import type { CheckOf } from '../../../contract/checks.ts';
import { spokenWords } from '../../../model/heard/heardWords.ts';
import { isMishearing } from '../../heard/mishearing.ts';
import { contentWords } from '../../heard/words.ts';
import { readMenu } from '../../menu/readMenu.ts';
import type { Sentence } from '../heardCall.ts';
import { sentencesIn, type Find } from '../part.ts';
import { quantitiesIn, type Quantity, type QuantityKind } from '../quantities.ts';
import { isComparable, isSame } from '../sameQuantity.ts';
import { holdsAny, checkTextsOf } from '../texts.ts';
import { seenInSentence, type Seen } from '../sightings.ts';

type Figure = Pick<CheckOf<'tells'>, 'what' | 'about' | 'equals' | 'atMost' | 'atLeast'>;

const kinds: Readonly<Record<Figure['what'], readonly QuantityKind[]>> = {
  amount: ['money', 'percent', 'weight'],
  date: ['day'],
  time: ['clock'],
  duration: ['duration'],
  number: ['number'],
  name: [],
  fact: [],
};

/** An earlier or a denied figure, or the figure of a limit or an example, directly before it. */
const isNotNow = pattern`
  \b(?:was|were|had been|used to be|not|never|\w+n't|instead of|rather than|for example|minimum|maximum)
  (?: (?!is\b|are\b)\w+){0,3}\W*$
`;
const named = pattern`
  \b(?:
    my name is|this is|i am|i'm|speaking (?:with|to)|appointment with|see|doctor|dr|mr|mrs|ms|miss|under the name
    |in the name of|for
  )\.? ([a-z][a-z'-]+)
`;

/** Finds where a figure of a kind is said, in a sentence with the words that name it, and compares it. */
export const findTold: Find<'tells'> = (check, call, part) => {
  const found: Record<'sure' | 'maybe' | 'denied', Seen[]> = { sure: [], maybe: [], denied: [] };
  let before: Sentence | undefined;
  for (const one of sentencesIn(call, part)) {
    // "Your order has shipped. It arrives on Tuesday." The second sentence continues the first.
    const continues = before !== undefined && /^\W*(?:it|that|this|they)\b/.test(one.stated) && isAbout(check, before);
    const kind = look(check, one, continues || isAbout(check, one));
    if (kind) found[kind].push(seenInSentence(one));
    if (!continues) before = one;
  }
  const what = checkTextsOf(check.about)[0] ?? check.what;
  // A sentence about it with another figure decides only if no other sentence has the right one.
  return {
    ...found,
    denied: found.sure.length > 0 ? [] : found.denied,
    // Other words may state a fact.
    complete: check.what !== 'fact' && (check.about !== undefined || check.equals !== undefined),
    shown: isCompared(check) ? sentence`It gives ${what} as expected.` : sentence`It gives ${what}.`,
    missing:
      found.denied.length > 0
        ? sentence`It gives another value than expected for ${what}.`
        : sentence`It doesn't give ${what}.`,
  };
};

const isCompared = ({ equals, atMost, atLeast }: Figure): boolean =>
  equals !== undefined || atMost !== undefined || atLeast !== undefined;

const isAbout = ({ about }: Figure, { stated }: Sentence): boolean => holdsAny(about, stated);

function look(check: Figure, sentence: Sentence, about: boolean): 'sure' | 'maybe' | 'denied' | undefined {
  const { stated, quantities, question, conditional, doubtful, masked } = sentence;
  if (stated.trim() === '' || readMenu(stated).input !== null) return undefined;
  if (check.what === 'fact') return about ? lookForFact(sentence) : undefined;
  if (check.what === 'name') return lookForName(check, sentence, about);
  const figures = quantities.filter(({ kind }) => kinds[check.what].includes(kind));
  if (figures.length === 0) {
    // Recognition may have lost the unit of a figure.
    const mayBe = about && check.about !== undefined && (masked || quantities.some(({ kind }) => kind === 'number'));
    return mayBe && !question ? 'maybe' : undefined;
  }
  const current = figures.filter(({ from }) => {
    const before = stated.slice(0, from);
    return !isNotNow.test(before) && !before.match(denial);
  });
  const fits = compare(check, figures);
  if (!about) return fits === 'yes' && isCompared(check) ? 'maybe' : undefined;
  if (question || conditional || doubtful || current.length < figures.length)
    return fits === 'no' ? undefined : 'maybe';
  return fits === 'yes' ? 'sure' : fits === 'no' ? 'denied' : 'maybe';
}

const denial =
  /\b(?:not|never|no|nobody|none|neither|nor|without|cannot|unable|yet to be|\w+n't|dont|doesnt|isnt|wont|cant)\b/g;

/** An even number of denials denies nothing: "not without charge". */
function lookForFact({ stated, question, conditional, doubtful }: Sentence): 'sure' | 'maybe' | 'denied' {
  if (question || conditional || doubtful) return 'maybe';
  return [...stated.matchAll(denial)].length % 2 === 1 ? 'denied' : 'sure';
}

function compare({ what, equals, atMost, atLeast }: Figure, figures: readonly Quantity[]): 'yes' | 'no' | 'perhaps' {
  const values = figures.map((figure) => (figure.kind === 'money' ? figure.value / 100 : figure.value));
  if (atMost !== undefined || atLeast !== undefined) {
    const fits = values.map((value) => value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity));
    return fits.every(Boolean) ? 'yes' : fits.includes(true) ? 'perhaps' : 'no';
  }
  if (equals === undefined) return 'yes';
  const wanted = quantitiesIn(String(equals)).filter(({ kind }) => kinds[what].includes(kind) || kind === 'number');
  const isEqual = figures.some((figure, index) =>
    wanted.some((one) => isSame(figure, one) || (one.kind === 'number' && values[index] === one.value)),
  );
  // "Your balance after a payment of $5 is $10" may be either. Times and days are ranges: "from nine to five".
  const isOther = figures.some(
    (figure, index) =>
      !/^(?:clock|day)$/.test(figure.kind) &&
      !wanted.some((one) => isSame(figure, one) || (one.kind === 'number' && values[index] === one.value)) &&
      wanted.some((one) =>
        figure.kind === 'number' ? digits(figure) === digits(one) : one.kind === 'number' || isComparable(figure, one),
      ),
  );
  if (isEqual) return isOther ? 'perhaps' : 'yes';
  // "Fifteen" can be a misheard "fifty", "44" the beginning of "4417". A weekday says nothing against a date.
  const isNear = figures.some((figure, index) =>
    wanted.some((one) =>
      one.kind === 'number'
        ? isMishearing(values[index] ?? 0, one.value) || String(one.value).startsWith(String(values[index]))
        : isComparable(figure, one)
          ? isMishearing(figure.value, one.value)
          : figure.kind === one.kind,
    ),
  );
  return isNear || wanted.length === 0 ? 'perhaps' : 'no';
}

const digits = ({ value }: Quantity): number => String(value).length;

function lookForName({ equals }: Figure, { stated, question, doubtful }: Sentence, about: boolean) {
  if (!about) return undefined;
  const wanted = equals === undefined ? [] : spokenWords(String(equals)).map(({ text }) => text);
  const heard = new Set(spokenWords(stated).map(({ text }) => text));
  const isNamed = wanted.length > 0 ? wanted.every((word) => heard.has(word)) : named.test(stated);
  if (!isNamed)
    return wanted.length > 0 && contentWords(stated).some((word) => wanted.includes(word)) ? 'maybe' : undefined;
  const [first = ''] = wanted;
  return question || doubtful || isNotNow.test(stated.slice(0, stated.indexOf(first))) ? 'maybe' : 'sure';
}
