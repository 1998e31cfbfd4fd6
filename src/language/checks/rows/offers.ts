import { sentence } from '../../../base/sentences.ts';
import { groupBy } from '../../../base/groupBy.ts';
import { isInOrder } from '../../../base/inOrder.ts';
import { pattern, patternWith } from '../../../base/rows.ts';
import type { MenuReading } from '../../../contract/menu.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { menuOf } from '../../heard/menuOf.ts';
import { stemsOf } from '../../heard/words.ts';
import { readMenu } from '../../menu/readMenu.ts';
import { isDoubted } from '../doubt.ts';
import type { HeardCall, Sentence } from '../heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from '../part.ts';
import { seenInSentence, seenInTurn, type Seen, type Sightings } from '../sightings.ts';
import { holdsAny, checkTextsOf } from '../texts.ts';
import { matchesAny } from './said.ts';

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

interface OfferedMenu {
  readonly turn: Turn;
  readonly index: number;
  readonly reading: MenuReading;
}
const menusIn = ({ turns }: HeardCall, part: Part): OfferedMenu[] =>
  turns.flatMap((turn, index) =>
    turn.speaker === 'them' &&
    isInside(seenInTurn({ turn, index }), {
      ...part,
      fromMs: part.after ? 0 : part.fromMs,
      after: undefined,
      until: undefined,
    })
      ? [{ turn, index, reading: menuOf(turn) }]
      : [],
  );

/** Finds options: any, one with these words or this key, or menus of a size. */
export const findOffered: Find<'offers'> = (check, call, part) => {
  const { option, key, position, atMost, atLeast, only, allByKey } = check;
  if (only) return findOnly(only, call, part);
  if (allByKey) return findKeyed(call, part);
  if (atMost !== undefined || atLeast !== undefined) return findSizes(atLeast ?? 0, atMost ?? Infinity, call, part);
  if (option === undefined && key === undefined && position === undefined) return findAnyOption(call, part);
  return findOption(checkTextsOf(option), { key, position }, call, part);
};

/** Finds options, each at the words that begin it. */
function findAnyOption(call: HeardCall, part: Part): Sightings {
  const said = sentencesIn(call, part);
  return {
    complete: true,
    shown: sentence`Options are read out.`,
    missing: sentence`No options were read out.`,
    sure: said
      .filter((one) => one.offers || readMenu(one.lower).speech.length > 0)
      .map((one) => seenInSentence(one, firstOption(one))),
  };
}

/** Returns where the statement ends and the options begin. */
const firstOption = ({ lower, stated }: Sentence): number =>
  Math.max(
    0,
    [...lower].findIndex((letter, index) => letter !== stated[index]),
  );

function findOption(
  texts: readonly string[],
  { key, position }: { readonly key: string | undefined; readonly position: number | undefined },
  call: HeardCall,
  part: Part,
): Sightings {
  const menus = menusIn(call, part);
  const holds = (label: string): boolean => holdsAny(texts, label);
  const isAllDenied = (index: number): boolean => {
    const own = call.sentences.filter((one) => one.index === index && holds(one.text));
    return own.length > 0 && own.every(({ lower }) => isDenied(lower));
  };
  const options = menus.flatMap(({ turn, index, reading }) =>
    reading.options.map((one, place) => ({ turn, index, place: place + 1, ...one })),
  );
  const named = options.filter(({ label }) => holds(label));
  const offered = groupBy(offersIn(call.sentences), ({ said }) => said.index);
  /** The sentences of an option that aren't denied or taken back, or its turn if they can't be read alone. */
  const placesOf = (one: (typeof options)[number]): Seen[] => {
    const own = (offered.get(one.index) ?? []).filter((other) => isSameOption(one, other));
    if (own.length === 0) return isAllDenied(one.index) ? [] : [seenInTurn(one)];
    return own
      .filter(({ said: { lower, at } }) => !isDenied(lower) && !isDoubted(call.sentences[at + 1]?.lower ?? ''))
      .map(({ said }) => seenInSentence(said));
  };
  const fits = named
    .map((one) => ({ ...one, seen: placesOf(one) }))
    .filter(({ label, seen }) => (!isExcepting(label) || texts.some(isExcepting)) && seen.length > 0);
  const isRight = (one: (typeof fits)[number]): boolean =>
    (key === undefined || one.key === key) && (position === undefined || one.place === position);
  const right = fits.filter(isRight);
  const spoken =
    key === undefined && position === undefined
      ? menus.filter(({ reading }) => reading.speech.some((phrase) => holds(phrase)))
      : [];
  const [other] = fits;
  const isElsewhere = texts.length > 0 && right.length === 0 && other !== undefined && fits.length === 1;
  // Words of the option outside of the options may be the option, in words that weren't read.
  const wanted = texts.flatMap(stemsOf);
  const near = call.sentences.filter(({ text }) => stemsOf(text).some((word) => wanted.includes(word)));
  const name = texts.join(' / ');
  return {
    sure: [...right.flatMap(({ seen }) => seen), ...spoken.map((one) => seenInTurn(one))],
    maybe:
      right.length + spoken.length > 0
        ? []
        : [
            ...(isElsewhere ? [] : named).map((one) => seenInTurn(one)),
            ...(isElsewhere ? [] : near.map((one) => seenInSentence(one))),
          ],
    denied: isElsewhere ? other.seen : [],
    complete: options.length > 0 || menus.some(({ reading }) => reading.speech.length > 0),
    shown:
      key === undefined
        ? sentence`It offers “${name}”.`
        : name === ''
          ? sentence`It offers key ${key}.`
          : sentence`It offers “${name}” on key ${key}.`,
    missing: isElsewhere
      ? sentence`“${other.label}” is offered on key ${other.key}.`
      : name === ''
        ? sentence`No option has this key or place.`
        : sentence`None of the options heard (${options.length}) contains the words of “${name}”.`,
  };
}

/** Counts the options of each menu. */
function findSizes(atLeast: number, atMost: number, call: HeardCall, part: Part): Sightings {
  const menus = menusIn(call, part).filter(({ reading }) => reading.options.length > 1);
  const sizes = (some: readonly OfferedMenu[]): string => some.map(({ reading }) => reading.options.length).join(', ');
  const wrong = menus.filter(({ reading: { options } }) => options.length < atLeast || options.length > atMost);
  return {
    sure: wrong.length === 0 ? menus.map((one) => seenInTurn(one)) : [],
    denied: wrong.map((one) => seenInTurn(one)),
    complete: false,
    shown: sentence`Options per menu: ${sizes(menus)}.`,
    missing:
      menus.length === 0 ? sentence`No menu was heard.` : sentence`Options per menu that doesn't fit: ${sizes(wrong)}.`,
  };
}

interface Offered {
  readonly said: Sentence;
  readonly label: string;
  readonly key?: string;
}
const offersIn = (heard: readonly Sentence[]): Offered[] =>
  heard.flatMap((said) => {
    const { options, speech } = readMenu(said.lower);
    return [
      ...options.map(({ key, label }) => ({ said, label, key })),
      ...(options.length === 0 ? speech.map((label) => ({ said, label })) : []),
    ];
  });

function findOnly(patterns: readonly string[], call: HeardCall, part: Part): Sightings {
  const other = offersIn(sentencesIn(call, part)).find(({ label }) => !matchesAny(patterns, label));
  return {
    absent: true,
    complete: true,
    sure: other ? [seenInSentence(other.said)] : [],
    shown:
      other === undefined || other.label !== ''
        ? sentence`Something else is offered: ${other?.label ?? ''}.`
        : sentence`Something else is offered: key ${other.key ?? ''}.`,
    missing: sentence`Nothing else is offered.`,
  };
}

/** A caller with only keys is stuck at a prompt that offers phrases but no keys. */
function findKeyed(call: HeardCall, part: Part): Sightings {
  const menus = menusIn(call, part);
  const stuck = menus.filter(
    ({ reading: { options, speech, input } }) => speech.length > 0 && options.length === 0 && input === null,
  );
  return {
    sure:
      stuck.length > 0 ? [] : menus.filter(({ reading }) => reading.options.length > 0).map((one) => seenInTurn(one)),
    denied: stuck.map((one) => seenInTurn(one)),
    complete: false,
    shown: sentence`Every option has a key.`,
    missing:
      stuck.length > 0 ? sentence`These options can be chosen only by speech.` : sentence`No options were offered.`,
  };
}

/** Another menu has the same keys for other things. Recognition differs each time. */
const isSameOption = (one: Pick<Offered, 'key' | 'label'>, other: Offered): boolean => {
  const [a, b] = [stemsOf(one.label), stemsOf(other.label)];
  return one.key === other.key && (a.length === 0 || b.length === 0 || a.some((word) => b.includes(word)));
};

/** The same keys are offered again, or there was a key that repeats them. */
export const findRepeated: Find<'repeatsOnTimeout'> = (_check, call, part) => {
  const heard = sentencesIn(call, part);
  const before = call.sentences.filter(
    (one) => !heard.includes(one) && (heard[0] === undefined || one.at < heard[0].at),
  );
  const keyed = (some: readonly Sentence[]): Offered[] => offersIn(some).filter(({ key }) => key !== undefined);
  const [earlier, now] = [keyed(before), keyed(heard)];
  const repeat = [...before, ...heard].find(({ lower }) => readMenu(lower).repeatKey !== null);
  const again = now.filter((one) => earlier.some((other) => isSameOption(one, other)));
  // If the menu began only then, it must occur twice.
  const isRepeated =
    earlier.length === 0
      ? now.length > 0 && now.every((one) => now.filter((other) => isSameOption(one, other)).length > 1)
      : earlier.every((one) => now.some((other) => isSameOption(one, other)));
  const shownBy = isRepeated ? (again[0] ?? now[0])?.said : heard.length > 0 ? repeat : undefined;
  return {
    sure: shownBy ? [seenInSentence(shownBy)] : [],
    complete: earlier.length > 0,
    placed: true,
    shown: isRepeated ? sentence`All options are offered again.` : sentence`A key repeats the options.`,
    missing:
      earlier.length === 0
        ? sentence`No options were offered before that point.`
        : again.length === 0
          ? sentence`None of the options is offered again.`
          : sentence`Not all options are offered again.`,
  };
};
