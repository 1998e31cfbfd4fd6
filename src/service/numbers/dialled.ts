/**
 * Converts digits of any script to 0 to 9, including full-width and superscript ones. In Unicode, the ten digits of a
 * script are in order, and rows of ten are adjacent.
 */
export const plainDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let zero = point;
    while (isDigit(zero - 1)) zero -= 1;
    return String((point - zero) % 10);
  });

const isDigit = (point: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(point));

/** Separators between digits that exchanges ignore: blanks, hyphens, brackets, points, slashes. */
const visual = /[\p{Z}\p{Cf}\p{Pd}()[\]./]/gu;

/**
 * Returns the digit strings that an exchange may dial for `text`, with a `+` if it has one. Any other character between
 * digits (`!`, `,`, `;`, `*`, `#`, a pause `p` or `w`) may end the number, or be ignored. So each part counts, up to
 * the first with three digits, and all of them together.
 */
export function dialledStrings(text: string): readonly string[] {
  const written = plainDigits(text).replaceAll(visual, '');
  const parts = written.match(/\+?\d+/g) ?? [];
  const first = parts.findIndex((part) => part.length >= 3);
  const begun = first < 0 ? parts : parts.slice(0, first + 1);
  const whole = `${written.startsWith('+') ? '+' : ''}${parts.join('').replaceAll('+', '')}`;
  // A service code such as *67 has two digits.
  const afterService = [...written.matchAll(/[*#]\d\d(\d+)/g)].map(([, rest = '']) => rest);
  return [...new Set([...begun, whole, ...afterService])].filter((one) => one !== '');
}
