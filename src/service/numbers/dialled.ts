/**
 * Digits of any script as 0 to 9, full-width and raised ones too. In Unicode the ten of a script stand in order, and
 * rows of ten beside one another.
 */
export const plainDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let zero = point;
    while (isDigit(zero - 1)) zero -= 1;
    return String((point - zero) % 10);
  });

const isDigit = (point: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(point));

/** What people write between digits and exchanges pass over: blanks, hyphens, brackets, points, slashes. */
const visual = /[\p{Z}\p{Cf}\p{Pd}()[\]./]/gu;

/**
 * The digit strings that an exchange may begin to dial for `text`, with a `+` where there is one. Whatever else stands
 * between digits (`!`, `,`, `;`, `*`, `#`, a pause `p` or `w`) may end the number for it, or be passed over: so each
 * part counts, up to the first of three digits, and all of them as one.
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
