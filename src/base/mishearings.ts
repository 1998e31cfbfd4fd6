import { wordTable } from './wordTable.ts';

/**
 * Where a word is heard for a key: `anywhere` if it sounds exactly alike; after a `verb` ("press tree"); after "pressed"
 * ("pressed our": press star); before "key" ("the pan key"); at the `end` of an offer whose verb wasn't recognised ("for
 * fares, for us to"); and after a verb in a `text` whose sound isn't at hand. The spelling of labels (`homophones.ts` of
 * `speech`) and the comparison of transcripts (that of `model/heard`) have sets without keys, which are symmetric.
 */
type MishearingPlace = 'anywhere' | 'verb' | 'pressed' | 'key' | 'end' | 'text';

/** The keys of a telephone by their names. */
export const keysByName: Readonly<Record<string, string>> = wordTable(
  Object.fromEntries(
    'zero one two three four five six seven eight nine star pound hash'
      .split(' ')
      .map((name, at) => [name, '0123456789*##'.charAt(at)]),
  ),
);

const sameSound = ['anywhere', 'verb', 'end', 'text'] as const;

/** What is heard for the name of a key. */
const mishearings: readonly (readonly [name: string, heard: string, ...places: readonly MishearingPlace[]])[] = [
  ['zero', 'oh o hero', 'text'],
  ['one', 'won', ...sameSound],
  ['one', 'wan once', 'text'],
  ['two', 'to too', ...sameSound],
  ['two', 'do', 'verb', 'end'],
  ['three', 'tree', 'verb', 'end', 'text'],
  ['three', 'free', 'verb', 'end'],
  ['four', 'for fore', ...sameSound],
  ['four', 'our', 'end'],
  ['five', 'fives', 'verb'],
  ['five', 'fife fine', 'text'],
  ['six', 'sex', 'verb', 'end', 'text'],
  ['six', 'sics sicks', 'text'],
  ['eight', 'ate', ...sameSound],
  ['eight', 'it', 'text'],
  ['nine', 'nines', 'verb'],
  ['nine', 'line', 'end'],
  ['nine', 'nein mine mind', 'text'],
  ['star', 'start stars', 'verb', 'end', 'text'],
  ['star', 'stark', 'verb', 'end'],
  ['star', 'starr', 'verb', 'text'],
  ['star', 'store', 'end'],
  ['star', 'our are r hour art dart dar tar ar darth tart dark', 'pressed'],
  ['pound', 'pounds', 'verb', 'key', 'end', 'text'],
  ['pound', 'pond', 'key', 'end', 'text'],
  ['pound', 'found', 'key', 'end'],
  ['pound', 'pan', 'key', 'text'],
  ['pound', 'pen pump pun pain pad powell town pumpkin pounded', 'key'],
  ['pound', 'pawn', 'text'],
  ['hash', 'hush', 'verb', 'end', 'text'],
  ['hash', 'ash', 'end'],
];

/** Returns the words that are heard for a key in this place, with the name of the key. */
export const namesHeard = (place: MishearingPlace): Readonly<Record<string, string>> => tableOf(place, (name) => name);
/** The same with the keys themselves. */
export const keysHeard = (place: MishearingPlace): Readonly<Record<string, string>> =>
  tableOf(place, (name) => keysByName[name] ?? name);

const tableOf = (place: MishearingPlace, valueOf: (name: string) => string): Readonly<Record<string, string>> =>
  wordTable(
    Object.fromEntries(
      mishearings
        .filter(([, , ...places]) => places.includes(place))
        .flatMap(([name, heard]) => heard.split(' ').map((word) => [word, valueOf(name)])),
    ),
  );
