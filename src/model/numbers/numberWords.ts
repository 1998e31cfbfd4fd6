import { wordTable } from '../../base/wordTable.ts';

/** The words of English numbers. A name is at the index of its value, or starts at ten. */
export const digitNames: readonly string[] = 'zero one two three four five six seven eight nine'.split(' ');
export const teenNames: readonly string[] =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
export const tenNames: readonly string[] = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
export const unitOrdinals: readonly string[] = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
export const teenOrdinals: readonly string[] =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(' ');
export const tenOrdinals: readonly string[] =
  'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(' ');
export const scales = wordTable<number>({
  thousand: 1000,
  thousandth: 1000,
  million: 1e6,
  millionth: 1e6,
  billion: 1e9,
});
/** "double five" */
export const repeats = wordTable<number>({ double: 2, triple: 3 });
export const ohNames: readonly string[] = ['oh', 'o'];

const small = [...digitNames, ...teenNames, 'twenty'];

/** Returns the names of the numbers `from` … `to`, up to twenty. */
export const numberNames = (from: number, to: number): readonly string[] => small.slice(from, to + 1);

/** Returns the values of the numbers `from` … `to` by name, up to twenty. */
export const numbersByName = (from: number, to: number): Readonly<Record<string, number>> =>
  Object.fromEntries(numberNames(from, to).map((name, index) => [name, from + index]));

export const digitsByName: Readonly<Record<string, string>> = Object.fromEntries(
  digitNames.map((name, digit) => [name, String(digit)]),
);
