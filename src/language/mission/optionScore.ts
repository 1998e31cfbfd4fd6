import { patternWith, words } from '../../base/rows.ts';
import { contentWords, stem } from '../heard/words.ts';

const synonymSets = [
  'agent representative operator person advisor adviser specialist associate receptionist',
  'balance funds',
  'bill billing invoice',
  'payment pay paying',
  'lost stolen missing',
  'hours opening open closing times schedule',
  'location address branch directions store nearest',
  'appointment booking book reservation reserve',
  'prescription refill pharmacy medication medicine',
  'loan mortgage',
  'support technical tech help troubleshooting problem issue fault',
  'cancel terminate end stop',
  'order purchase buy',
  'delivery shipping shipment package parcel track tracking',
  'card debit credit',
  'sales buy purchase new',
  'spanish español espanol',
  'english inglés',
  'internet broadband wifi',
  'phone mobile cell telephone',
  'password pin passcode reset',
  'claim claims accident',
  'transaction transactions statement statements activity history',
  'account accounts',
  'doctor physician nurse clinic',
  'emergency urgent',
  'return refund refunds returns',
  'complaint complain complaints feedback',
  'employment job jobs career careers',
  'outage power outages',
  'meter reading',
  'status check',
  'change update modify',
  'menu main',
  'insurance policy coverage',
  'flight flights travel',
  'check-in checkin',
];
const groups = new Map<string, number[]>();
synonymSets.forEach((set, group) => {
  for (const word of set.split(' ')) groups.set(stem(word), [...(groups.get(stem(word)) ?? []), group]);
});

const synonymous = (a: string, b: string): boolean =>
  (groups.get(a) ?? []).some((group) => groups.get(b)?.includes(group));

/** Words of any goal that name no option. */
const common = new Set(
  words`
    call caller find want wants need needs like ask get hear listen know goal mission try
    reach press option menu customer information number say use make tell learn speak talk
  `.map(stem),
);

/** Words for anyone who answers, unlike "human resources" and "somebody hit my car". */
const anybody = patternWith('gi')`
  \b(?:(?:real|live|actual) )?(?:human(?: being)?(?! resources)|person)\b
  |(?<=\b(?:speak|talk|speaking|talking|connect|connected|reach|through)\b[^.,;]{0,12})\b(?:some|any)(?:body|one)\b
`;

const stemsOf = (text: string): string[] => contentWords(text.replace(anybody, 'operator')).map(stem);

export const goalStems = (goal: string): ReadonlySet<string> =>
  new Set(stemsOf(goal).filter((word) => !common.has(word) && !/^\d+$/.test(word)));

interface Scored<Option> {
  readonly option: Option;
  readonly score: number;
}

/** The options that fit the goal best. Unless the first one is sure, it may be wrong. */
interface Choice<Option> {
  /** Best first, at least one. */
  readonly best: readonly Option[];
  readonly isSure: boolean;
  /** False if no option may be what the goal means. */
  readonly fits: boolean;
}

/** From this score by words, and this far ahead of the second, words are sure: for goals of many and of few words. */
const sure = { score: 0.9, ahead: 0.1 };
const sureOfFew = { words: 4, score: 0.5, ahead: 0.2 };
/** Likenesses of meaning, found with 180 goals and 18 menus: unlike below `near`, as good as equal within `ahead`. */
const near = 0.45;
const ahead = 0.05;
/** Words in common count this much, compared with a likeness of meaning. */
const wordsWeight = 0.2;

/**
 * Chooses by words if they are sure, otherwise by likeness of meaning, and without that by the best words. Undefined if
 * nothing has anything in common with the goal. `again`: a nearer one was tried, so those close to it
 * may be meant. `isWhole`: the mission says no more than the goal.
 */
export function chooseNearestOption<Option>(
  options: readonly Option[],
  labelOf: (option: Option) => string,
  goal: ReadonlySet<string>,
  likeness?: ReadonlyMap<string, number>,
  { again = false, isWhole = true }: { readonly again?: boolean; readonly isWhole?: boolean } = {},
): Choice<Option> | undefined {
  const byWords = scoreOptions(options, labelOf, goal);
  const [first, second] = byWords;
  const lead = (first?.score ?? 0) - (second?.score ?? 0);
  const isSure = (least: { score: number; ahead: number }): boolean =>
    (first?.score ?? 0) >= least.score && lead >= least.ahead;
  if (first && (!likeness || isSure(sure) || (isWhole && goal.size <= sureOfFew.words && isSure(sureOfFew))))
    return { best: [first.option], isSure: true, fits: true };
  if (!likeness || options.length === 0) return undefined;
  const scored = options
    .map((option) => ({
      option,
      score:
        (likeness.get(labelOf(option)) ?? 0) +
        wordsWeight * Math.min(1.2, byWords.find((one) => one.option === option)?.score ?? 0),
    }))
    .sort((one, other) => other.score - one.score);
  const [top = 0, next = 0] = scored.map(({ score }) => score);
  const fits = top >= near - (again ? ahead : 0);
  return { best: scored.slice(0, 2).map(({ option }) => option), isSure: fits && top - next >= ahead, fits };
}

/**
 * Sorts the options by how well their words match the goal's, best first. Leaves out those without a shared meaning. A
 * word that many options share counts less.
 */
function scoreOptions<Option>(
  options: readonly Option[],
  labelOf: (option: Option) => string,
  goal: ReadonlySet<string>,
): Scored<Option>[] {
  const labels = options.map((option) => [...new Set(stemsOf(labelOf(option)))].filter((word) => !common.has(word)));
  const rarity = (word: string): number => 1 / labels.filter((label) => label.includes(word)).length;
  return options
    .map((option, index) => {
      const label = labels[index] ?? [];
      const fit = label.reduce(
        (sum, word) =>
          sum +
          (goal.has(word) ? rarity(word) : [...goal].some((want) => synonymous(want, word)) ? 0.7 * rarity(word) : 0),
        0,
      );
      // If two labels share the same words with the goal, the shorter one is meant.
      return { option, score: label.length === 0 ? 0 : fit * (0.7 + 0.3 * Math.min(1, fit / label.length)) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
