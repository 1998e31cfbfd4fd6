import { contentWords, stem } from './words.ts';

/** Synonyms in calls; the first represents the others. Things that can differ in a call aren't synonyms. */
const sets = [
  'depart departure leave takeoff',
  'arrive arrival land',
  'deliver delivery delivered',
  'engineer technician repairman repair visit fix',
  'cancel cancellation',
  'reschedule rebook move',
  'person human agent representative operator adviser advisor colleague employee receptionist staff specialist somebody someone clerk rep dispatcher consultant handler',
  'fee charge cost price',
  'wait waiting hold queue',
  'phone telephone',
  'bag baggage luggage suitcase',
  'parcel package shipment',
  'book booking reserve reservation',
  'refund reimburse reimbursement',
  'close closed shut closing',
  'wrong incorrect invalid false',
  'doctor physician gp',
  'bill billing invoice',
  'outage blackout',
  'automated automatic virtual machine robot bot computer',
  'know aware',
  'clinic surgery practice',
  'lend lending loan',
  'schedule appointment',
  'free available',
  'decline declined refuse refused reject rejected',
  'confirm confirmation confirmed',
  'pharmacist pharmacy',
  'team department desk',
  'pick collect pickup collection',
];
// A department doesn't depart: words that share a stem with an unrelated word stand only for themselves.
const ownKey = (word: string): string =>
  word.replace(/s$/, '') === 'department' ? 'department' : stem(word).replace(/^([a-z]{3})e$/, '$1');
const first = new Map<string, string>(
  sets.flatMap((words) => {
    const all = words.split(' ');
    return all.map((word): [string, string] => [ownKey(word), stem(all[0] ?? word)]);
  }),
);

/** Returns the meaning of a word: its stem, or that of the word that represents its synonyms. */
export const meaningOf = (word: string): string => {
  const base = ownKey(word);
  return first.get(base) ?? base;
};
export const meaningsOf = (text: string): string[] => contentWords(text).map(meaningOf);

/** Returns true if a text has all of these meanings. An empty list is in no text. */
export const holdsAll = (wanted: readonly string[], text: string): boolean => {
  const heard = new Set(meaningsOf(text));
  return wanted.length > 0 && wanted.every((word) => heard.has(word));
};

export const isStaff = (word: string): boolean => meaningOf(word) === meaningOf('person');
