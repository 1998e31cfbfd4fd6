/** Adjacent words of one kind: in both texts, or only in this one. */
export interface DiffStretch {
  readonly text: string;
  readonly common: boolean;
}

/** A part of two texts: the same words, or what differs between two such parts. Either side can be empty. */
export interface Hunk {
  readonly expected: string;
  readonly heard: string;
  readonly common: boolean;
}

/** Longer texts are compared by their first words; the rest is shown as it is. */
const maxWords = 600;

/**
 * Returns the expected and the heard text, each with the words that the other lacks. Case and punctuation don't matter.
 */
export function wordDiff(
  expected: string,
  heard: string,
): { readonly expected: DiffStretch[]; readonly heard: DiffStretch[] } {
  const [left, right] = [wordsIn(expected), wordsIn(heard)];
  const { inLeft, inRight } = commonWords(left.slice(0, maxWords).map(plain), right.slice(0, maxWords).map(plain));
  return { expected: stretches(left, inLeft), heard: stretches(right, inRight) };
}

/** Divides two texts at their common words. */
export function wordHunks(expected: string, heard: string): Hunk[] {
  const [left, right] = [wordsIn(expected), wordsIn(heard)];
  const { inLeft, inRight } = commonWords(left.slice(0, maxWords).map(plain), right.slice(0, maxWords).map(plain));
  const hunks: Hunk[] = [];
  for (let [row, column] = [0, 0]; row < left.length || column < right.length;) {
    const common = inLeft.has(row) && inRight.has(column);
    const [fromRow, fromColumn] = [row, column];
    while (inLeft.has(row) && inRight.has(column)) [row, column] = [row + 1, column + 1];
    if (!common) {
      while (row < left.length && !inLeft.has(row)) row += 1;
      while (column < right.length && !inRight.has(column)) column += 1;
    }
    hunks.push({
      expected: left.slice(fromRow, row).join(' '),
      heard: right.slice(fromColumn, column).join(' '),
      common,
    });
  }
  return hunks;
}

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}*#]/gu, '');

/** Returns a longest common subsequence (Wagner and Fischer), as the indexes of its words in both lists. */
function commonWords(left: readonly string[], right: readonly string[]): { inLeft: Set<number>; inRight: Set<number> } {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const [inLeft, inRight] = [new Set<number>(), new Set<number>()];
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      inLeft.add(row);
      inRight.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return { inLeft, inRight };
}

function stretches(words: readonly string[], common: ReadonlySet<number>): DiffStretch[] {
  const found: DiffStretch[] = [];
  for (const [index, word] of words.entries()) {
    // A `*` stands for any words.
    const isCommon = common.has(index) || index >= maxWords || ['', '*'].includes(plain(word));
    const last = found.at(-1);
    if (last?.common === isCommon) found[found.length - 1] = { text: `${last.text} ${word}`, common: isCommon };
    else found.push({ text: word, common: isCommon });
  }
  return found;
}
