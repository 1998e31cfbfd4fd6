import {
  digitNames,
  ohNames,
  repeats,
  scales,
  teenNames,
  teenOrdinals,
  tenNames,
  tenOrdinals,
  unitOrdinals,
} from './numberWords.ts';

/** A word or a row of digits, in lower case, without punctuation. */
export interface Atom {
  readonly text: string;
  /** The index of its written word. */
  readonly at: number;
  /** `2nd`, `3rd`. */
  readonly ordinal: boolean;
  /** A sentence ends after it. */
  readonly stop: boolean;
  /** A comma or a dash follows. */
  readonly pause: boolean;
  /** A placeholder for any words. */
  readonly any?: true;
}

/**
 * A number as it can be written or said. `digits` is its form without commas ("two hundred" 200, "five five five" 555,
 * "twenty twenty-six" 2026).
 */
interface SpokenNumber {
  readonly digits: string;
  /** The same, split at commas: "one, two hundred" is 1 and 200. */
  readonly segments: readonly string[];
  /** Index of the atom after it. */
  readonly next: number;
}

type Level = 'unit' | 'teen' | 'ten' | 'zero' | 'digits' | 'hundred' | 'scale';
interface Meaning {
  readonly level: Level;
  readonly value: number;
  readonly ordinal?: true;
}

const meanings = new Map<string, Meaning>([
  ...digitNames.map((word, value): [string, Meaning] => [word, { level: value === 0 ? 'zero' : 'unit', value }]),
  ...ohNames.map((word): [string, Meaning] => [word, { level: 'zero', value: 0 }]),
  // From radio and air traffic.
  ['niner', { level: 'unit', value: 9 }],
  ...teenNames.map((word, index): [string, Meaning] => [word, { level: 'teen', value: 10 + index }]),
  ...tenNames.map((word, index): [string, Meaning] => [word, { level: 'ten', value: 20 + 10 * index }]),
  ...unitOrdinals.map((word, index): [string, Meaning] => [word, { level: 'unit', value: index + 1, ordinal: true }]),
  ...teenOrdinals.map((word, index): [string, Meaning] => [word, { level: 'teen', value: 10 + index, ordinal: true }]),
  ...tenOrdinals.map((word, index): [string, Meaning] => [
    word,
    { level: 'ten', value: 20 + 10 * index, ordinal: true },
  ]),
  ['hundred', { level: 'hundred', value: 100 }],
  ['hundredth', { level: 'hundred', value: 100, ordinal: true }],
  ...Object.entries(scales).map(([word, value]): [string, Meaning] => [
    word,
    word.endsWith('th') ? { level: 'scale', value, ordinal: true } : { level: 'scale', value },
  ]),
]);

export const numberWords: readonly string[] = [...meanings.keys()];

function meaningOf(atom: Atom | undefined): Meaning | undefined {
  if (atom === undefined) return undefined;
  if (/^\d+$/.test(atom.text))
    return { level: 'digits', value: Number(atom.text), ...(atom.ordinal ? { ordinal: true } : {}) };
  return meanings.get(atom.text);
}

const isDigit = (meaning: Meaning | undefined): boolean => meaning?.level === 'unit' || meaning?.level === 'zero';
const isScale = (meaning: Meaning | undefined): boolean => meaning?.level === 'hundred' || meaning?.level === 'scale';
const isOh = ({ text }: Atom): boolean => ohNames.includes(text);

/**
 * Returns true if a number can begin here: not with "oh" alone, which is also an exclamation, or with "hundred", but
 * with "oh five", "a hundred" and "double five".
 */
function begins(first: Atom, after: Meaning | undefined): boolean {
  if (isOh(first)) return isDigit(after) || after?.level === 'digits';
  if (first.text === 'a') return isScale(after);
  if (repeats[first.text] !== undefined) return isDigit(after);
  const meaning = meaningOf(first);
  return meaning !== undefined && !isScale(meaning);
}

const meaningAfter = (atoms: readonly Atom[], at: number): Meaning | undefined =>
  atoms[at]?.stop === false ? meaningOf(atoms[at + 1]) : undefined;

/** Reads the number that begins at an atom, within its sentence. Returns undefined if none begins there. */
export function readSpokenNumber(atoms: readonly Atom[], start: number): SpokenNumber | undefined {
  const first = atoms[start];
  if (first === undefined || !begins(first, meaningAfter(atoms, start))) return undefined;
  const writer = new NumberWriter();
  let at = start;
  for (let atom = atoms[at]; atom !== undefined; atom = atoms[at]) {
    const wide = writer.take(atoms, at);
    if (wide === 0) break;
    at += wide;
    const last = atoms[at - 1] ?? atom;
    if (last.stop || writer.closed) break;
    if (last.pause) writer.cut();
  }
  const segments = writer.finish();
  return { digits: segments.join(''), segments, next: at };
}

/** Adds what belongs together ("two hundred and five") and concatenates the rest ("five five five"). */
class NumberWriter {
  /** An ordinal ends a number: what follows is another ("one second"). */
  closed = false;
  readonly #segments: string[] = [];
  #written = '';
  /** The number so far: whole thousands and more, the part below, and the last word's level. */
  #sum = 0;
  #chunk = 0;
  #last: Level | undefined;
  #text = '';

  /** Returns how many atoms were used; 0 if the number doesn't continue here. */
  take(atoms: readonly Atom[], at: number): number {
    const atom = atoms[at];
    if (atom === undefined) return 0;
    const next = meaningAfter(atoms, at);
    if (atom.text === 'a') {
      if (this.#last !== undefined || !isScale(next)) return 0;
      this.#open('unit', 1, '1');
      return 1;
    }
    if (atom.text === 'and')
      return (this.#last === 'hundred' || this.#last === 'scale') && next !== undefined && this.#fits(next) ? 1 : 0;
    const times = repeats[atom.text];
    if (times !== undefined) return this.#repeat(times, next);
    const meaning = meaningOf(atom);
    if (meaning === undefined) return 0;
    if (meaning.ordinal === true && this.#last !== undefined && !this.#fits(meaning)) return 0;
    this.#add(meaning, atom.text, next);
    this.closed = meaning.ordinal === true;
    return 1;
  }

  /** "double five" */
  #repeat(times: number, next: Meaning | undefined): number {
    if (next === undefined || !isDigit(next)) return 0;
    this.cutRow();
    this.#written += String(next.value).repeat(times);
    return 2;
  }

  /** A comma: the next word isn't added to what was said, and begins a new segment. */
  cut(): void {
    this.cutRow();
    if (this.#written !== '') this.#segments.push(this.#written);
    this.#written = '';
  }

  cutRow(): void {
    if (this.#last === undefined) return;
    this.#written += this.#text !== '' ? this.#text : String(this.#sum + this.#chunk);
    this.#sum = 0;
    this.#chunk = 0;
    this.#text = '';
    this.#last = undefined;
  }

  finish(): readonly string[] {
    this.cut();
    return this.#segments;
  }

  #open(level: Level, value: number, text: string): void {
    this.cutRow();
    this.#last = level;
    this.#chunk = value;
    this.#text = text;
  }

  /** Returns true if a word's value adds to the number so far, as "five" does to "twenty" but not to "four". */
  #fits({ level, value }: Meaning): boolean {
    if (level === 'hundred')
      return (
        this.#last !== undefined &&
        this.#last !== 'scale' &&
        this.#last !== 'zero' &&
        this.#chunk > 0 &&
        this.#chunk < 100
      );
    if (level === 'scale')
      return (
        this.#last !== undefined &&
        this.#last !== 'zero' &&
        this.#last !== 'scale' &&
        this.#chunk > 0 &&
        this.#chunk < 1000
      );
    if (level === 'zero') return false;
    if (this.#last === 'ten') return level === 'unit';
    if (this.#last === 'hundred') return value < 100;
    return this.#last === 'scale' && value < 1000;
  }

  #add(meaning: Meaning, text: string, next: Meaning | undefined): void {
    const { level, value } = meaning;
    if (level === 'hundred' || level === 'scale') {
      if (!this.#fits(meaning)) {
        this.#open(level, value, '');
        return;
      }
      if (level === 'hundred') this.#chunk *= 100;
      else {
        this.#sum += this.#chunk * value;
        this.#chunk = 0;
      }
      this.#last = level;
      this.#text = '';
      return;
    }
    // "one eight hundred five five five" is a phone number: what follows "hundred" is a separate row of digits.
    const row = level === 'unit' && this.#last === 'hundred' && isDigit(next);
    if (this.#fits(meaning) && !row) {
      this.#chunk += value;
      this.#last = level;
      this.#text = '';
      return;
    }
    this.#open(level, value, level === 'digits' ? text : String(value));
  }
}
