import { words } from '../../base/rows.ts';

const vowels = new Set(words`AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW`);
/** Sounds that are easily mistaken for each other on a telephone line. */
const groups: readonly (readonly [cost: number, sounds: ReadonlySet<string>])[] = [
  [0.3, new Set(words`P B`)],
  [0.3, new Set(words`T D`)],
  [0.3, new Set(words`K G`)],
  [0.3, new Set(words`S Z`)],
  [0.3, new Set(words`F TH`)],
  [0.3, new Set(words`V DH`)],
  [0.3, new Set(words`D DH`)],
  [0.3, new Set(words`ER R`)],
  [0.5, new Set(words`P B T D K G`)],
  [0.5, new Set(words`F TH S SH HH V DH Z ZH CH JH`)],
  [0.4, new Set(words`M N NG`)],
  [0.5, new Set(words`L R W Y`)],
  [0.6, new Set(words`T S CH`)],
  [0.4, vowels],
  [0.4, new Set(words`Y IY IH`)],
  [0.4, new Set(words`W UW OW UH`)],
];
const otherConsonant = 0.8;
/** Sounds that are easily lost or added. */
const weak = new Set(words`T D AH HH IH L`);

function costOf(a: string, b: string): number {
  if (a === b) return 0;
  const group = groups.find(([, sounds]) => sounds.has(a) && sounds.has(b));
  if (group) return group[0];
  return vowels.has(a) === vowels.has(b) ? otherConsonant : 1;
}
const costOfOne = (sound: string): number => (weak.has(sound) ? 0.5 : 0.9);

/** Returns how much two sequences of sounds differ: the lowest cost of changing one into the other. */
export function distance(one: readonly string[], other: readonly string[]): number {
  let row = [0];
  for (const sound of other) row.push((row.at(-1) ?? 0) + costOfOne(sound));
  for (const a of one) {
    const next = [(row[0] ?? 0) + costOfOne(a)];
    for (const [at, b] of other.entries())
      next.push(
        Math.min((row[at] ?? 0) + costOf(a, b), (row[at + 1] ?? 0) + costOfOne(a), (next[at] ?? 0) + costOfOne(b)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
