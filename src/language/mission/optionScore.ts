import { contentWords, stem } from '../heard/words.ts';

const synonymSets = [
  'agent representative operator person human advisor adviser someone specialist associate receptionist live',
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
  [
    'call',
    'caller',
    'find',
    'want',
    'wants',
    'need',
    'needs',
    'like',
    'ask',
    'get',
    'hear',
    'listen',
    'know',
    'goal',
    'mission',
    'try',
    'reach',
    'press',
    'option',
    'menu',
    'customer',
    'information',
    'number',
    'say',
    'use',
    'make',
    'tell',
    'learn',
    'speak',
    'talk',
  ].map(stem),
);

export const goalStems = (goal: string): ReadonlySet<string> =>
  new Set(
    contentWords(goal)
      .map(stem)
      .filter((word) => !common.has(word) && !/^\d+$/.test(word)),
  );

interface Scored<Option> {
  readonly option: Option;
  readonly score: number;
}

/**
 * Sorts the options by how well their words match the goal's, best first. Leaves out those without a shared meaning. A
 * word that many options share counts less.
 */
export function scoreOptions<Option>(
  options: readonly Option[],
  labelOf: (option: Option) => string,
  goal: ReadonlySet<string>,
): Scored<Option>[] {
  const labels = options.map((option) =>
    [...new Set(contentWords(labelOf(option)).map(stem))].filter((word) => !common.has(word)),
  );
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
