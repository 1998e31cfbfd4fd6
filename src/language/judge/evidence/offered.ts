import { sentence } from '../../../base/sentences.ts';
import { isInOrder } from '../../../base/inOrder.ts';
import { pattern, patternWith } from '../../../base/rows.ts';
import { menuOf } from '../menuOf.ts';
import { holdsAll, meaningsOf } from '../synonyms.ts';
import type { Event } from '../grammar/events.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { none, seenInSentence, seenInTurn, type MatchEvidence } from './evidence.ts';

/** "Anything but billing" isn't an option for billing. */
const isExcepting = (label: string): boolean =>
  patternWith('i')`
    \b(?:
      but|except|excluding|besides|without|not|never|no|non|other than|apart from|instead of|rather than
      |unless|don't|\w+n't
    )\b
  `.test(label);

/** "Do not press 2 for billing", "billing used to be option 2". */
const isDenied = (sentence: string): boolean =>
  sentence.split(/[.?!]|(?= (?:available|sure|know|listed|have)\b)/).some((part) => isInOrder(part, denial, offering));
const denial = pattern`
  \b(?:not|never|\w+n't|no longer|any ?more|instead of|used to|was|were|formerly|previously)\b
`;
const offering = /\b(?:press|dial|push|select|choose|say|option|number|key|work\w*|be|on)\b/;

/** Finds an option of a menu, with its key if one is wanted, or as words that can be said. */
export function matchOffered(
  { label, literal, key }: Extract<Event, { kind: 'offers' }>,
  { turns, sentences }: HeardCall,
): MatchEvidence {
  const wanted = meaningsOf(label);
  const menus = turns.flatMap((turn, index) =>
    turn.speaker === 'them' ? [{ turn, index, reading: menuOf(turn) }] : [],
  );
  const options = menus.flatMap(({ turn, index, reading }) =>
    reading.options.map((option) => ({ turn, index, ...option })),
  );
  const named = options.filter((option) => holdsAll(wanted, option.label));
  const isAllDenied = (index: number): boolean => {
    const own = sentences.filter((one) => one.index === index && holdsAll(wanted, one.text));
    return own.length > 0 && own.every(({ lower }) => isDenied(lower));
  };
  const fits = named.filter(
    ({ label: heard, index }) => (!isExcepting(heard) || isExcepting(label)) && !isAllDenied(index),
  );
  const excepted = named.filter((option) => !fits.includes(option));
  const right = fits.filter((option) => key === undefined || option.key === key);
  const spoken =
    key === undefined ? menus.filter(({ reading }) => reading.speech.some((phrase) => holdsAll(wanted, phrase))) : [];
  const [other] = fits;
  const wrongKey = right.length === 0 && other !== undefined && fits.length === 1;
  const foreign = !meaningsOf(label).some((word) => sentences.some(({ text }) => meaningsOf(text).includes(word)));
  const complete = literal && options.length > 0 && foreign;
  return {
    sure: [...right, ...spoken].map((one) => seenInTurn(one)),
    maybe: right.length > 0 ? [] : [...(fits.length > 1 ? fits : []), ...excepted].map((one) => seenInTurn(one)),
    denied: wrongKey ? [seenInTurn(other)] : [],
    complete,
    ...(complete && { anyEnd: true as const }),
    told: key === undefined ? sentence`It offers “${label}”.` : sentence`It offers “${label}” on key ${key}.`,
    missing: wrongKey
      ? sentence`“${other.label}” is offered on key ${other.key}.`
      : sentence`None of the options heard (${options.length}) contains the words of “${label}”.`,
  };
}

/** Finds options, each at the words that begin it. */
export const matchMenu = ({ sentences }: HeardCall): MatchEvidence => ({
  ...none,
  complete: true,
  told: sentence`Options are read out.`,
  missing: sentence`No options were read out.`,
  sure: sentences.filter(({ offers }) => offers).map((sentence) => seenInSentence(sentence, firstOption(sentence))),
});

/** Counts the options of the menus, without digits to enter. */
export function matchMenuSize(
  { relation, count, first }: Extract<Event, { kind: 'menuSize' }>,
  { turns }: HeardCall,
): MatchEvidence {
  const menus = turns.flatMap((turn, index) => {
    const size = turn.speaker === 'them' ? menuOf(turn).options.length : 0;
    return size > 1 ? [{ turn, index, size }] : [];
  });
  const looked = first ? menus.slice(0, 1) : menus;
  const fits = ({ size }: { size: number }): boolean =>
    relation === 'atMost'
      ? size <= count
      : relation === 'less'
        ? size < count
        : relation === 'atLeast'
          ? size >= count
          : relation === 'more'
            ? size > count
            : size === count;
  const wrong = looked.filter((menu) => !fits(menu));
  return {
    sure: wrong.length === 0 ? looked.map((one) => seenInTurn(one)) : [],
    maybe: [],
    denied: wrong.map((one) => seenInTurn(one)),
    complete: false,
    told: sentence`Options per menu: ${looked.map(({ size }) => size).join(', ')}.`,
    missing:
      menus.length === 0
        ? sentence`No menu was heard.`
        : sentence`Options per menu that doesn't fit: ${wrong.map(({ size }) => size).join(', ')}.`,
  };
}

/** Returns where the statement ends and the options begin. */
const firstOption = ({ lower, stated }: Sentence): number =>
  Math.max(
    0,
    [...lower].findIndex((letter, index) => letter !== stated[index]),
  );

/** Finds where the caller is asked, or may choose, to do something: every word of it in one inviting sentence. */
export function matchInvited(to: string, { sentences }: HeardCall): MatchEvidence {
  const wanted = meaningsOf(to);
  const invites = sentences.filter(({ lower }) =>
    pattern`
      \b(?:please|you (?:can|may|could)|press|say|would you like|do you want|if you|to)\b
      |^\s*(?:leave|call|hang|dial|go|hold|stay|enter|try|visit)\b
    `.test(lower),
  );
  return {
    ...none,
    complete: false,
    told: sentence`It invites the caller to ${to}.`,
    missing: sentence`No sentence was found that clearly invites the caller to ${to}.`,
    sure: invites
      .filter(
        ({ lower }) =>
          holdsAll(wanted, lower) && !/\b(?:cannot|not|never|no longer|unable|without|\w+n't)\b/.test(lower),
      )
      .map((sentence) => seenInSentence(sentence)),
  };
}
